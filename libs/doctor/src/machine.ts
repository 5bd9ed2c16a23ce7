import { statfs } from 'node:fs/promises';
import { freemem, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { check } from './check.js';
import { fail, type Finding, ok, type Verdict, warn } from './finding.js';
import { isAtLeast, size } from './figures.js';
import type { Patient } from './patient.js';

const MB = 1_000_000;
/** The disk is no neighbour: what takes longer than a moment here is this process itself, loading. */
const LEAST_LIMIT_MS = 2_000;
/** What the embedded mode takes while a document is read. */
const EMBEDDED_MEMORY = 1_000 * MB;

/** Node, disk and memory of where this runs: the machine, or the container beside the services. */
export const examineMachine = (patient: Patient): Promise<Finding[]> => {
  const { data, config } = patient;
  const limitMs = Math.max(patient.limitMs, LEAST_LIMIT_MS);
  return Promise.all([
    check('node', limitMs, () => nodeVerdict(process.versions.node)),
    check('disk', limitMs, async () => {
      const { free, whole } = await diskOf(data);
      return diskVerdict({ free, whole, folder: data, largest: config.MAX_DOCUMENT_BYTES });
    }),
    check('memory', limitMs, () => {
      const limit = process.constrainedMemory(); // 0, or more than there is, where no container limits it
      const whole = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
      return memoryVerdict({ whole, free: Math.min(freemem(), whole), embedded: patient.mode === 'embedded' });
    }),
  ]);
};

export const nodeVerdict = (version: string): Verdict =>
  isAtLeast(version, 20, 19)
    ? ok(`Node ${version}.`)
    : fail(`Node ${version} runs; 20.19 or newer is needed.`, 'Install a newer Node.');

/** In bytes; `largest` is the largest document. */
export const diskVerdict = (facts: { free: number; whole: number; folder: string; largest: number }): Verdict => {
  const said = `${size(facts.free)} of ${size(facts.whole)} free for ${facts.folder}.`;
  const next = 'Make room, or set POSTMASTER_DATA to a folder on another disk.';
  if (facts.free < 2 * facts.largest)
    return fail(`${said} That is less than two of the largest documents (${size(facts.largest)}).`, next);
  return facts.free < Math.max(0.05 * facts.whole, 2_000 * MB) ? warn(said, next) : ok(said);
};

export const memoryVerdict = (facts: { whole: number; free: number; embedded: boolean }): Verdict => {
  const said = `${size(facts.free)} of ${size(facts.whole)} free.`;
  return facts.embedded && facts.whole < EMBEDDED_MEMORY
    ? warn(
        `${said} The embedded mode takes about ${size(EMBEDDED_MEMORY)} while it reads a document.`,
        'Give it more memory, or lower PARSE_MEMORY_MB.',
      )
    : ok(said);
};

/** Of the folder, or the nearest above it that is there. */
const diskOf = async (folder: string): Promise<{ free: number; whole: number }> => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, whole: blocks * bsize };
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return diskOf(above);
  }
};
