import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { CodedError } from '@postmaster/contracts';
import type { ChunkedParagraph, EncodePassages } from '../chunker.js';
import type { ChunkTask, ThreadAnswer } from './messages.js';

/** A thread runs compiled code only, also when this file is run from its source, as tests do. */
const entryFile = (): URL => {
  const own = new URL('./main.js', import.meta.url);
  const entry = existsSync(own) ? own : new URL('../../../dist/chunk/thread/main.js', import.meta.url);
  if (!existsSync(entry))
    throw new Error(`${fileURLToPath(entry)} is missing. Build the workspace first: npm run build`);
  return entry;
};

/**
 * Cuts a document in a thread of its own, which ends with it, so that nothing waits behind a large one. Throws what the
 * strategy, or `encode`, throws.
 */
export const chunkApart = (task: ChunkTask, encode: EncodePassages): Promise<ChunkedParagraph[]> => {
  const worker = new Worker(entryFile(), { workerData: task, execArgv: [] });
  return new Promise<ChunkedParagraph[]>((resolve, reject) => {
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.do === 'end') resolve(answer.paragraphs);
      else if (answer.do === 'encode') encode(answer.texts).then((vectors) => worker.postMessage(vectors), reject);
      else if (answer.do === 'fail') reject(new Error(`The document could not be cut: ${answer.why}`));
      else reject(new CodedError(answer.code, answer.message, { next: answer.next }));
    });
    worker.on('error', (cause) => reject(new Error('The thread that cut the document died.', { cause })));
    worker.on('exit', () => reject(new Error('The thread that cut the document ended without an answer.')));
  }).finally(() => worker.terminate());
};
