/** Calls that can be ended from two sides: by their caller's signal, and all at once. */
export class OpenCalls {
  private readonly open = new Set<AbortController>();
  private ended: Error | undefined;

  /** Rejects as soon as the call is ended, whatever `work` still waits for. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.ended) throw this.ended;
    signal?.throwIfAborted();
    const call = new AbortController();
    const end = (): void => call.abort(signal?.reason);
    this.open.add(call);
    signal?.addEventListener('abort', end);
    try {
      return await new Promise<T>((resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(call.signal.reason));
        work(call.signal).then(resolve, reject);
      });
    } finally {
      this.open.delete(call);
      signal?.removeEventListener('abort', end);
    }
  }

  endAll(reason: Error): void {
    this.ended ??= reason;
    for (const call of this.open) call.abort(reason);
  }
}
