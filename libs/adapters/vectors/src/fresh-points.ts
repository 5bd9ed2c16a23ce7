import { type NamedVector, NAMED_VECTORS } from '@postmaster/contracts';
import { dot } from './cosine.js';
import type { CountedPoint } from './stored-point.js';
import { VectorShelf } from './vector-shelf.js';

/** A changed point; without `after` it is removed. */
export interface PointState {
  id: string;
  after: CountedPoint | undefined;
}

/** A point with the lengths of its vectors, so that a cosine costs one pass. */
export interface FreshPoint extends CountedPoint {
  lengths: Record<NamedVector, readonly number[]>;
}

/**
 * The points that changed since the table in LanceDB was last brought up to date, as they are now. For these ids the
 * table's rows count for nothing. One of these belongs to one version of the table: when the table has taken them in,
 * a new one takes its place, so that a search that is under way ends on what it began with.
 */
export class FreshPoints {
  private readonly states = new Map<string, FreshPoint | undefined>();
  private readonly shelves = named(() => new VectorShelf());
  /** How many vectors are held. */
  vectors = 0;

  get size(): number {
    return this.states.size;
  }

  /** Whether the table's row of this id is out of date. */
  has(id: string): boolean {
    return this.states.has(id);
  }

  get(id: string): FreshPoint | undefined {
    return this.states.get(id);
  }

  /** Vectors are copied, but for those that are held for the point already. */
  set({ id, after }: PointState): void {
    const before = this.states.get(id);
    const point = after && this.fresh(after, before);
    this.vectors += vectorsIn(point) - vectorsIn(before);
    this.states.set(id, point);
  }

  present(): FreshPoint[] {
    return [...this.states.values()].filter((point) => point !== undefined);
  }

  /** Of present and removed points alike. */
  ids(): string[] {
    return [...this.states.keys()];
  }

  removed(): string[] {
    return [...this.states].flatMap(([id, point]) => (point ? [] : [id]));
  }

  private fresh(point: CountedPoint, before: FreshPoint | undefined): FreshPoint {
    const vectors = named((name) => {
      const held = new Set(before?.vectors[name]);
      return point.vectors[name].map((vector) => (held.has(vector) ? vector : this.shelves[name].place(vector)));
    });
    return {
      ...point,
      vectors,
      lengths: named((name) => vectors[name].map((vector) => Math.sqrt(dot(vector, vector)))),
    };
  }
}

const named = <T>(of: (name: NamedVector) => T): Record<NamedVector, T> =>
  Object.fromEntries(NAMED_VECTORS.map((name) => [name, of(name)])) as Record<NamedVector, T>; // each of its names

const vectorsIn = (point: FreshPoint | undefined): number =>
  point ? NAMED_VECTORS.reduce((sum, name) => sum + point.vectors[name].length, 0) : 0;
