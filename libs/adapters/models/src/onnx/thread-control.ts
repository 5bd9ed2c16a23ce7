/** What the encoder's threads share with their owner: whether to pause, whether to end, and how many are in native code. */
export type ThreadControl = Int32Array<SharedArrayBuffer>;

const HOLD = 0;
const STOP = 1;
const BUSY = 2;

export const newControl = (): ThreadControl => new Int32Array(new SharedArrayBuffer(12));

export const setHold = (control: ThreadControl, held: boolean): void => {
  Atomics.store(control, HOLD, held ? 1 : 0);
  if (!held) Atomics.notify(control, HOLD);
};

/** From here on no thread enters native code; those that wait end. */
export const stopThreads = (control: ThreadControl): void => {
  Atomics.store(control, STOP, 1);
  setHold(control, false);
};

/** Blocks its caller, for `ms` at most, until no thread is in native code: ended there, it would abort the process. */
export const waitForNativeCode = (control: ThreadControl, ms: number): void => {
  const deadline = Date.now() + ms;
  for (let busy = Atomics.load(control, BUSY); busy > 0 && Date.now() < deadline; busy = Atomics.load(control, BUSY))
    Atomics.wait(control, BUSY, busy, deadline - Date.now());
};

/** For a thread: blocks while a hold lasts. */
export const waitWhileHeld = (control: ThreadControl): void => {
  while (Atomics.load(control, HOLD) === 1) Atomics.wait(control, HOLD, 1);
};

/** For a thread: does the work, or ends the thread where it was told to stop. */
export const inNativeCode = async <T>(control: ThreadControl, work: () => Promise<T>): Promise<T> => {
  Atomics.add(control, BUSY, 1); // first this and then the look at STOP, so that none slips in unseen
  try {
    if (!stopped(control)) return await work();
  } finally {
    Atomics.sub(control, BUSY, 1);
    Atomics.notify(control, BUSY);
  }
  return process.exit();
};

/** For a thread: within a worker, `process.exit` ends the thread and not the process. */
export const endIfStopped = (control: ThreadControl): void => {
  if (stopped(control)) process.exit();
};

const stopped = (control: ThreadControl): boolean => Atomics.load(control, STOP) === 1;
