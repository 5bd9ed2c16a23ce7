import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Compression, WorkerAnswer, WorkerRequest, WorkerStart } from './pglite-messages.js';

export interface PgliteThread {
  /** Bytes of the wire protocol in, bytes of its answer out; calls are served in order. */
  protocol(bytes: Uint8Array): Promise<Uint8Array>;
  /** The whole data folder as a tar file. */
  dump(compression: Compression): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Without its `id`, each kind of request by itself. */
type Unnumbered<R> = R extends unknown ? Omit<R, 'id'> : never;

/** A thread runs compiled code only, also when this file is run from its source, as tests do. */
const entryFile = (): URL => {
  const entry = import.meta.url.includes('/src/')
    ? new URL('../dist/pglite-worker.js', import.meta.url)
    : new URL('./pglite-worker.js', import.meta.url);
  if (!existsSync(entry))
    throw new Error(`${fileURLToPath(entry)} is missing. Build the workspace first: npm run build`);
  return entry;
};

/**
 * How much a function of PGlite has done before V8 compiles it a second time, to run faster. With V8's own figure for
 * small modules, a hundredth of this, the compiler works through most of the database in every start.
 */
const WORTH_COMPILING_AGAIN = 200_000_000;

/** Starts the database in a thread of its own and resolves when it is ready. `onStopped` hears of a death that nobody asked for. */
export const startPgliteThread = async (
  start: WorkerStart,
  onStopped: (error: Error) => void = () => {},
): Promise<PgliteThread> => {
  setFlagsFromString(`--wasm-tiering-budget=${WORTH_COMPILING_AGAIN}`);
  const worker = new Worker(entryFile(), { workerData: start, execArgv: [] });
  const waiting = new Map<number, { resolve(bytes: Uint8Array): void; reject(error: Error): void }>();
  let stopped: Error | undefined;
  let closing: Promise<void> | undefined;
  let lastId = 0;

  const answerOf = (id: number): Promise<Uint8Array> =>
    new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  const send = (request: Unnumbered<WorkerRequest>): Promise<Uint8Array> => {
    if (stopped) return Promise.reject(stopped);
    const id = ++lastId;
    worker.postMessage({ ...request, id });
    return answerOf(id);
  };
  const stop = (error: Error): void => {
    if (stopped) return;
    stopped = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    if (!closing) onStopped(error);
  };

  worker.on('message', (answer: WorkerAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('failure' in answer) asked?.reject(new Error(`The embedded database failed: ${answer.failure}`));
    else asked?.resolve(answer.bytes ?? new Uint8Array(0));
  });
  worker.on('error', (cause) => stop(new Error('The thread of the embedded database died.', { cause })));
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      stop(new Error('The embedded database is closed.'));
      resolve();
    });
  });

  await answerOf(0);
  return {
    protocol: (bytes) => send({ do: 'protocol', bytes }),
    dump: (compression) => send({ do: 'dump', compression }),
    close: () => (closing ??= send({ do: 'close' }).then(() => exited)),
  };
};
