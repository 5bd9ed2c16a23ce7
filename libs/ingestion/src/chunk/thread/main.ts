/** The thread that cuts one large document. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { CodedError } from '@postmaster/contracts';
import { STRATEGIES } from '../strategies.js';
import type { ChunkTask, ThreadAnswer } from './messages.js';

if (!parentPort) throw new Error('This runs in a worker thread only.');
const port = parentPort;
const { document, chunking, settings } = workerData as ChunkTask; // by the one that starts this thread, chunkApart

const answer = (message: ThreadAnswer): void => port.postMessage(message);
const encode = async (texts: readonly string[]): Promise<Float32Array[]> => {
  answer({ do: 'encode', texts });
  const [vectors] = (await once(port, 'message')) as [Float32Array[]]; // what chunkApart answers with
  return vectors;
};

try {
  answer({ do: 'end', paragraphs: await STRATEGIES[chunking](document, settings, encode) });
} catch (error) {
  if (error instanceof CodedError) answer({ do: 'refuse', code: error.code, message: error.message, next: error.next });
  else answer({ do: 'fail', why: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
port.close();
