// Reads every document of the shared set and writes docs/formats.md: what each is read as, or why it is refused.
// node scripts/parse-report.mjs [folder]; needs the build.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wordsInOrder, wordsOf } from '@postmaster/testing';
import { childProcessParser } from '../libs/adapters/parsers/dist/index.js';

const folder = path.resolve(process.argv[2] ?? '../shared/data/parsing');
const EXPECTED = 'markitdown/expected_outputs_';
const page = path.resolve('docs/formats.md');
const files = (await readdir(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  .sort();

const parser = childProcessParser({ poolSize: 1, ocr: { languages: ['dan', 'eng'], maxPages: 100 } });
const rows = [];
let read = 0;
for (const file of files) {
  const source = { path: path.join(folder, file), name: path.basename(file) };
  const expected = `${EXPECTED}${path.basename(file, path.extname(file))}.md`;
  try {
    const { contentType, blocks, text, language } = await parser.parse(source, { timeoutMs: 60_000, memoryMb: 1024 });
    const share = files.includes(expected)
      ? `${(100 * wordsInOrder(await readFile(path.join(folder, expected), 'utf8'), text)).toFixed(1)} %`
      : '';
    const type = contentType.replace(/^.*[/.]/, '');
    rows.push(`| ${file} | ${type} | ${blocks.length} | ${wordsOf(text).length} | ${language ?? ''} | ${share} |`);
    read++;
  } catch (error) {
    if (typeof error.code !== 'string') throw error;
    rows.push(`| ${file} | refused: ${error.code} | | | | ${error.message.replace(/\|/g, '\\|')} |`);
  }
}
await parser.close();

const START = '<!-- written by scripts/parse-report.mjs -->';
const before = (await readFile(page, 'utf8')).split(START)[0];
const table = [
  START,
  `${files.length} documents of other programs: ${read} read, ${files.length - read} refused with a code.`,
  '',
  '| document | read as | blocks | words | language | expected words found in order, or why it is refused |',
  '|---|---|---|---|---|---|',
  ...rows,
];
await writeFile(page, `${before}${table.join('\n')}\n`);
console.log(table[1]);
