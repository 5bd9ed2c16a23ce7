import { widthOf } from './width.js';

/** Lines of at most `columns`, each begun with `indent`; words longer than a line stand alone. Line ends are kept. */
export const wrap = (text: string, columns: number, indent = ''): string =>
  text
    .split('\n')
    .flatMap((line) => linesOf(line, Math.max(20, columns - widthOf(indent))))
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');

const linesOf = (text: string, columns: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
};
