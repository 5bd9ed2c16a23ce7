/** Lets so many in at once; interactive work goes before bulk. */
export interface ModelGate {
  /** Resolves with the way out. */
  enter(urgent: boolean): Promise<() => void>;
}

export const modelGate = (places: number): ModelGate => {
  const waiting = { urgent: [] as (() => void)[], other: [] as (() => void)[] };
  let free = places;
  const leave = (): void => {
    const next = waiting.urgent.shift() ?? waiting.other.shift();
    if (next) next();
    else free++;
  };
  /** Its holder's place goes on to the next in line, once. */
  const wayOut = (): (() => void) => {
    let inside = true;
    return () => {
      if (inside) leave();
      inside = false;
    };
  };
  return {
    enter: async (urgent) => {
      if (free > 0) free--;
      else await new Promise<void>((enter) => waiting[urgent ? 'urgent' : 'other'].push(enter));
      return wayOut();
    },
  };
};
