import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@postmaster/contracts';
import { noOcr, openOcr } from '../ocr/ocr.js';
import { parseBytes } from '../parse-bytes.js';
import { notUnpacked, unpackTo } from '../unpacking.js';
import type { ChildMessage, ParseRequest } from './messages.js';
import { refuseNetwork } from './refuse-network.js';

/** The process that reads documents. It is given paths, answers with what they hold, and ends with its parent. */
refuseNetwork();
process.on('disconnect', () => process.exit(0));
const memoryMb = Number(process.argv[2]);
// A document may keep this thread busy for ever; the other one still sees the memory grow and the parent die.
new Worker(new URL('./watchdog.js', import.meta.url), { workerData: { memoryMb, parent: process.ppid } }).unref();

const send = (message: ChildMessage): void => void process.send?.(message);

/** Tells that a page begins. What is sent leaves only when this thread is free, and recognition keeps it busy. */
const sendPage = async (): Promise<void> => {
  send({ kind: 'page' });
  await setImmediate();
};

const answer = async ({ path, name, declaredType, spool, ocr: settings }: ParseRequest): Promise<ChildMessage> => {
  const ocr = settings ? openOcr(settings, sendPage) : noOcr;
  try {
    const unpacking =
      spool === undefined
        ? notUnpacked()
        : unpackTo((place, bytes) => writeFileSync(join(spool, String(place)), bytes, { flag: 'wx' }));
    return { kind: 'parsed', document: await parseBytes(await readFile(path), name, declaredType, unpacking, ocr) };
  } catch (error) {
    if (!(error instanceof CodedError)) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: 'failed', code: 'INTERNAL', message, next: '', coded: false };
    }
    // What a library threw may have left its module's state behind.
    return { kind: 'failed', ...error.toFailure(), code: error.code, coded: error.cause === undefined };
  } finally {
    await ocr.end();
  }
};

process.on('message', (request: ParseRequest) => void answer(request).then(send));
send({ kind: 'ready' });
