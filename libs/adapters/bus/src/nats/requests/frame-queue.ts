import type { Frame } from './request-wire.js';

/** Frames that came and were not taken yet: few, because the sender waits when its window is full. */
export interface FrameQueue {
  /** The next frame; undefined once it was closed. Throws what it was failed with after the frames that came before. */
  next(): Promise<Frame | undefined>;
  push(frame: Frame): void;
  fail(error: unknown): void;
  /** Drops what is left. */
  close(): void;
}

export const frameQueue = (): FrameQueue => {
  const frames: Frame[] = [];
  let end: { error: unknown } | 'closed' | undefined;
  let wake = (): void => {};
  return {
    next: async () => {
      for (;;) {
        if (end === 'closed') return undefined;
        const frame = frames.shift();
        if (frame) return frame;
        if (end) throw end.error;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    push: (frame) => {
      frames.push(frame);
      wake();
    },
    fail: (error) => {
      end ??= { error };
      wake();
    },
    close: () => {
      end = 'closed';
      wake();
    },
  };
};
