/** Runs what is asked for under one name one after another, in the order it was asked for; other names don't wait. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>();

  run<T>(name: string, act: () => Promise<T>): Promise<T> {
    const before = this.last.get(name) ?? Promise.resolve();
    const mine = before.then(act, act);
    this.last.set(name, mine);
    const forget = (): void => {
      if (this.last.get(name) === mine) this.last.delete(name);
    };
    mine.then(forget, forget);
    return mine;
  }

  /** Resolves when everything asked for so far has ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.last.values());
  }
}
