import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, Reply, Task, ThreadData, ToThread } from './mini-lm-messages.js';
import { loadMiniLM, type MiniLMModel } from './mini-lm-model.js';
import { endIfStopped, inNativeCode, waitWhileHeld } from './thread-control.js';
import { yieldToOthers } from './yield-to-others.js';

const port = parentPort!; // this file is a worker's entry
const { control, bulk } = workerData as ThreadData; // set by mini-lm-thread.ts alone

const answer = async (model: MiniLMModel, { kind, text }: Task): Promise<Reply> => {
  if (kind === 'windows') return { kind, pieces: model.windows(text) };
  if (kind === 'passage') waitWhileHeld(control);
  const vector = await inNativeCode(control, () => model.encode(text));
  return typeof vector === 'number' ? { kind: 'too-long', tokens: vector } : { kind: 'vector', vector: vector.buffer };
};

const send = (message: FromThread): void =>
  port.postMessage(message, typeof message === 'object' && message.kind === 'vector' ? [message.vector] : []);

const model = await inNativeCode(control, loadMiniLM);
if (bulk) yieldToOthers();
let last = Promise.resolve();
port.on('message', (message: ToThread) => {
  last = last.then(async () => {
    endIfStopped(control);
    if (message === 'wake') return;
    send(await answer(model, message).catch((error: unknown): Reply => ({ kind: 'failed', why: String(error) })));
  });
});
send('ready');
