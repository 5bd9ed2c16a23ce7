import Papa from 'papaparse';
import type { Format } from '../format.js';
import { writeBlocks } from '../plain-text.js';
import type { SourceFile } from '../source-file.js';
import { metadataOfText } from '../text-metadata.js';
import { blocksOfRows } from './table-blocks.js';
import { text } from './text.js';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE = 64 * 1024; // letters
const SAMPLE_ROWS = 50;
/** What a nameless table has at least: many texts have a few lines of as many commas. */
const SURE_ROWS = 3;
const SURE_COLUMNS = 3;
const MAX_CELL = 60;

export const csv: Format = {
  contentType: 'text/csv',
  extensions: ['csv', 'tsv', 'tab'],
  matches: (file) => text.matches(file) && delimiterOf(file) !== null,
  parse: async (file) => {
    const body = file.decoded?.text ?? '';
    const delimiter = delimiterOf(file) ?? ',';
    const read = Papa.parse<string[]>(body, { delimiter });
    const isUnclosed = read.errors.some(({ code }) => code === 'MissingQuotes'); // all that follows would be one cell
    const { data } = isUnclosed ? Papa.parse<string[]>(body, { delimiter, quoteChar: '\0' }) : read;
    return { ...writeBlocks(blocksOfRows(data)), title: null, createdAt: null, metadata: metadataOfText(file.decoded) };
  },
};

/** What parts the cells; null where the text is no table: most rows have the same number of cells, and more than one. */
const delimiterOf = ({ decoded, extension, declaredType }: SourceFile): string | null => {
  const isNamed = csv.extensions.includes(extension) || declaredType === csv.contentType;
  const { data, meta } = Papa.parse<string[]>((decoded?.text ?? '').slice(0, SAMPLE), {
    preview: SAMPLE_ROWS,
    delimitersToGuess: DELIMITERS,
    skipEmptyLines: 'greedy',
  });
  const widths = data.slice(0, Math.max(1, data.length - 1)).map((row) => row.length); // the sample may end within a row
  const usual = Math.max(...widths, 0);
  if (isNamed) return usual > 1 ? meta.delimiter : null;
  const isEven =
    widths.every((width) => width === usual) && data.every((row) => row.every(({ length }) => length <= MAX_CELL));
  return data.length >= SURE_ROWS && usual >= SURE_COLUMNS && isEven && meta.delimiter !== '|' ? meta.delimiter : null;
};
