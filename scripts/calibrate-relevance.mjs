// Fits the constants of libs/retrieval/src/relevance-calibration.ts and says how well they tell what is there from what
// is not: a question with its right paragraph against the best that is left when its whole article is taken out; both
// in the whole set and in small tenants made of one paragraph, of one article (5 paragraphs) and of five. Nothing is
// fitted on what is left when the right paragraph alone is taken out, which is of the same subject: it is only counted.
//   node scripts/calibrate-relevance.mjs [--cache FOLDER]     (the cache keeps vectors between runs)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { embedWhole } from '@postmaster/embedding';
import { extractiveFacets } from '@postmaster/enrichment';
import { bm25, readSet } from '@postmaster/evaluation';
import { miniLM } from '@postmaster/models';
import { FOUND, fuseScores, relevanceFeatures, relevanceOf, weighedWords } from '@postmaster/retrieval';

const DATA = join(import.meta.dirname, '..', '..', 'shared', 'data');
const LANGUAGES = ['en', 'da'];
const MODES = ['recorded', 'extractive', 'text only'];
const PER_LEG = 50;
const HITS = 5;
const FOLDS = 4;
const THRESHOLDS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5];
const SIZES = [1, 5, 25, 240];
const FEATURES = ['intercept', 'share', 'closest', 'missing', 'paragraph', 'facet', 'candidates'];

if (LANGUAGES.some((language) => !existsSync(join(DATA, `xquad-${language}`)))) {
  console.log(`Skipped: the evaluation sets are not found in ${DATA}.`);
  process.exit(0);
}

const encoder = await miniLM();
const sets = new Map();
try {
  for (const language of LANGUAGES)
    for (const [mode, cases] of await casesOf(language)) sets.set(`${language}, ${mode}`, cases);
} finally {
  await encoder.close();
}

const groups = {
  'en withFacets': named((name) => name.startsWith('en') && !name.endsWith('text only')),
  'en textOnly': named((name) => name === 'en, text only'),
  'other withFacets': named((name) => name.startsWith('da') && !name.endsWith('text only')),
  'other textOnly': named((name) => name === 'da, text only'),
  words: named(() => true).map(([name, cases]) => [`${name} (words)`, cases.map(withoutCosines)]),
};
console.log('fitted on all:');
for (const [name, group] of Object.entries(groups)) console.log(`  ${name}`, rounded(fit(group, () => true)));

report('cross-validated by article (4 folds)', (group) => {
  const folds = Array.from({ length: FOLDS }, (_, fold) => fit(group, ({ article }) => article % FOLDS !== fold));
  return (features, { article }) => logistic(folds[article % FOLDS], vectorOf(features));
});
report('with the constants in the code', (group, name) => {
  const id = group === groups.words ? 'an encoder without calibration' : encoder.id;
  return (features) => relevanceOf(id, name.slice(0, 2), features);
});

/** Prints for each set how many are wrongly not found (rightful questions) and wrongly found, at each threshold. */
function report(title, train) {
  const scored = Object.values(groups).flatMap((group) =>
    group.map(([name, cases]) => ({ name, cases, score: train(group, name) })),
  );
  console.log(`\n${title}, the whole set: % wrongly not found / wrongly found without the article / the paragraph`);
  print(THRESHOLDS.map((threshold) => `≥ ${threshold}`));
  for (const { name, cases, score } of scored)
    print(
      THRESHOLDS.map((threshold) => `${rates(cases, score, 240, threshold)} / ${nearRate(cases, score, threshold)}`),
      name,
    );
  console.log(`\n${title}, by paragraphs in the tenant, ≥ ${FOUND}`);
  print(SIZES);
  for (const { name, cases, score } of scored)
    print(
      SIZES.map((size) => rates(cases, score, size, FOUND)),
      name,
    );
}

function nearRate(cases, score, threshold) {
  return percent(cases, (one) => one.near.some((features) => score(features, one) >= threshold));
}

function print(columns, name = '') {
  console.log(name.padEnd(24) + columns.map((column) => String(column).padStart(20)).join(''));
}

function rates(cases, score, size, threshold) {
  const found = (one, hits) => hits.some((features) => score(features, one) >= threshold);
  const missed = percent(cases, (one) => !found(one, one.there[size]));
  return `${missed} / ${percent(cases, (one) => found(one, one.gone[size]))}`;
}

