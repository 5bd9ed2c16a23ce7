import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CodedError } from '@postmaster/contracts';
import { codePointsOf } from '@postmaster/ingestion';
import { childProcessParser } from './child-process-parser.js';

/** Documents of many programs, beside the checkout where there are any. */
const folder = path.resolve('../shared/data/parsing');
const files = (() => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(pdf|docx|html|md|txt)$/.test(file),
    );
  } catch {
    console.info('shared-documents: there are none beside this checkout, so nothing is read');
    return [];
  }
})();

describe(`${files.length} documents of other programs`, () => {
  const parser = childProcessParser({ poolSize: 2 });
  afterAll(() => parser.close());

  it('are read, or give a coded failure, and their blocks cover their text', async () => {
    const work = files.map((file) =>
      parser
        .parse({ path: path.join(folder, file), name: path.basename(file) }, { timeoutMs: 60_000, memoryMb: 1024 })
        .then(
          ({ text, blocks }) => {
            const points = codePointsOf(text);
            const covered = blocks.map((block) => points.slice(block.start, block.end)).join('\n\n');
            expect([file, covered === text, text.normalize('NFC') === text, text.includes('\r')]).toEqual([
              file,
              true,
              true,
              false,
            ]);
          },
          (error: unknown) => {
            expect([file, error]).toEqual([file, expect.any(CodedError)]);
          },
        ),
    );
    await Promise.all(work);
  }, 120_000);
});
