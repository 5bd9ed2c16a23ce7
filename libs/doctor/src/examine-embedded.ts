import { readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Holder, holderOf, readDataVersion } from '@postmaster/database';
import { indexOf } from '@postmaster/embedding';
import { healthVerdict } from './ask-health.js';
import { check } from './check.js';
import { folderSize } from './folder-size.js';
import type { EncoderFacts } from './examine-encoder.js';
import { fail, type Finding, ok, skipped, type Verdict, warn } from './finding.js';
import { count, size } from './figures.js';
import { type LanceIndex, readIndexes } from './read-indexes.js';
import type { Patient } from './patient.js';

/** The embedded mode: its data, who runs on them, and what is indexed. */
export const examineEmbedded = async (
  patient: Patient,
  encoder: Promise<EncoderFacts | undefined>,
): Promise<Finding[]> => {
  if (patient.mode !== 'embedded') return [];
  const { data, limitMs, config } = patient;
  const there = (await stat(data).catch(() => undefined)) !== undefined;
  const holder = there ? await holderOf(data).catch(() => undefined) : undefined;
  return Promise.all([
    check('data', 2 * limitMs, () =>
      there ? dataVerdict(data) : ok(`${data} is not there yet: \`npm start\` makes it.`),
    ),
    check('server', limitMs, (signal) =>
      holder ? serverVerdict(holder, signal) : portVerdict(config.HOST, config.PORT, signal),
    ),
    check('vectors', 3 * limitMs + 2_000, async () => {
      if (!there) return skipped('There are no data yet.');
      const [indexes, facts] = [await readIndexes(join(data, 'vectors')), await encoder];
      return vectorsVerdict(indexes, facts && { ...facts, index: indexOf(facts).name });
    }),
  ]);
};

/** Throws DATA_NEWER. */
const dataVerdict = async (folder: string): Promise<Verdict> => {
  const version = await readDataVersion(folder);
  const parts = await Promise.all(
    ['rows', 'vectors', 'blobs'].map(async (part) => `${part} ${size(await folderSize(join(folder, part)))}`),
  );
  if (!version) {
    const empty = (await readdir(folder)).length === 0;
    return empty
      ? ok(`${folder} is empty: \`npm start\` fills it.`)
      : warn(
          `${folder} has no postmaster.json: no server has finished a start on it.`,
          'See whether POSTMASTER_DATA names the right folder.',
        );
  }
  return ok(`${folder}, format ${version.format}, written last by version ${version.version}: ${parts.join(', ')}.`);
};

const serverVerdict = async ({ pid, url }: Holder, signal: AbortSignal): Promise<Verdict> => {
  if (!url)
    return warn(
      `Process ${pid} runs on the data and does not answer requests yet.`,
      'Try again shortly: it is starting, or ending.',
    );
  const verdict = await healthVerdict('the server', url, signal);
  return { ...verdict, said: `Process ${pid}: ${verdict.said}` };
};

/** With nobody on the data, the port should be free for `npm start`. */
const portVerdict = async (host: string, port: number, signal: AbortSignal): Promise<Verdict> => {
  const none = 'No server runs on the data';
  if (port === 0 || !(await isTaken(host, port, signal))) return ok(`${none}; \`npm start\` starts one.`);
  return warn(
    `${none}, and another program listens at ${host}:${port}.`,
    'Set PORT to a free one, or end that program.',
  );
};

const isTaken = (host: string, port: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: host === '0.0.0.0' ? '127.0.0.1' : host, port });
    const tell = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    signal.addEventListener('abort', () => tell(false), { once: true });
    socket.once('connect', () => tell(true)).once('error', () => tell(false));
  });

/** Pure. */
export const vectorsVerdict = (
  indexes: readonly LanceIndex[],
  encoder: (EncoderFacts & { index: string }) | undefined,
): Verdict => {
  if (indexes.length === 0) return ok('Nothing is indexed yet.');
  const said = `${indexes.map(textOf).join('; ')}.`;
  const broken = indexes.find(({ broken: why }) => why !== undefined);
  if (broken)
    return fail(
      `${said} ${broken.name} can not be read: ${broken.broken}.`,
      'Stop the server, keep a copy of the folder, and restore it from a backup or take the documents in again.',
    );
  if (encoder && !indexes.some(({ name }) => name === encoder.index))
    return fail(
      `${said} The encoder is ${encoder.id} (${encoder.dimension} dimensions), and none of them is its: searches end in DIMENSION_MISMATCH.`,
      'Restore the encoder that the documents were taken in with (ENCODER_MODEL), or use another data folder.',
    );
  return ok(said);
};

const textOf = ({ name, tables, rows, journal }: LanceIndex): string =>
  `${name}: ${count(rows, 'paragraph')} of ${count(tables, 'tenant')}${journal > 0 ? `, and ${size(journal)} of later changes in the journal` : ''}`;