function named(chosen) {
  return [...sets].filter(([name]) => chosen(name));
}

function percent(list, holds) {
  return ((100 * list.filter(holds).length) / list.length).toFixed(1);
}

/** Logistic regression by Newton's method: the right paragraph against the best of what is left without its article. */
function fit(group, chosen) {
  const rows = group
    .flatMap(([, cases]) => cases)
    .filter(chosen)
    .flatMap(({ right, gone }) =>
      SIZES.flatMap((size) => [
        { x: vectorOf({ ...right, candidates: gone[size][0].candidates }), y: 1 },
        { x: vectorOf(gone[size][0]), y: 0 },
      ]),
    );
  const size = FEATURES.length;
  let weights = new Array(size).fill(0);
  for (let round = 0; round < 30; round++) {
    const gradient = weights.map((weight) => 1e-3 * weight);
    const hessian = weights.map((_, i) => weights.map((__, j) => (i === j ? 1e-3 : 0)));
    for (const { x, y } of rows) {
      const p = logistic(weights, x);
      for (let i = 0; i < size; i++) {
        gradient[i] += (p - y) * x[i];
        for (let j = 0; j < size; j++) hessian[i][j] += p * (1 - p) * x[i] * x[j];
      }
    }
    const step = solve(hessian, gradient);
    weights = weights.map((weight, i) => weight - step[i]);
    if (Math.max(...step.map(Math.abs)) < 1e-7) break;
  }
  return weights;
}

/** What an encoder that nobody has calibrated leaves to go by. */
function withoutCosines({ article, right, there, gone, near }) {
  const blind = (features) => ({ ...features, paragraph: 0, facet: null });
  const each = (bySize) => Object.fromEntries(Object.entries(bySize).map(([size, list]) => [size, list.map(blind)]));
  return { article, right: blind(right), there: each(there), gone: each(gone), near: near.map(blind) };
}

function vectorOf({ share, closest, missing, paragraph, facet, candidates }) {
  return [1, share, closest, missing, paragraph, facet ?? 0, Math.log(candidates)];
}

function logistic(weights, x) {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += weights[i] * x[i];
  return 1 / (1 + Math.exp(-sum));
}

