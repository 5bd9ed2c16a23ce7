import { parentPort, workerData } from 'node:worker_threads';
import { loadEncoderModel } from '../encoders/onnx-encoder-model.js';
import { loadCrossEncoder } from '../rerankers/cross-encoder-model.js';
import type { FromThread, ModelSpec, Reply, Task, ThreadData, ToThread } from './onnx-messages.js';
import { endIfStopped, inNativeCode, waitWhileHeld } from './thread-control.js';
import { yieldToOthers } from './yield-to-others.js';

const port = parentPort!; // this file is a worker's entry
const { control, bulk, model } = workerData as ThreadData; // set by onnx-thread.ts alone

type Answer = (task: Task) => Promise<Reply>;

const load = async (spec: ModelSpec): Promise<Answer> => {
  if (spec.kind === 'cross-encoder') {
    const { score } = await loadCrossEncoder(spec.profile);
    return async (task) =>
      task.kind === 'pair'
        ? { kind: 'score', score: await inNativeCode(control, () => score(task.question, task.text)) }
        : unable(task);
  }
  const { encode, windows } = await loadEncoderModel(spec.profile);
  return async (task) => {
    if (task.kind === 'pair') return unable(task);
    const { kind, text } = task;
    if (kind === 'windows') return { kind, pieces: windows(text) };
    if (kind === 'passage') waitWhileHeld(control);
    const vector = await inNativeCode(control, () => encode(text, kind));
    return typeof vector === 'number' ? { kind: 'too-long', tokens: vector } : { kind: 'vector', vector: vector.buffer };
  };
};

const unable = ({ kind }: Task): Reply => ({ kind: 'failed', why: `this model takes no ${kind}` });

const send = (message: FromThread): void =>
  port.postMessage(message, typeof message === 'object' && message.kind === 'vector' ? [message.vector] : []);

const answer = await inNativeCode(control, () => load(model));
if (bulk) yieldToOthers();
let last = Promise.resolve();
port.on('message', (message: ToThread) => {
  last = last.then(async () => {
    endIfStopped(control);
    if (message === 'wake') return;
    const failed = (error: unknown): Reply => ({ kind: 'failed', why: error instanceof Error ? error.message : String(error) });
    send(await answer(message).catch(failed));
  });
});
send('ready');
