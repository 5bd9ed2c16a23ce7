// What summaries do to the order of hits, on every evaluation set: with extractive summaries of its documents, questions
// about a paragraph must still find that one, and questions in two parts, of two paragraphs of one document, its document.
// For the weight of a summary's score (SUMMARY_WEIGHT) and others, with the recorded facets and before there are any. s@n:
// the share of questions with a summary among the first n hits.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kindOf, LEGS, SUMMARY_POSITION, summaryId, TenantId } from '@postmaster/contracts';
import { embedWhole } from '@postmaster/embedding';
import { extractSummary } from '@postmaster/enrichment';
import { meanScores, readSet, scoresOf } from '@postmaster/evaluation';
import { miniLM } from '@postmaster/models';
import {
  defaultWeights,
  fuseWithSummaries,
  gatherCandidates,
  SUMMARY_WEIGHT,
  weighedWords,
} from '@postmaster/retrieval';
import { lanceDbStore } from '@postmaster/vectors';

const DATA = join(import.meta.dirname, '..', '..', 'shared', 'data');
const SETS = ['xquad-en', 'xquad-da'].filter((name) => existsSync(join(DATA, name)));
const WEIGHTS = [0, 0.7, 0.8, 0.9];
const FIRST = 5;
const NO_FACETS = { simple_questions: [], complex_questions: [], context: '', scope: '' };
const POINTS = 5;
const TENANT = TenantId.parse('measured');
const PER_LEG = 50;

const encoder = await miniLM();
const folder = await mkdtemp(join(tmpdir(), 'summaries-'));
const store = lanceDbStore({ folder });
try {
  for (const name of SETS) {
    const set = await readSet(join(DATA, name));
    await evaluate(set);
    await evaluate({ ...set, name: `bare-${name}`, recorded: set.recorded.map(() => NO_FACETS) });
  }
} finally {
  await store.close();
  await encoder.close();
  await rm(folder, { recursive: true });
}

async function evaluate({ name, paragraphs, recorded, queries, judged }) {
  const index = { name, encoder: encoder.id, dimension: encoder.dimension };
  await fill(index, paragraphs, recorded);
  const language = name.endsWith('da') ? 'da' : 'en';
  const documents = new Map(paragraphs.map(({ id, document }) => [id, document]));
  const right = judged.map((grades) => [...grades].find(([, grade]) => grade > 0)?.[0]);
  const asked = await found(
    index,
    queries.map(({ text }) => text),
  );
  const pairs = pairsOf(queries, right, documents);
  const both = await found(
    index,
    pairs.map(({ text }) => text),
  );
  const titles = new Map(paragraphs.map(({ document, title }) => [document, title]));
  const titled = await found(index, [...titles.values()]);
  console.log(`\n${name}: ${paragraphs.length} paragraphs, ${titles.size} documents`);
  console.log('        of a paragraph                    of two                  titles');
  console.log('weight  hit@1   nDCG@10  s@1     s@5     document@1  s@1     s@5     document@1  s@1     s@5');
  for (const weight of WEIGHTS) {
    const options = { weights: defaultWeights(encoder.id, language) };
    const ranked = (all) => all.map((gathered) => ranks(gathered, options, weight));
    const [plain, pair, title] = [ranked(asked), ranked(both), ranked(titled)];
    const scores = meanScores(plain.map((one, at) => scoresOf(idsOf(one), judged[at])));
    const columns = [
      ...[scores['hit@1'], scores['ndcg@10'], ...summariesIn(plain)],
      ...[share(pair, ([best], at) => best?.candidate.payload.document === pairs[at].document), ...summariesIn(pair)],
      ...[
        share(title, ([best], at) => best?.candidate.payload.document === [...titles.keys()][at]),
        ...summariesIn(title),
      ],
    ];
    console.log(
      `${weight === SUMMARY_WEIGHT ? '*' : ' '}${weight.toFixed(1).padEnd(7)}${columns.map((one) => one.toFixed(4)).join('  ')}`,
    );
  }
}

function idsOf(ranked) {
  return ranked.map(({ candidate }) => candidate.id);
}

/** Of these questions, those with a summary first, and among the first. */
function summariesIn(all) {
  const isSummary = ({ candidate }) => kindOf(candidate.payload) === 'summary';
  return [1, FIRST].map((most) => share(all, (ranked) => ranked.slice(0, most).some(isSummary)));
}

/** Without summaries where they count nothing. */
function ranks({ candidates, summaries, words }, options, weight) {
  return fuseWithSummaries(candidates, weight > 0 ? summaries : [], options, words, weight);
}

async function fill(index, paragraphs, recorded) {
  const points = paragraphs.map((paragraph, at) => {
    const { simple_questions, complex_questions, context, scope } = recorded[at];
    const facets = { simpleQuestions: simple_questions, complexQuestions: complex_questions, context, scope };
    return { ...paragraph, facets };
  });
  const titles = new Map(paragraphs.map(({ document, title }) => [document, title]));
  const sums = [...titles].map(([document, title]) => {
    const own = paragraphs.filter((one) => one.document === document);
    const text = own.map((one) => one.text).join('\n\n');
    return { id: summaryId(document, 1), document, title, text: `${title}\n${extractSummary(text, POINTS).paragraph}` };
  });
  const none = { simpleQuestions: [], complexQuestions: [], context: '', scope: '' };
  const all = [...points, ...sums.map((one) => ({ ...one, position: SUMMARY_POSITION, facets: none }))];
  for (const { id, document, title, position, text, facets } of all) {
    const texts = [text, ...facets.simpleQuestions, ...facets.complexQuestions, facets.context, facets.scope];
    const vectors = await vectorsOf(texts.filter(Boolean), 'passage');
    const next = (many) => vectors.splice(0, many);
    const [paragraph] = next(1);
    const payload = {
      ...{
        ...facets,
        document,
        title,
        position,
        text,
        version: 1,
        active: true,
        page: null,
        start: 0,
        end: 0,
        trail: [],
      },
      ...{ contentType: 'text/plain', language: null, sourceType: 'set', sourceId: document, collection: null },
      ...{ createdAt: null, addedAt: '2026-01-01T00:00:00.000Z', metadata: {} },
    };
    const named = {
      paragraph,
      simple_questions: next(facets.simpleQuestions.length),
      complex_questions: next(facets.complexQuestions.length),
      context: facets.context ? next(1)[0] : null,
      scope: facets.scope ? next(1)[0] : null,
    };
    await store.put(TENANT, index, [{ id, revision: 1, payload, vectors: named }]);
  }
}

async function found(index, texts) {
  const gather = gatherCandidates({ store, now: () => performance.now() });
  const vectors = await vectorsOf(texts, 'query');
  const all = [];
  for (const [at, text] of texts.entries())
    all.push({
      ...(await gather(TENANT, index.name, { vector: vectors[at], text, legs: LEGS }, PER_LEG, [], true)),
      words: weighedWords(text),
    });
  return all;
}

/** Each paragraph's first question with that of the next one of its document. */
function pairsOf(queries, right, documents) {
  const first = new Map();
  for (const [at, { text }] of queries.entries()) if (!first.has(right[at])) first.set(right[at], text);
  const all = [...first];
  return all.flatMap(([id, text], at) => {
    const [next, other] = all[at + 1] ?? [];
    const document = documents.get(id);
    return next !== undefined && documents.get(next) === document ? [{ document, text: `${text} ${other}` }] : [];
  });
}

async function vectorsOf(texts, as) {
  return (await embedWhole(encoder, texts, as)).map(({ vector }) => vector);
}

function share(all, is) {
  return all.filter(is).length / all.length;
}
