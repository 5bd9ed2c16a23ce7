import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { codePointsOf, type ParsedDocument } from '@postmaster/ingestion';
import { wordsInOrder } from '@postmaster/testing';
import { childProcessParser } from './child-process-parser.js';
import { drawPage } from './formats/pdf/draw-page.js';
import { EMPTY_PAGE, readFragments } from './formats/pdf/fragments.js';
import { blocksOfPages } from './formats/pdf/layout.js';
import { openPdf } from './formats/pdf/open-pdf.js';
import { openOcr } from './ocr/ocr.js';

/** Documents of many programs, beside the checkout where there are any. */
const folder = path.resolve('../shared/data/parsing');
const files = (() => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => path.extname(file) !== '');
  } catch {
    console.info('shared-documents: there are none beside this checkout, so nothing is read');
    return [];
  }
})();

/** Old sheets have no format, one mail is encrypted; the others hold pictures alone, or nothing. All else is read. */
const REFUSED: readonly [file: RegExp, code: string][] = [
  [/\.xls$/, 'UNKNOWN_TYPE'],
  [/eml_fake-encrypted\.eml$/, 'PASSWORD_NEEDED'],
  [/mammoth\/(empty|external-picture|tiny-picture)\.docx$/, 'NO_TEXT'],
  [/(empty\.xlsx|picture\.pptx|test-image-jpg-mime\.pptx)$/, 'NO_TEXT'],
];
const expectedCode = (file: string): string => REFUSED.find(([pattern]) => pattern.test(file))?.[1] ?? '';

const EXPECTED = 'markitdown/expected_outputs_';
const expectations = files
  .filter((file) => file.startsWith(EXPECTED))
  .map((file) => ({ file, of: `markitdown/${path.basename(file, '.md').replace('expected_outputs_', '')}.pdf` }))
  .filter(({ of }) => files.includes(of)); // one of the three has no document

describe(`${files.length} documents of other programs`, () => {
  const parser = childProcessParser({ poolSize: 2, ocr: { languages: ['dan', 'eng'], maxPages: 100 } });
  const outcomes = new Map<string, ParsedDocument | CodedError>();
  beforeAll(async () => {
    const limits = { timeoutMs: 60_000, memoryMb: 1024 };
    const read = async (file: string): Promise<void> => {
      const work = parser.parse({ path: path.join(folder, file), name: path.basename(file) }, limits);
      const outcome = await work.catch((error: unknown) => error);
      if (outcome instanceof Error && !(outcome instanceof CodedError)) throw outcome;
      outcomes.set(file, outcome as ParsedDocument | CodedError); // there is no third
    };
    await Promise.all(files.map(read));
  }, 180_000);
  afterAll(() => parser.close());

  it('are read, or refused with the code that fits', () => {
    const codes = files.map((file) => {
      const outcome = outcomes.get(file);
      return [file, outcome instanceof CodedError ? outcome.code : ''];
    });
    expect(codes).toEqual(files.map((file) => [file, expectedCode(file)]));
  });

  it('have blocks that cover their text, which is clean', () => {
    for (const [file, outcome] of outcomes) {
      if (outcome instanceof CodedError) continue;
      const { text, blocks } = outcome;
      const points = codePointsOf(text);
      const covered = blocks.map((block) => points.slice(block.start, block.end)).join('\n\n');
      const facts = [file, covered === text, text.normalize('NFC') === text, text.includes('\r')];
      expect(facts).toEqual([file, true, true, false]);
    }
  });

  it('give at least 95 % of the expected words in order', () => {
    const shares = expectations.map(({ file, of }) => {
      const outcome = outcomes.get(of);
      const text = outcome && !(outcome instanceof CodedError) ? outcome.text : '';
      return { of, share: wordsInOrder(readFileSync(path.join(folder, file), 'utf8'), text) };
    });
    for (const { of, share } of shares) expect({ of, isEnough: share >= 0.95 }).toEqual({ of, isEnough: true });
  });

  // No scan here comes with its text: pages that have theirs are drawn, and what is recognised is held against it.
  const DRAWN = ['docling-pdf/bookmark_sample.pdf', 'docling-pdf/multi_page.pdf'].filter((file) =>
    files.includes(file),
  );
  it.each(DRAWN)('give at least 95 %% of their words by OCR, drawn as a scan: %s', async (file) => {
    const { document, close } = await openPdf(readFileSync(path.join(folder, file)));
    const ocr = openOcr({ languages: ['dan', 'eng'], maxPages: 1 }, () => Promise.resolve());
    const page = await document.getPage(1);
    const own = blocksOfPages([await readFragments(page)]).text;
    const seen = blocksOfPages([await ocr.read(1, EMPTY_PAGE, () => drawPage(page))]).text;
    expect(wordsInOrder(own, seen)).toBeGreaterThanOrEqual(0.95);
    await Promise.all([ocr.end(), close()]);
  });
});
