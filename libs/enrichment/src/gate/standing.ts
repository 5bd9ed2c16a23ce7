import type { GateGround } from './gate-ground.js';

/** How a question stands to its paragraph, compared with the other paragraphs of the document. */
export interface Standing {
  /** How many paragraphs fit better. */
  better: number;
  /** BM25: the paragraph's score by the best other's, at most 2. Vectors: how much nearer it is than the best other, −2…2. */
  lead: number;
}

const MOST_LEAD = 2;

export const lexicalStanding = ({ lexical }: Pick<GateGround, 'lexical'>, question: string): Standing => {
  const [own = 0, ...others] = lexical(question);
  const best = Math.max(0, ...others);
  return {
    better: own === 0 ? others.length : others.filter((score) => score > own).length,
    lead: best === 0 ? (own > 0 ? MOST_LEAD : 0) : Math.min(MOST_LEAD, own / best),
  };
};

/** Encoding a text costs more than all else here; where a question is another paragraph's, that is among its first. */
const RIVALS = 3;

/** The other texts that have most of a question's words, the best first. */
export const rivals = ({ texts, lexical }: Pick<GateGround, 'texts' | 'lexical'>, question: string): string[] => {
  const scores = lexical(question);
  return [...texts.keys()]
    .filter((at) => at > 0 && (scores[at] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, RIVALS)
    .map((at) => texts[at] ?? '');
};

/** Compared with the texts that have a vector; undefined where the question or the paragraph has none. */
export const vectorStanding = (
  { texts }: Pick<GateGround, 'texts'>,
  question: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Standing | undefined => {
  const asked = vectors.get(question);
  const compared = texts.map((text) => vectors.get(text));
  const [own, ...others] = compared;
  if (!asked || !own) return undefined;
  const near = cosine(asked, own);
  const rest = others.flatMap((other) => (other ? [cosine(asked, other)] : []));
  return {
    better: rest.filter((one) => one > near).length,
    lead: rest.length === 0 ? MOST_LEAD : near - Math.max(...rest),
  };
};

/** Of vectors of unit length. */
const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};
