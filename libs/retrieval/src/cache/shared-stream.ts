/** A stream that is produced once and read by any number, each from its beginning, those who come late too. */
export interface SharedStream<T> {
  /** Ends early where `signal` is aborted. When the last reader has left before the end, nothing more is produced. */
  read(signal?: AbortSignal): AsyncGenerator<T, void, undefined>;
  /** False once it was given up. */
  readonly whole: boolean;
}

export const sharedStream = <T>(
  produce: (signal: AbortSignal) => AsyncIterable<T>,
  onEnd: (items: readonly T[] | undefined) => void,
): SharedStream<T> => {
  const items: T[] = [];
  const left = new AbortController();
  let readers = 0;
  let end: { error?: unknown } | undefined;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };
  const pump = async (): Promise<void> => {
    try {
      for await (const item of produce(left.signal)) {
        items.push(item);
        wake();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    onEnd('error' in end || left.signal.aborted ? undefined : items);
    wake();
  };
  void pump();
  return {
    get whole() {
      return !left.signal.aborted;
    },
    read: async function* (signal) {
      readers++;
      signal?.addEventListener('abort', wake, { once: true });
      try {
        for (let next = 0; !signal?.aborted;) {
          if (next < items.length) yield items[next++] as T;
          else if (!end) await new Promise<void>((resolve) => (waiting = [...waiting, resolve]));
          else if ('error' in end) throw end.error;
          else return;
        }
      } finally {
        signal?.removeEventListener('abort', wake);
        if (--readers === 0 && !end) left.abort();
      }
    },
  };
};
