import type { Hit, LegMatch, RerankMatch } from '../client/shapes.js';
import type { Paint } from './colours.js';
import { count } from './figures.js';
import { placeText } from './paragraph-text.js';
import { markedText } from './marked-text.js';
import { oneLine } from './printable.js';
import { table } from './table.js';
import { wrap } from './wrap.js';

export interface HitStyle {
  paint: Paint;
  columns: number | undefined;
  /** Every leg and not only the best. */
  why: boolean;
}

const TEXT_COLUMNS = 100;

export const hitText = (hit: Hit, place: number, { paint, columns, why }: HitStyle): string => {
  const { paragraph, score, relevance } = hit;
  const of = hit.kind === 'SUMMARY' ? ' · summary of the document' : '';
  const head = paint.bold(`${place}. ${placeText(paragraph)}${of}`);
  const figures = paint.dim(
    `   score ${score.toFixed(3)} · relevance ${relevance.toFixed(2)} · document ${paragraph.document?.id ?? '?'}`,
  );
  const layOut = (text: string): string => wrap(text, Math.min(columns ?? TEXT_COLUMNS, TEXT_COLUMNS), '   ');
  const text =
    paragraph.text === null
      ? layOut('(its text can not be read now)')
      : markedText(paragraph.text, hit.highlights, layOut, paint.yellow);
  return [
    head,
    figures,
    text,
    ...rerankLine(hit.rerank, paint),
    ...alsoIn(hit, paint),
    ...(why ? [legsText(hit.why, columns)] : bestReason(hit.why, paint)),
  ].join('\n');
};

const rerankLine = (rerank: RerankMatch | null | undefined, paint: Paint): string[] => {
  if (!rerank) return [];
  const { reranker, score, rank, fusedRank, verdict } = rerank;
  const moved = `rank ${rank} (was ${fusedRank}) by ${oneLine(reranker)}`;
  const said = verdict ? `grade ${verdict.grade} of 3: ${oneLine(verdict.reason)}` : score.toFixed(3);
  return [`   ${paint.cyan(`reranked: ${moved}`)}: ${said}`];
};

const alsoIn = ({ duplicates }: Hit, paint: Paint): string[] => {
  if (duplicates.length === 0) return [];
  const titles = [...new Set(duplicates.map(({ title }) => oneLine(title)))];
  return [paint.dim(`   nearly the same: ${count(duplicates.length, 'paragraph')}, in ${titles.join('; ')}`)];
};

/** The leg that gave the most to the score, and what matched there. */
export const bestLeg = (why: readonly LegMatch[]): LegMatch | undefined =>
  [...why].sort((a, b) => b.share - a.share || b.weight * b.scaled - a.weight * a.scaled)[0];

const bestReason = (why: readonly LegMatch[], paint: Paint): string[] => {
  const best = bestLeg(why);
  if (!best) return [];
  const matched = best.text === null ? '' : `: “${oneLine(best.text)}”`;
  return [`   ${paint.cyan(`why: ${legName(best.leg)}`)}${matched}`];
};

/** "simple questions" of SIMPLE_QUESTIONS */
const legName = (leg: string): string => leg.toLowerCase().replaceAll('_', ' ');

const legsText = (why: readonly LegMatch[], columns: number | undefined): string =>
  table(
    [
      { title: '   leg' },
      { title: 'score', right: true },
      { title: 'scaled', right: true },
      { title: 'rank', right: true },
      { title: 'weight', right: true },
      { title: 'share', right: true },
      { title: 'what matched', shrinks: true },
    ],
    why.map(({ leg, score, scaled, rank, weight, share, text }) => [
      `   ${legName(leg)}`,
      score.toFixed(3),
      scaled.toFixed(3),
      String(rank ?? '–'),
      weight.toFixed(3),
      share.toFixed(3),
      oneLine(text ?? ''),
    ]),
    columns,
  );
