/** A hold that nobody released lapses after this long, so that a leak can't stop the bulk for ever. */
const LAPSE_MS = 2_000;

export interface PassageHold {
  /** Starts a hold; the answer ends it, and may be called twice. */
  take(): () => void;
  /** Resolves once nothing holds; at once where nothing does. */
  free(): Promise<void>;
  /** Ends every hold. */
  end(): void;
}

/** Counts the searches that want passages to pause; `changed` hears of the first and of the last one's end. */
export const passageHold = (changed: (held: boolean) => void = () => undefined): PassageHold => {
  const holds = new Map<symbol, NodeJS.Timeout>();
  let waiting: (() => void)[] = [];
  const release = (hold: symbol): void => {
    clearTimeout(holds.get(hold));
    if (!holds.delete(hold) || holds.size > 0) return;
    changed(false);
    const resumed = waiting;
    waiting = [];
    for (const resume of resumed) resume();
  };
  return {
    take: () => {
      const hold = Symbol('hold');
      holds.set(hold, setTimeout(() => release(hold), LAPSE_MS).unref());
      if (holds.size === 1) changed(true);
      return () => release(hold);
    },
    free: () => (holds.size === 0 ? Promise.resolve() : new Promise((resume) => waiting.push(resume))),
    end: () => [...holds.keys()].forEach(release),
  };
};
