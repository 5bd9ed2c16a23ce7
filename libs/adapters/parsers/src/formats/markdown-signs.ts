const SIGNS: readonly RegExp[] = [
  /^#{1,6}\s+\S/m,
  /^(```|~~~)/m,
  /\[[^\]\n]+\]\([^)\s]+(\s+"[^"]*")?\)|^\[[^\]\n]+\]:\s+\S/m,
  /^\s*\|?\s*:?-{3,}:?\s*(\|\s*:?-{3,}:?\s*)+\|?\s*$/m,
  /^\S.*\n(={3,}|-{3,})\s*$/m,
  /\*\*[^\s*][^*\n]*\*\*|__[^\s_][^_\n]*__/,
  /^>\s+\S/m,
  /^[-*+]\s+(\[[ x]\]\s+)?\S.*\n[-*+]\s+/m,
  /^---\n[\s\S]{1,4000}?\n---\s*$/,
];

/** How many kinds of Markdown's marks a text has; one alone (a script's "# comment", a list) is in many texts. */
export const signsOfMarkdown = (text: string): number => {
  const sample = text.slice(0, 50_000).replace(/\r\n?/g, '\n');
  return SIGNS.filter((sign) => sign.test(sample)).length;
};
