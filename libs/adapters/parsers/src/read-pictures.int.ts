import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError, type ErrorCode } from '@postmaster/contracts';
import type { ParsedDocument } from '@postmaster/ingestion';
import {
  mixedPdf,
  type PdfPicture,
  type PictureFacts,
  samplePdf,
  samplePicture,
  sampleTiff,
  scannedPdf,
  truncated,
} from '@postmaster/testing';
import { childProcessParser } from './child-process-parser.js';

const LIMITS = { timeoutMs: 60_000, memoryMb: 1024 };
const DANISH = ['Åge sejlede fra Ærø i en åben båd med sild og', 'tørfisk, og færgen gik først ved højvande.'];
const ENGLISH = ['The harbour was built by the town itself, which', 'paid for it with a tax on herring.'];
const danish = DANISH.join(' ');
const english = ENGLISH.join(' ');

const scan = (lines: readonly string[], stamp?: string): PdfPicture => {
  const size = { width: 1000, height: 760 };
  return { jpeg: samplePicture(lines, { ...size, type: 'jpeg' }), ...size, stamp };
};
/** A PNG that says it has these sizes. */
const pngOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.from(samplePicture(['x'], { width: 60, height: 60 }));
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

describe('pictures of text', () => {
  const settings = { languages: ['dan', 'eng'], maxPages: 2 };
  const parser = childProcessParser({ poolSize: 1, ocr: settings });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'pictures-'));
  });
  afterAll(async () => {
    await parser.close();
    await rm(folder, { recursive: true });
  });

  const read = async (bytes: Uint8Array, name = 'a', reader = parser): Promise<ParsedDocument> => {
    const file = path.join(folder, name);
    await writeFile(file, bytes);
    return reader.parse({ path: file, name }, LIMITS);
  };
  const failureOf = async (bytes: Uint8Array, reader = parser): Promise<CodedError> => {
    const error: unknown = await read(bytes, 'a', reader).catch((cause: unknown) => cause);
    if (error instanceof CodedError) return error;
    throw new Error('it should have failed with a code');
  };

  it.each<PictureFacts>([
    { type: 'png' },
    { type: 'jpeg' },
    { type: 'webp' },
    { type: 'gif' },
    { type: 'png', turns: 1 },
  ])('are read: %j', async (facts) => {
    const { text, contentType, language, metadata } = await read(samplePicture(DANISH, facts));
    expect({ text, contentType, language }).toEqual({
      text: danish,
      contentType: `image/${facts.type}`,
      language: 'da',
    });
    expect(metadata).toMatchObject({ ocr: true, ocrPages: 1, ocrConfidence: expect.any(Number) });
    expect(metadata['ocrConfidence']).toBeGreaterThan(0.8);
  });

  it('are read on all pages of a TIFF', async () => {
    const { blocks, text, metadata } = await read(sampleTiff([DANISH, ENGLISH]));
    expect(blocks.map(({ page }) => page)).toEqual([1, 2]);
    expect(text).toBe(`${danish}\n\n${english}`);
    expect(metadata).toMatchObject({ pages: 2, ocrPages: 2 });
  });

  it('are read on those pages of a PDF that have no text of their own, up to the most pages', async () => {
    const { blocks, text, metadata } = await read(
      mixedPdf([
        ['The first page is typed.'],
        scan(DANISH, 'Scanned 7'),
        ['The third is too.'],
        scan(ENGLISH),
        scan(['Left']),
      ]),
    );
    expect(blocks.map(({ page }) => page)).toEqual([1, 2, 2, 3, 4]);
    expect(text.split('\n\n')).toEqual(['The first page is typed.', danish, 'Scanned 7', 'The third is too.', english]);
    expect(metadata).toMatchObject({ pages: 5, ocr: true, ocrPages: 2, ocrPagesLeftOut: 1, ocrLeftOutFrom: 5 });
  });

  it('are not looked for where a PDF has its text, and give way to it where they say no more', async () => {
    for (const file of [samplePdf([['Typed.'], []]), mixedPdf([scan(['1746'], 'The tale of the whale')])]) {
      const { text, metadata } = await read(file);
      expect(text).toMatch(/^(Typed\.|The tale of the whale)$/);
      expect(metadata).not.toHaveProperty('ocr');
    }
  });

  it.each<[what: string, bytes: () => Uint8Array, code: ErrorCode, says: RegExp]>([
    ['a pattern', () => scannedPdf(), 'NO_TEXT', /no words were recognised/],
    ['an empty sheet', () => samplePicture([]), 'NO_TEXT', /No words/],
    ['a picture that is cut off', () => truncated(samplePicture(DANISH)), 'DOCUMENT_BROKEN', /decoded/],
    [
      'a photograph that is cut off',
      () => truncated(samplePicture(DANISH, { type: 'jpeg' })),
      'DOCUMENT_BROKEN',
      /decoded/,
    ],
    ['a header alone', () => pngOf(9, 9).subarray(0, 16), 'DOCUMENT_BROKEN', /header/],
    ['a picture that claims 50,000 × 50,000 dots', () => pngOf(50_000, 50_000), 'IMAGE_TOO_LARGE', /50000 × 50000/],
    ['a picture that is smaller than it says', () => pngOf(6_000, 6_000), 'DOCUMENT_BROKEN', /decoded/],
    ['a TIFF that is cut off', () => sampleTiff([DANISH]).subarray(0, 40), 'DOCUMENT_BROKEN', /cut off/],
    ['a TIFF whose pages run in a circle', () => ringOfPages(), 'DOCUMENT_BROKEN', /circle/],
    ['a TIFF of 4 billion rows', () => endlessTiff(), 'IMAGE_TOO_LARGE', /4294967295/],
  ])('are refused: %s', async (_what, bytes, code, says) => {
    const failure = await failureOf(bytes());
    expect(failure).toMatchObject({ code, message: expect.stringMatching(says), next: expect.stringMatching(/.{10}/) });
  });

  it('are left alone where recognition is off', async () => {
    const off = childProcessParser({ poolSize: 1 });
    expect(await failureOf(samplePicture(DANISH), off)).toMatchObject({ code: 'UNKNOWN_TYPE' });
    expect(await failureOf(mixedPdf([scan(DANISH)]), off)).toMatchObject({
      code: 'NO_TEXT',
      next: expect.stringContaining('OCR=on'),
    });
    await off.close();
  });
});

/** The first page's pointer to the next leads back to it. */
const ringOfPages = (): Buffer => {
  const file = sampleTiff([['x']], { width: 60, height: 60 });
  file.writeUInt32LE(8, 8 + 2 + 8 * 12);
  return file;
};

const endlessTiff = (): Buffer => {
  const file = sampleTiff([['x']], { width: 60, height: 60 });
  file.writeUInt32LE(0xffffffff, 8 + 2 + 12 + 8);
  return file;
};
