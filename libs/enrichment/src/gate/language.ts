const SCANDINAVIAN: ReadonlySet<string> = new Set(['da', 'no', 'nb', 'nn']); // short texts do not tell them apart
/** What a question begins with where its language is this one; Danish ones where those are left open between Danish and Norwegian. */
const ASKS: Readonly<Record<string, RegExp>> = {
  en: /^(?:what|which|when|where|who|whose|why|how)\b/iu,
  da: /^(?:hvad|hvilke[nt]?|hvornår|hvor|hvem|hvis|hvorfor|hvordan)(?!\p{L})/iu,
};

/** Titles and names, whose words are of another language often enough: "Doctor Who and the Daleks". */
const NAMES =
  /(?<=\S\s+)\p{Lu}[\p{L}\p{N}’'.-]*(?:\s+(?:(?:and|the|of|in|to|on|a|an|for|from|de|la|le|von|van|der|du|di|aan|og|i|af|den|det|på|til)\s+){0,3}\p{Lu}[\p{L}\p{N}’'.-]*)+/gu;

const QUOTED = /["“„»][^"“”»«]*["”«]/gu;

/** Whether a text is of another language than it should be; what can't be told is not. */
export const isOtherLanguage = (
  text: string,
  language: string | null,
  languageOf: (text: string) => string | null,
): boolean => {
  const asked = Object.keys(ASKS).find((one) => ASKS[one]?.test(text));
  const found = asked ?? languageOf(text.replace(QUOTED, ' ').replace(NAMES, ' '));
  if (language === null || found === null || found === language) return false;
  return !(SCANDINAVIAN.has(found) && SCANDINAVIAN.has(language));
};
