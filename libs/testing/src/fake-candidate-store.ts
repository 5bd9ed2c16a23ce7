import {
  kindOf,
  type Leg,
  NAMED_VECTORS,
  type PointPayload,
  type SearchFilter,
  type TenantId,
} from '@postmaster/contracts';
import type { Candidate, CandidateStore, ParagraphChoice, Probe, Scored } from '@postmaster/retrieval';

export interface FakePoint {
  id: string;
  payload: PointPayload;
  /** Unit-length; a question leg has a list of them. Absent: none yet. */
  vectors: {
    paragraph?: Float32Array;
    simple_questions?: Float32Array[];
    complex_questions?: Float32Array[];
    context?: Float32Array;
    scope?: Float32Array;
  };
}

/** A payload with every field, for the few that a test is about. */
export const pointPayload = (given: Partial<PointPayload> & Pick<PointPayload, 'text'>): PointPayload => ({
  document: 'd1',
  version: 1,
  active: true,
  title: 'Untitled',
  contentType: 'text/plain',
  language: 'en',
  sourceType: 'upload',
  sourceId: 'd1.txt',
  collection: null,
  createdAt: null,
  addedAt: '2026-01-01T00:00:00.000Z',
  metadata: {},
  position: 0,
  page: null,
  start: 0,
  end: given.text.length,
  trail: [],
  simpleQuestions: [],
  complexQuestions: [],
  context: '',
  scope: '',
  ...given,
});

/** A candidate store in memory: exact cosines, and BM25 (k1 1.2, b .75) over paragraph and facets. One index. */
export class FakeCandidateStore implements CandidateStore {
  private readonly points = new Map<TenantId, Map<string, FakePoint>>();
  /** What was asked of it, in order. */
  readonly calls: string[] = [];

  put(tenant: TenantId, point: FakePoint): void {
    const own = this.points.get(tenant) ?? new Map<string, FakePoint>();
    this.points.set(tenant, own.set(point.id, point));
  }

  remove(tenant: TenantId, id: string): void {
    this.points.get(tenant)?.delete(id);
  }

  async candidates(tenant: TenantId, _index: string, probe: Probe, perLeg: number) {
    const { kind = 'paragraph' } = probe;
    this.calls.push(kind === 'summary' ? 'summaries' : 'candidates');
    const scored = this.score(tenant, probe).filter(({ payload }) => kindOf(payload) === kind);
    const lists: Partial<Record<Leg, Scored[]>> = {};
    for (const leg of probe.legs) {
      const list = scored.flatMap(({ id, scores }) => {
        const score = scores[leg];
        return score === undefined || (leg === 'lexical' && score === 0) ? [] : [{ id, score }];
      });
      lists[leg] = list.sort((a, b) => b.score - a.score).slice(0, perLeg);
    }
    return lists;
  }

  async complete(tenant: TenantId, _index: string, probe: Probe, ids: readonly string[]) {
    this.calls.push('complete');
    return this.score(tenant, probe).filter(({ id }) => ids.includes(id));
  }

  async read(tenant: TenantId, _index: string, { ids, spans, filter, vectors }: ParagraphChoice, most: number) {
    this.calls.push('read');
    return this.active(tenant, filter)
      .filter(({ payload }) => kindOf(payload) === 'paragraph')
      .filter(({ id }) => ids?.includes(id) ?? true)
      .filter(
        ({ payload: { document, position } }) =>
          spans?.some((span) => span.document === document && span.from <= position && position <= span.to) ?? true,
      )
      .sort(({ payload: a }, { payload: b }) =>
        a.document !== b.document
          ? a.document < b.document
            ? -1
            : 1
          : a.version - b.version || a.position - b.position,
      )
      .slice(0, most)
      .map(({ id, payload, vectors: { paragraph } }) => ({ id, payload, vector: (vectors && paragraph) || null }));
  }

  private active(tenant: TenantId, filter?: SearchFilter): FakePoint[] {
    const all = [...(this.points.get(tenant)?.values() ?? [])];
    return all.filter(({ payload }) => payload.active && (!filter || passes(payload, filter)));
  }

  private score(tenant: TenantId, probe: Probe): Candidate[] {
    const collection = this.active(tenant);
    const paragraphs = collection.filter(({ payload }) => kindOf(payload) === 'paragraph');
    const lexical = bm25(paragraphs.map(({ payload }) => lexicalWords(payload)));
    const asked = wordsOf(probe.text);
    const passing = new Set(this.active(tenant, probe.filter));
    return collection.flatMap((point) => {
      if (!passing.has(point)) return [];
      const candidate: Candidate = { id: point.id, payload: point.payload, scores: {}, matched: {} };
      for (const leg of probe.legs) {
        if (leg === 'lexical') candidate.scores.lexical = lexical(asked, lexicalWords(point.payload));
      }
      for (const leg of NAMED_VECTORS) {
        const vectors = point.vectors[leg];
        if (!vectors || !probe.legs.includes(leg)) continue;
        if (vectors instanceof Float32Array) {
          candidate.scores[leg] = dot(probe.vector, vectors);
        } else if (vectors.length > 0 && (leg === 'simple_questions' || leg === 'complex_questions')) {
          const cosines = vectors.map((vector) => dot(probe.vector, vector));
          candidate.scores[leg] = Math.max(...cosines);
          candidate.matched[leg] = cosines.indexOf(Math.max(...cosines));
        }
      }
      return [candidate];
    });
  }
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

const lexicalWords = ({ text, simpleQuestions, complexQuestions, context, scope }: PointPayload): string[] =>
  wordsOf([text, ...simpleQuestions, ...complexQuestions, context, scope].join(' '));

const bm25 = (texts: readonly string[][]) => {
  const mean = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, texts.length);
  return (asked: readonly string[], text: readonly string[]): number => {
    let score = 0;
    for (const word of new Set(asked)) {
      const times = text.filter((other) => other === word).length;
      const holding = texts.filter((other) => other.includes(word)).length;
      const idf = Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
      score += (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * text.length) / mean));
    }
    return score;
  };
};

const passes = (payload: PointPayload, filter: SearchFilter): boolean => {
  const among = (list: readonly string[] | undefined, value: string | null) =>
    list === undefined || (value !== null && list.includes(value));
  const within = (from: string | undefined, to: string | undefined, value: string | null) =>
    (from === undefined || (value !== null && value >= from)) && (to === undefined || (value !== null && value < to));
  const title = wordsOf(payload.title);
  return (
    among(filter.documents, payload.document) &&
    among(filter.collections, payload.collection) &&
    among(filter.sourceTypes, payload.sourceType) &&
    among(filter.contentTypes, payload.contentType) &&
    among(filter.languages, payload.language) &&
    within(filter.createdFrom, filter.createdTo, payload.createdAt) &&
    within(filter.addedFrom, filter.addedTo, payload.addedAt) &&
    (filter.titleWords ?? []).every((word) => title.includes(word.toLowerCase())) &&
    (filter.metadata ?? []).every(({ key, value }) => payload.metadata[key] === value)
  );
};
