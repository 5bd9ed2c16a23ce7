import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, Reply, Task, ThreadData } from './mini-lm-messages.js';
import { loadMiniLM, type MiniLMModel } from './mini-lm-model.js';
import { yieldToOthers } from './yield-to-others.js';

const port = parentPort!; // this file is a worker's entry
const { hold, bulk } = workerData as ThreadData; // set by mini-lm-thread.ts alone

const answer = async (model: MiniLMModel, { kind, text }: Task): Promise<Reply> => {
  if (kind === 'windows') return { kind, pieces: model.windows(text) };
  const vector = await model.encode(text);
  return typeof vector === 'number' ? { kind: 'too-long', tokens: vector } : { kind: 'vector', vector: vector.buffer };
};

const send = (message: FromThread): void =>
  port.postMessage(message, typeof message === 'object' && message.kind === 'vector' ? [message.vector] : []);

const model = await loadMiniLM();
if (bulk) yieldToOthers();
let last = Promise.resolve();
port.on('message', (task: Task) => {
  last = last.then(async () => {
    while (task.kind === 'passage' && Atomics.load(hold, 0) === 1) Atomics.wait(hold, 0, 1);
    send(await answer(model, task).catch((error: unknown): Reply => ({ kind: 'failed', why: String(error) })));
  });
});
send('ready');
