// Shows that composite search with the extractive enricher's facets is never below paragraph + BM25: on every
// evaluation set, by hit@1 and nDCG@10, against the best of RRF (k 60) and weighted z-scores. Exit code 1 where it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { embedWhole } from '@postmaster/embedding';
import { extractiveFacets } from '@postmaster/enrichment';
import {
  byComposite,
  byParagraph,
  byRankFusion,
  byWeightedScores,
  byWords,
  meanScores,
  readSet,
  scoresOf,
} from '@postmaster/evaluation';
import { miniLM } from '@postmaster/models';
import { fuseScores } from '@postmaster/retrieval';

const DATA = join(import.meta.dirname, '..', '..', 'shared', 'data');
const SETS = ['xquad-en', 'xquad-da'];
/** Of the vector, where BM25 has 1: the rival may choose its best. */
const WEIGHTS = [0.5, 0.8, 1, 1.5, 2];
const NEIGHBOUR_CHARACTERS = 300;
const METRICS_SHOWN = ['hit@1', 'ndcg@10', 'mrr@10', 'recall@20'];

const missing = SETS.filter((name) => !existsSync(join(DATA, name)));
if (missing.length > 0) {
  console.log(`Skipped: ${missing.join(' and ')} not found in ${DATA}.`);
  process.exit(0);
}

const began = performance.now();
const encoder = await miniLM();
const below = [];
try {
  for (const name of SETS) below.push(...(await evaluate(await readSet(join(DATA, name)))));
} finally {
  await encoder.close();
}
console.log(`\n${((performance.now() - began) / 1000).toFixed(0)} s`);
for (const one of below) console.error(`Below paragraph + BM25: ${one}`);
process.exitCode = below.length > 0 ? 1 : 0;

/** Prints the set's table and returns what is below the bar. */
async function evaluate(set) {
  const paragraphVectors = await vectorsOf(set.paragraphs.map(({ text }) => text));
  const questions = (
    await vectorsOf(
      set.queries.map(({ text }) => text),
      'query',
    )
  ).map((vector, at) => ({
    text: set.queries[at].text,
    vector,
  }));
  const plain = await searched(set, paragraphVectors, []);
  const extracted = await searched(set, paragraphVectors, await extract(set));
  const recorded = await searched(set, paragraphVectors, set.recorded.map(recordedFacets));
  const score = (way) => meanScores(questions.map((question, at) => scoresOf(way(question), set.judged[at])));

  const rivals = {
    'paragraph + BM25, RRF': score(byRankFusion(plain)),
    ...Object.fromEntries(
      WEIGHTS.map((weight) => [`paragraph + BM25, z-scores ${weight} : 1`, score(byWeightedScores(plain, weight))]),
    ),
  };
  const composite = score(byComposite(extracted, fuseScores));
  print(set.name, {
    'paragraph vector': score(byParagraph(plain)),
    'BM25 of the paragraph': score(byWords(plain)),
    ...rivals,
    'composite, extractive facets': composite,
    'composite, recorded facets': score(byComposite(recorded, fuseScores)),
  });
  return ['hit@1', 'ndcg@10'].flatMap((metric) => {
    const bar = Math.max(...Object.values(rivals).map((rival) => rival[metric]));
    return composite[metric] < bar ? [`${set.name} ${metric} ${composite[metric].toFixed(4)} < ${bar.toFixed(4)}`] : [];
  });
}

async function vectorsOf(texts, as = 'passage') {
  return (await embedWhole(encoder, texts, as)).map(({ vector }) => vector);
}

async function extract({ paragraphs }) {
  const model = extractiveFacets();
  const inputs = paragraphs.map(({ title, document, text }, at) => {
    const neighbour = (one) => (one?.document === document ? one.text : '');
    const before = neighbour(paragraphs[at - 1]).slice(-NEIGHBOUR_CHARACTERS);
    const after = neighbour(paragraphs[at + 1]).slice(0, NEIGHBOUR_CHARACTERS);
    return { title, trail: [], before, text, after, language: null };
  });
  let replies = [];
  let fastest = Infinity;
  for (let pass = 0; pass < 10; pass++) {
    const start = performance.now();
    replies = await Promise.all(inputs.map((input) => model.makeFacets(input)));
    fastest = Math.min(fastest, performance.now() - start);
  }
  console.log(
    `\n${paragraphs.length} paragraphs enriched at ${((1000 * paragraphs.length) / fastest).toFixed(0)} a second`,
  );
  return replies.map(({ facets }) => ({
    simple_questions: facets.simpleQuestions.map((question) => question.text),
    complex_questions: facets.complexQuestions.map((question) => question.text),
    context: [facets.context],
    scope: [facets.scope],
  }));
}

function recordedFacets({ simple_questions, complex_questions, context, scope }) {
  return { simple_questions, complex_questions, context: [context], scope: [scope] };
}

/** The paragraphs with a vector for each text of their facets; no facets: the paragraph alone. */
async function searched({ paragraphs }, paragraphVectors, facets) {
  const vectors = (await vectorsOf(facets.flatMap((one) => Object.values(one).flat()))).values();
  return paragraphs.map(({ id, text }, at) => {
    const own = facets[at] ?? {};
    const named = Object.entries(own).map(([name, texts]) => [name, texts.map(() => vectors.next().value)]);
    return {
      id,
      text,
      facetTexts: Object.values(own).flat(),
      vectors: { paragraph: [paragraphVectors[at]], ...Object.fromEntries(named) },
    };
  });
}

function print(name, rows) {
  console.log(`\n${name.padEnd(38)}hit@1  nDCG@10  MRR@10  recall@20`);
  for (const [way, scores] of Object.entries(rows))
    console.log(
      way.padEnd(38) +
        METRICS_SHOWN.map((metric) => scores[metric])
          .map((value) => value.toFixed(4))
          .join('  '),
    );
}
