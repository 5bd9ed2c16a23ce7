/** An entity with the paragraphs that name it. */
export interface NamedIn {
  id: string;
  key: string;
  name: string;
  paragraphs: readonly string[];
}

export interface RankedParagraph {
  id: string;
  /** 0…1 within one question. */
  score: number;
  /** Names of the entities that gave it, what gave most first. */
  names: string[];
}

/** What a neighbour counts beside what the question itself names. */
const NEIGHBOUR = 0.25;

/**
 * Paragraphs by the entities that they name: of those of the question the share that they have, the rarer the more it
 * counts (1 / ln(e + n) for n paragraphs); and with a quarter of that weight their neighbours', which bring paragraphs
 * that name none of them.
 */
export const rankByEntities = (
  asked: readonly NamedIn[],
  neighbours: readonly NamedIn[],
  most: number,
): RankedParagraph[] => {
  const rarity = ({ paragraphs }: NamedIn): number => 1 / Math.log(Math.E + paragraphs.length);
  const whole = (entities: readonly NamedIn[]): number => entities.reduce((sum, one) => sum + rarity(one), 0);
  const scores = new Map<string, { score: number; names: string[] }>();
  const count = (entities: readonly NamedIn[], share: number): void => {
    const total = whole(entities);
    for (const entity of [...entities].sort((a, b) => rarity(b) - rarity(a) || (a.id < b.id ? -1 : 1)))
      for (const paragraph of entity.paragraphs) {
        const { score, names } = scores.get(paragraph) ?? { score: 0, names: [] };
        scores.set(paragraph, { score: score + (share * rarity(entity)) / total, names: [...names, entity.name] });
      }
  };
  const [own, theirs] = neighbours.length > 0 ? [1 - NEIGHBOUR, NEIGHBOUR] : [1, 0];
  count(asked, own);
  if (theirs > 0) count(neighbours, theirs);
  return [...scores]
    .map(([id, { score, names }]) => ({ id, score: Math.min(1, score), names }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, most);
};
