const ADDRESS =
  /(?:(?:https?|ftp|file|data|javascript|vbscript):|(?<![\p{L}\p{N}:])\/\/(?=[\p{L}\p{N}-]+\.)|(?<![\p{L}\p{N}@.])www\.)[^\s<>"'“”`]*[^\s<>"'“”`.,;:!?)\]}]/giu;
// Each begins anew at its own opening sign and never reaches past the next one: else a row of them takes time by its square.
const IMAGE = /!\[([^[\]\n]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^[\]\n]*\])/gu;
const LINK = /(?<!!)\[([^[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)/gu;
/** Not a citation: its second name has a letter, or none. */
const BY_NAME = /\[(?=[^[\]\n]*\p{L})([^[\]\n]+)\]\[(?!\d+\])[^[\]\n]*\]/gu;
const DEFINITION = /^[ \t]*\[[^\]\n]+\]:[ \t]*\S*.*$/gmu;
const ELEMENT =
  /<\/?(?:a|img|image|iframe|frame|object|embed|script|style|link|meta|base|form|input|button|area|map|svg|video|audio|source|track|picture|portal|math|body|html|div|span|p|b|i|table|details|marquee)(?:[\s/][^<>]*)?>/giu;
const IN_ANGLES = /<(?:[a-z][a-z+.-]*:|\/\/)[^\s<>]*>/giu;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/gu;

/** Whether a text has a link, an image or markup, or a piece of one. */
export const hasLink = (text: string): boolean =>
  new RegExp(ADDRESS, 'iu').test(text) || /!\[|\]\(|<[/!?]?[a-z]|<!--/iu.test(text);

/**
 * A text that no reader of Markdown or HTML makes a link, an image or an element of, a sentence at a time or whole:
 * links become what they were shown as, images nothing, addresses nothing either. Citations as [1] stay. An address
 * for which `keeps` holds stays as code, which is shown and never followed.
 */
export const withoutLinks = (text: string, keeps: (address: string) => boolean = () => false): string => {
  const plain = text
    .replace(COMMENT, '')
    .replace(IMAGE, '')
    .replace(LINK, '$1')
    .replace(BY_NAME, '$1')
    .replace(DEFINITION, '')
    .replace(ELEMENT, '')
    .replace(IN_ANGLES, (whole) => whole.slice(1, -1))
    .replace(ADDRESS, (address) => (keeps(address) ? `\`${address}\`` : ''))
    .replace(/<(?=[/!?a-z])/giu, '< ')
    .replace(/!(?=\[)/gu, '')
    .replace(/\]\([^()\n]*\)/gu, ']')
    .replace(/\](?=\()/gu, '] ')
    .replace(/(^|\s)!$/u, '$1'); // the start of an image, where a sentence is cut there
  return plain === text ? text : plain.replace(/(?<=\S)[ \t]{2,}(?=\S)/gu, ' ');
};
