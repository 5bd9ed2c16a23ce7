import type { Comparison, DecidedQuestion, EvaluationReport, Part, WayFigures } from './evaluation-report.js';
import { barChart, escaped, html, intervalChart, type Markup } from './report-markup.js';
import { type Metric, METRIC_NAMES } from './metrics.js';

/** The report as one page that needs nothing else: no script, no network; every text of the set is escaped. */
export const reportPage = (report: EvaluationReport): string => {
  const { set, paragraphs, queries, ways, ablation, withoutRepeats, notFound } = report;
  const rival = report.versus?.['ndcg@10'].rival ?? 'the best rival';
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width" />
        <title>${set}: composite retrieval and its rivals</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>${set}</h1>
        <p>${paragraphs} paragraphs, ${queries} questions with a right paragraph, facets ${report.facets}.</p>
        ${barChart('nDCG@10 by way', barsOf(ways, 'ndcg@10'))} ${barChart('hit@1 by way', barsOf(ways, 'hit@1'))}
        <h2>All ways</h2>
        ${figuresTable(Object.entries(ways))}
        <p>Times are of ${report.timed} questions that each way searched for alone, encoding included.</p>
        <h2>Composite against the best of all other ways</h2>
        ${versusPart(report)}
        <h2>Composite without one of its legs</h2>
        ${figuresTable(Object.entries(ablation).map(([leg, figures]) => [`without ${leg}`, figures] as const))}
        ${report.completionLoss === null ? html`` : html`<p>hit@1 lost to fusion over all paragraphs: ${report.completionLoss.toFixed(4)}.</p>`}
        ${
          withoutRepeats === null
            ? html``
            : html`<h2>Without questions that nearly repeat a recorded one</h2>
                <p>
                  ${withoutRepeats.queries} questions are left. A question nearly repeats where ${withoutRepeats.rule}.
                </p>
                ${figuresTable(Object.entries(withoutRepeats.ways).filter(([way]) => !way.startsWith('without-')))}
                ${versusPart(withoutRepeats)}`
        }
        <h2>Found and not found</h2>
        <p>
          Something was found (relevance from ${notFound.from} on) for ${notFound.found} of ${notFound.answerable}
          questions that have an answer here, and nothing for ${notFound.notFound} of ${notFound.unanswerable} that have
          none.
        </p>
        <h2>Won: first by composite, not by ${rival} (${report.won.length})</h2>
        ${questions(report.won, rival)}
        <h2>Lost: first by ${rival}, not by composite (${report.lost.length})</h2>
        ${questions(report.lost, rival)}
        <h2>How it was measured</h2>
        <ul>
          ${report.notes.map((note) => html`<li>${note}</li>`)}
        </ul>
        <dl>
          ${Object.entries(provenance(report)).map(
            ([name, value]) =>
              html`<dt>${name}</dt>
                <dd>${value}</dd>`,
          )}
        </dl>
      </body>
    </html> `;
  return page.markup;
};

const provenance = ({
  commit,
  encoder,
  weights,
  seed,
  data,
  enrichment,
}: EvaluationReport): Record<string, string> => ({
  commit: commit ?? 'unknown',
  encoder: `${encoder.id}, ${encoder.dimension} dimensions, hash ${encoder.hash}`,
  weights: Object.entries(weights)
    .map(([leg, weight]) => `${leg} ${weight}`)
    .join(', '),
  seed: String(seed),
  ...Object.fromEntries(Object.entries(data).map(([file, hash]) => [file, `SHA-256 ${hash}`])),
  'language model calls for facets': `${enrichment.calls}, ${enrichment.inputTokens} tokens in, ${enrichment.outputTokens} out`,
});

const barsOf = (ways: Part['ways'], metric: Metric) =>
  Object.entries(ways).map(([way, figures]) => ({
    name: way,
    value: figures[metric],
    own: way.startsWith('composite'),
  }));

const figuresTable = (rows: readonly (readonly [string, WayFigures])[]): Markup =>
  html`<table>
    <tr>
      <th>way</th>
      ${METRIC_NAMES.map((metric) => html`<th>${metric}</th>`)}
      <th>p50 ms</th>
      <th>p95 ms</th>
      <th>calls</th>
    </tr>
    ${rows.map(
      ([way, figures]) =>
        html`<tr>
          <td>${way}</td>
          ${METRIC_NAMES.map((metric) => html`<td>${figures[metric].toFixed(3)}</td>`)}
          <td>${figures.p50Ms?.toFixed(1) ?? '–'}</td>
          <td>${figures.p95Ms?.toFixed(1) ?? '–'}</td>
          <td>${figures.usage?.calls ?? 0}</td>
        </tr>`,
    )}
  </table>`;

const versusPart = ({ versus }: Part): Markup =>
  versus === null
    ? html`<p>No other way was asked.</p>`
    : html`${intervalChart(METRIC_NAMES.map((metric) => ({ name: `${metric} less ${versus[metric].rival}`, ...versus[metric].difference })))}
        <ul>
          ${METRIC_NAMES.map((metric) => html`<li>${metric}: ${said(versus[metric])}</li>`)}
        </ul>`;

const SAYS = { win: 'a win', loss: 'a loss', open: 'not decided, as zero is within' };

const said = ({ rival, difference: { mean, low, high }, verdict }: Comparison): string =>
  `composite less ${rival} is ${mean.toFixed(4)}, between ${low.toFixed(4)} and ${high.toFixed(4)}: ${SAYS[verdict]}.`;

const questions = (all: readonly DecidedQuestion[], rival: string): Markup[] =>
  all.map(
    ({ id, text, right, hits, rivalRanked }) =>
      html`<details>
        <summary>${text}</summary>
        <p>${id}; right: ${right.join(', ')}; ${rival} found ${rivalRanked.join(', ') || 'nothing'}.</p>
        <ol>
          ${hits.map(
            ({ paragraph, score, relevance, why }) =>
              html`<li>
                <b>${paragraph}</b>${right.includes(paragraph) ? ' (right)' : ''}, score ${score.toFixed(3)}, relevance
                ${relevance.toFixed(2)}
                <ul>
                  ${why.map((match) => html`<li>${match.leg}: ${match.score.toFixed(3)}, rank ${match.rank}, share ${(match.weight * match.scaled).toFixed(3)} – ${match.text ?? ''}</li>`)}
                </ul>
              </li>`,
          )}
        </ol>
      </details>`,
  );

const STYLE = escaped(`
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; }
svg { width: 100%; height: auto; font: 12px system-ui, sans-serif; }
svg .own { fill: #1f6f54; } svg .other { fill: #9aa5b1; } svg line { stroke: #1b1b1f; }
summary { cursor: pointer; } dt { font-weight: 600; } dd { overflow-wrap: anywhere; }
`);
