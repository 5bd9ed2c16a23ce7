const FAILURES = 3;
export const REST_MS = 30_000;

/** Stops asking what failed three times in a row: for 30 s nobody asks, then one tries for all. */
export class Circuit {
  private failures = 0;
  private restsUntil = -Infinity;

  constructor(private readonly now: () => number) {}

  /** Whether to ask; where a rest has just ended, true for one caller only. */
  mayAsk(): boolean {
    if (this.failures < FAILURES) return true;
    if (this.now() < this.restsUntil) return false;
    this.rest();
    return true;
  }

  answered(): void {
    this.failures = 0;
  }

  failed(): void {
    if (++this.failures >= FAILURES) this.rest();
  }

  private rest(): void {
    this.restsUntil = this.now() + REST_MS;
  }
}
