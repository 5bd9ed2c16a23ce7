import { afterEach, describe, expect, it } from 'vitest';
import { ENCODER_SERVICE } from '../model-service.js';
import type { ModelSpec, Reply } from './onnx-messages.js';
import type { Job } from './onnx-thread.js';
import { OnnxThreads } from './onnx-threads.js';
import type { ThreadControl } from './thread-control.js';

const BROKEN = 3; // after what ThreadControl has of its own
const newFlags = (): ThreadControl => new Int32Array(new SharedArrayBuffer(16));

/** A thread that answers with its text, ends at "crash", and can't be loaded while BROKEN is set. */
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    if (Atomics.load(workerData.control, ${BROKEN}) === 1) throw new Error('no weights');
    parentPort.on('message', (message) => {
      if (message === 'wake' || message.text === 'crash') process.exit();
      parentPort.postMessage({ kind: 'windows', pieces: [message.text] });
    });
    parentPort.postMessage('ready');`)}`,
);

/** Which the threads here never load. */
const MODEL: ModelSpec = { kind: 'cross-encoder', profile: { id: 'none', model: '', tokenizer: '', maxTokens: 1 } };

let threads: OnnxThreads;
const started = async (flags = newFlags()): Promise<void> => {
  threads = new OnnxThreads(ENTRY, flags, 1, MODEL, ENCODER_SERVICE);
  await threads.start();
};
const ask = (text: string, kind: 'query' | 'passage' = 'passage'): Promise<Reply> =>
  new Promise((settle, fail) => threads.submit([{ task: { kind, text }, settle, fail }]));

describe('the threads of a model in this process', () => {
  afterEach(() => threads.close());

  it('fail what a thread had when it crashed, and do the rest on its replacement', async () => {
    await started();
    const asked = ['before', 'crash', 'with it', 'after it', 'last'].map((text) => ask(text));
    const [before, ...others] = await Promise.allSettled(asked);
    expect(before?.status).toBe('fulfilled');
    expect(others.slice(0, 2)).toMatchObject(Array(2).fill({ reason: { code: 'ENCODER_UNREACHABLE' } }));
    expect(others.slice(2)).toMatchObject([{ value: { pieces: ['after it'] } }, { value: { pieces: ['last'] } }]);
  });

  it('say why they could not be started', async () => {
    const flags = newFlags();
    flags[BROKEN] = 1;
    await expect(started(flags)).rejects.toMatchObject({
      code: 'ENCODER_UNREACHABLE',
      message: expect.stringContaining('no weights'),
    });
  });

  it('fail what waits for a thread that can’t be replaced, while queries go on, and try again at the next call', async () => {
    const flags = newFlags();
    await started(flags);
    Atomics.store(flags, BROKEN, 1);
    const asked = await Promise.allSettled(['crash', 'second', 'waiting'].map((text) => ask(text)));
    expect(asked).toMatchObject(Array(3).fill({ reason: { code: 'ENCODER_UNREACHABLE' } }));
    expect(await ask('a question', 'query')).toMatchObject({ pieces: ['a question'] });
    Atomics.store(flags, BROKEN, 0);
    expect(await ask('again')).toMatchObject({ pieces: ['again'] });
  });

  it('never give back what was withdrawn before a thread had it', async () => {
    await started();
    const answered: string[] = [];
    const jobs = ['first', 'second', 'third'].map(
      (text): Job => ({ task: { kind: 'passage', text }, settle: () => answered.push(text), fail: () => undefined }),
    );
    threads.submit(jobs);
    threads.withdraw(jobs);
    await ask('last');
    expect(answered).toEqual(['first', 'second']); // one ran and one was queued ahead
  });
});
