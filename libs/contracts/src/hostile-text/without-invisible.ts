/** Tags, breaks of no width, turns of direction, invisible operators and fillers: seen by no one, read by every model. */
const UNSEEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** Joiners belong between the letters of some scripts and the parts of some signs; elsewhere they hide. */
const JOINER =
  /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u200c\u200d]+/gu;
/** One chooses how the character before it looks; a row of them, or one after a letter, carries bytes. */
const SELECTORS =
  /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu;
/** The two above look back from every letter, and few texts have what they look for. */
const MAY_HIDE = /[\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;

/**
 * A text without what its readers don't see and a model or an encoder does: Unicode's tags (an emoji flag of a region
 * loses its region), bidirectional controls, zero-width and invisible characters, rows of variation selectors.
 */
export const withoutInvisible = (text: string): string => {
  const seen = text.replace(UNSEEN, '');
  return MAY_HIDE.test(seen) ? seen.replace(JOINER, '').replace(SELECTORS, '') : seen;
};