function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]]);
  for (let i = 0; i < rows.length; i++) {
    for (let k = 0; k < rows.length; k++) {
      if (k === i) continue;
      const factor = rows[k][i] / rows[i][i];
      for (let j = i; j <= rows.length; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
  return rows.map((row, i) => row[rows.length] / row[i]);
}

function rounded(weights) {
  return FEATURES.map((name, i) => `${name}: ${Number(weights[i].toFixed(2))}`).join(', ');
}

/** Per mode, one case per question: the features of the hits that decide. */
async function casesOf(language) {
  const set = await readSet(join(DATA, `xquad-${language}`));
  const articles = [...new Set(set.paragraphs.map(({ document }) => document))];
  const extracted = await extract(set);
  const facetsOf = { recorded: set.recorded, extractive: extracted, 'text only': set.recorded.map(() => null) };
  const texts = set.paragraphs.map(({ text }) => text);
  const all = [...new Set([...texts, ...[...set.recorded, ...extracted].flatMap(facetTexts)])];
  const passages = await vectorsOf(`${language}-passages`, all, 'passage');
  const questions = await vectorsOf(
    `${language}-queries`,
    set.queries.map(({ text }) => text),
    'query',
  );
  return MODES.map((mode) => {
    const points = set.paragraphs.map((paragraph, at) => pointOf(paragraph, facetsOf[mode][at], passages));
    const lexical = bm25(points.map(({ payload, facets }) => [payload.text, ...facetTexts(facets)].join('\n')));
    const cases = set.queries.map(({ text }, at) => {
      const [rightId] = [...set.judged[at].keys()];
      const rightAt = set.paragraphs.findIndex(({ id }) => id === rightId);
      const { document } = set.paragraphs[rightAt];
      const words = weighedWords(text);
      const bm = lexical(text);
      const scored = points.map((point, i) => ({ ...point, scores: scoresOf(point, questions.get(text), bm[i]) }));
      const hits = (list) => {
        const found = searched(list);
        const features = ({ payload, scores }) => relevanceFeatures(words, payload, scores, found.length);
        return found.slice(0, HITS).map(features);
      };
      const others = articles.filter((article) => article !== document);
      const of = (chosen) => scored.filter(({ payload }) => chosen.includes(payload.document));
      const strangers = {
        1: of([others[at % others.length]]).slice(0, 1),
        5: of([others[at % others.length]]),
        25: of([0, 9, 18, 27, 36].map((step) => others[(at + step) % others.length])),
        240: of(others),
      };
      const each = (make) => Object.fromEntries(SIZES.map((size) => [size, hits(make(size))]));
      return {
        article: articles.indexOf(document),
        right: relevanceFeatures(words, scored[rightAt].payload, scored[rightAt].scores, 1),
        there: each((size) => (size === 240 ? scored : [...strangers[size].slice(1), scored[rightAt]])),
        gone: each((size) => strangers[size]),
        near: hits(scored.filter((_, i) => i !== rightAt)),
      };
    });
    return [mode, cases];
  });
}

/** The union of each leg's best, fused: as in production, exact. */
function searched(scored) {
  const chosen = new Set();
  for (const leg of ['paragraph', 'simple_questions', 'complex_questions', 'context', 'scope', 'lexical']) {
    const able = scored.filter(({ scores }) => (leg === 'lexical' ? scores[leg] > 0 : scores[leg] !== undefined));
    for (const one of able.sort((a, b) => b.scores[leg] - a.scores[leg]).slice(0, PER_LEG)) chosen.add(one);
  }
  return fuseScores([...chosen]).map(({ candidate }) => candidate);
}

function facetTexts(facets) {
  if (!facets) return [];
  return [...facets.simple_questions, ...facets.complex_questions, facets.context, facets.scope];
}

function pointOf({ id, document, title, text }, facets, vectors) {
  return {
    id,
    facets,
    vectors: {
      paragraph: [vectors.get(text)],
      ...(facets && {
        simple_questions: facets.simple_questions.map((one) => vectors.get(one)),
        complex_questions: facets.complex_questions.map((one) => vectors.get(one)),
        context: [vectors.get(facets.context)],
        scope: [vectors.get(facets.scope)],
      }),
    },
    payload: {
      document,
      title,
      trail: [],
      text,
      simpleQuestions: facets?.simple_questions ?? [],
      complexQuestions: facets?.complex_questions ?? [],
      context: facets?.context ?? '',
      scope: facets?.scope ?? '',
    },
  };
}

function scoresOf({ vectors }, question, lexical) {
  const scores = { lexical };
  for (const [leg, list] of Object.entries(vectors))
    if (list.length > 0) scores[leg] = Math.max(...list.map((vector) => dot(question, vector)));
  return scores;
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

async function extract({ paragraphs }) {
  const model = extractiveFacets();
  return Promise.all(
    paragraphs.map(async ({ title, text }) => {
      const { facets } = await model.makeFacets({ title, trail: [], before: '', text, after: '', language: null });
      return {
        simple_questions: facets.simpleQuestions.map((question) => question.text),
        complex_questions: facets.complexQuestions.map((question) => question.text),
        context: facets.context,
        scope: facets.scope,
      };
    }),
  );
}

async function vectorsOf(name, texts, as) {
  const folder = process.argv[2] === '--cache' ? process.argv[3] : undefined;
  const file = folder && join(folder, `${name}-${encoder.id.replace(/[^\w.-]/g, '_')}`);
  let list;
  if (file && existsSync(`${file}.json`) && readFileSync(`${file}.json`, 'utf8') === JSON.stringify(texts)) {
    const bytes = readFileSync(`${file}.f32`);
    const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    list = texts.map((_, i) => all.subarray(i * encoder.dimension, (i + 1) * encoder.dimension));
  } else {
    list = (await embedWhole(encoder, texts, as)).map(({ vector }) => vector);
    if (file) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${file}.json`, JSON.stringify(texts));
      writeFileSync(`${file}.f32`, Buffer.concat(list.map((v) => Buffer.from(v.buffer, v.byteOffset, v.byteLength))));
    }
  }
  return new Map(texts.map((text, i) => [text, list[i]]));
}
