import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import {
  mutateDocument,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleOdt,
  samplePdf,
  samplePicture,
  samplePptx,
  sampleXlsx,
  type SourceDocument,
} from '@postmaster/testing';
import { childProcessParser } from './child-process-parser.js';

/** How many, and from which seed on: a failure names its seed, and MUTATIONS=1 MUTATION_SEED=… makes it again. */
const COUNT = Number(process.env['MUTATIONS'] ?? 60);
const FIRST = Number(process.env['MUTATION_SEED'] ?? 1);
const LIMITS = { timeoutMs: 30_000, memoryMb: 512 };
const LARGEST = 300_000; // bytes of a document from beside the checkout
/** What reading a document may end with; no other code, and nothing without one. */
const REFUSALS = new Set(
  'EMPTY_FILE UNKNOWN_TYPE DOCUMENT_BROKEN PASSWORD_NEEDED NO_TEXT DOCUMENT_TOO_LONG IMAGE_TOO_LARGE PARSE_TIMEOUT PARSE_MEMORY'.split(
    ' ',
  ),
);

const text = 'The harbour was built by the town itself, which paid for it with a tax on herring.';
const parts = [{ heading: 'Harbour', level: 1 as const }, text, { list: [text, text] }, { table: [['Year', '1650']] }];
const ours: readonly SourceDocument[] = [
  { name: 'a.txt', bytes: Buffer.from(`Havnen\n\n${text}\n\nByen lå ved vandet, og ålen gik i åen.\n`) },
  {
    name: 'a.md',
    bytes: Buffer.from(`---\ntitle: a\n---\n# Harbour\n\n- ${text}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`),
  },
  {
    name: 'a.html',
    bytes: Buffer.from(`<html lang="en"><head><title>a</title></head><body><p>${text}</p></body></html>`),
  },
  { name: 'a.pdf', bytes: samplePdf([[text, text], [text]], { title: 'Harbour' }) },
  { name: 'a.docx', bytes: sampleDocx(parts, { title: 'Harbour' }) },
  { name: 'a.doc', bytes: sampleDoc([text, text]) },
  { name: 'a.pptx', bytes: samplePptx([{ title: 'Harbour', body: [text] }]) },
  {
    name: 'a.xlsx',
    bytes: sampleXlsx({
      Harbour: [
        ['Year', 'Note'],
        [1650, text],
      ],
    }),
  },
  { name: 'a.odt', bytes: sampleOdt(parts, { title: 'Harbour' }) },
  { name: 'a.epub', bytes: sampleEpub([`<h1>Harbour</h1><p>${text}</p>`], { title: 'Harbour' }) },
  {
    name: 'a.rtf',
    bytes: Buffer.from(`{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\b Harbour\\b0\\par ${text} \\'e5 \\u229?\\par}`),
  },
  { name: 'a.csv', bytes: Buffer.from(`Year;Note\n1650;"${text}"\n1651;b\n1652;c\n`) },
  ...(['png', 'jpeg', 'tiff'] as const).map((type) => ({
    name: `a.${type}`,
    bytes: samplePicture([text], { type, width: 1200, height: 120 }),
  })),
  { name: 'a.json', bytes: Buffer.from(JSON.stringify({ title: 'Harbour', notes: [{ year: 1650, text }] })) },
];

/** Documents of many programs, beside the checkout where there are any. */
const shared = ((): readonly SourceDocument[] => {
  const folder = path.resolve('../shared/data/parsing');
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((file) => path.join(folder, file))
      .filter((file) => path.extname(file) !== '' && statSync(file).size <= LARGEST)
      .map((file) => ({ name: path.basename(file), bytes: readFileSync(file) }));
  } catch {
    return [];
  }
})();

interface Outcome {
  seed: number;
  what: string;
  /** "parsed", a code, or what went wrong. */
  end: string;
  ms: number;
}

describe(`${COUNT} mutated documents, from seed ${FIRST} on`, () => {
  const sources = [...ours, ...shared];
  const parser = childProcessParser({ poolSize: 2, ocr: { languages: ['dan', 'eng'], maxPages: 3 } });
  const outcomes: Outcome[] = [];
  let folder: string;
  let peakMb = 0;

  const read = async (seed: number): Promise<Outcome> => {
    const { name, bytes, what } = mutateDocument(sources, seed);
    const file = path.join(folder, String(seed));
    await writeFile(file, bytes);
    const began = performance.now();
    const end = await parser.parse({ path: file, name }, LIMITS).then(
      () => 'parsed',
      (error: unknown) => endOf(error),
    );
    await rm(file);
    return { seed, what, end, ms: performance.now() - began };
  };

  beforeAll(
    async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'mutated-'));
      // More seldom than the watchdog looks: a process that failed is gone before its parse has ended.
      const watch = setInterval(() => void peakOfChildren().then((mb) => (peakMb = Math.max(peakMb, mb))), 100);
      let next = FIRST;
      const work = async (): Promise<void> => {
        while (next < FIRST + COUNT) outcomes.push(await read(next++));
      };
      await Promise.all([work(), work()]).finally(() => clearInterval(watch));
      console.info(report(outcomes, peakMb));
    },
    60_000 + COUNT * 5_000,
  );
  afterAll(async () => {
    await parser.close();
    await rm(folder, { recursive: true });
  });

  it('are each read, or refused with a code of the documents', () => {
    const others = outcomes.filter(({ end }) => end !== 'parsed' && !REFUSALS.has(end));
    expect(others).toEqual([]);
  });

  it('leave the process that reads them within its memory', () => {
    expect(peakMb).toBeLessThan(LIMITS.memoryMb);
  });

  it('leave a parser behind that reads sound documents', async () => {
    const file = path.join(folder, 'sound');
    for (const { name, bytes } of ours) {
      await writeFile(file, bytes);
      expect((await parser.parse({ path: file, name }, LIMITS)).text).toContain('arbour');
    }
  });
});

const endOf = (error: unknown): string => {
  if (!(error instanceof CodedError)) return `without a code: ${String(error)}`;
  return /^The process that read/.test(error.message) ? `a crash: ${error.message}` : error.code;
};

/** The most memory that one of this process's children had at any time, in MB; 0 where Linux does not tell. */
const peakOfChildren = async (): Promise<number> => {
  const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').catch(() => '');
  const peaks = children.split(' ').map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  });
  return Math.max(...(await Promise.all(peaks)));
};

const report = (outcomes: readonly Outcome[], peakMb: number): string => {
  const ends = new Map<string, number>();
  for (const { end } of outcomes) ends.set(end, (ends.get(end) ?? 0) + 1);
  const counts = [...ends].map(([end, count]) => `${count} ${end}`);
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, 3);
  const lines = slowest.map(({ seed, what, end, ms }) => `${Math.round(ms)} ms: seed ${seed}, ${what} (${end})`);
  return [counts.join(', '), `at most ${Math.round(peakMb)} MB in a process`, ...lines].join('\n');
};
