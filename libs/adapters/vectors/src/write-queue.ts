interface Waiting<Item> {
  items: readonly Item[];
  work?: () => Promise<void>;
  done: () => void;
  failed: (reason: unknown) => void;
}

/**
 * One line of work, in the order it was asked for. Items that wait next to each other are written together, at most
 * `most` in one go unless one call brings more; each call settles with the write that carried it. Writing the same items again must be harmless.
 */
export class WriteQueue<Item> {
  private readonly waiting: Waiting<Item>[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly write: (items: readonly Item[]) => Promise<void>,
    private readonly most: number,
  ) {}

  add(items: readonly Item[]): Promise<void> {
    return new Promise((done, failed) => this.enqueue({ items, done, failed }));
  }

  /** Work that nothing is written beside. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, failed) => {
      let result: T;
      const keep = async (): Promise<void> => {
        result = await work();
      };
      this.enqueue({ items: [], work: keep, done: () => resolve(result), failed });
    });
  }

  /** Resolves when nothing waits or runs. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private enqueue(entry: Waiting<Item>): void {
    this.waiting.push(entry);
    this.running ??= this.drain();
  }

  private async drain(): Promise<void> {
    for (let turn = this.next(); turn.length > 0; turn = this.next()) await this.settle(turn);
    this.running = undefined; // in the same step that found nothing waiting
  }

  /** What fails together is tried call by call, so that nobody fails for a neighbour. */
  private async settle(turn: readonly Waiting<Item>[]): Promise<void> {
    try {
      await (turn[0]?.work?.() ?? this.write(turn.flatMap(({ items }) => items)));
      for (const { done } of turn) done();
    } catch (reason) {
      if (turn.length > 1) for (const entry of turn) await this.settle([entry]);
      else turn[0]?.failed(reason);
    }
  }

  /** The first in line, with the writes right behind it that still fit. */
  private next(): Waiting<Item>[] {
    let end = 1;
    let size = this.waiting[0]?.items.length ?? 0;
    if (!this.waiting[0]?.work)
      for (let entry = this.waiting[end]; entry && !entry.work; entry = this.waiting[++end]) {
        size += entry.items.length;
        if (size > this.most) break;
      }
    return this.waiting.splice(0, end);
  }
}
