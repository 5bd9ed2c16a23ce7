// Compares the chunking strategies by where the answers lie: whole documents are cut by each, and a chunk is right where
// it holds an answer's place. Of harbour the documents; of the xquad sets each article's paragraphs joined. Ranked by the
// bundled encoder, by BM25 and by both (RRF, k 60), exact, in memory. `--words n` asks for other
// paragraphs; names of sets compare these alone.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { embedWhole } from '@postmaster/embedding';
import {
  answerPlaces,
  byParagraph,
  byRankFusion,
  byWords,
  judgeByPlace,
  meanScores,
  readSet,
  scoresOf,
} from '@postmaster/evaluation';
import { codePointsOf, STRATEGIES } from '@postmaster/ingestion';
import { miniLM } from '@postmaster/models';
import { childProcessParser } from '@postmaster/parsers';

const { values, positionals } = parseArgs({
  options: { words: { type: 'string', default: '120' } },
  allowPositionals: true,
});
const words = Number(values.words);
const ROOT = join(import.meta.dirname, '..');
const HARBOUR = join(ROOT, 'libs', 'evaluation', 'sets', 'harbour');
const ELSEWHERE = ['xquad-en', 'xquad-da'].map((name) => join(ROOT, '..', 'shared', 'data', name));
const WAYS = { vector: byParagraph, BM25: byWords, both: byRankFusion };

const wanted = (name) => positionals.length === 0 || positionals.includes(name);
const encoder = await miniLM();
try {
  if (wanted('harbour')) await compare('harbour', await readSet(HARBOUR), await harbourDocuments());
  for (const dir of ELSEWHERE.filter((one) => existsSync(one) && wanted(basename(one)))) {
    const set = await readSet(dir);
    await compare(basename(dir), set, articlesOf(set));
  }
} finally {
  await encoder.close();
}

async function compare(name, set, documents) {
  const texts = new Map([...documents].map(([id, { text }]) => [id, text]));
  const byId = new Map(set.paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const asked = set.queries
    .map(({ text, answers }, at) => {
      const right = [...set.judged[at]].filter(([, grade]) => grade > 0).map(([id]) => byId.get(id));
      return { text, places: answerPlaces(texts, right, answers) };
    })
    .filter(({ places }) => places.length > 0);
  const vectors = await encode(
    asked.map(({ text }) => text),
    'query',
  );
  const questions = asked.map(({ text }, at) => ({ text, vector: vectors[at] }));
  console.log(
    `\n${name}: ${documents.size} documents, ${asked.length} questions whose answer has a place, ${words} words`,
  );
  console.log(
    '| strategy | chunks | mean words | held | vector hit@1 | MRR@10 | BM25 hit@1 | MRR@10 | both hit@1 | MRR@10 |',
  );
  console.log('| --- |' + ' ---: |'.repeat(9));
  for (const [strategy, chunk] of Object.entries(STRATEGIES)) {
    const chunks = [];
    for (const [document, parsed] of documents)
      for (const one of await chunk(parsed, { words, long: 'split' }, encode))
        chunks.push({ ...one, document, id: `${document}#${one.position}` });
    const rankings = await ranked(chunks, questions);
    console.log(row(strategy, chunks, asked, rankings));
    if (chunks.some(({ parent }) => parent))
      console.log(
        row(
          `${strategy}, as read`,
          chunks.map((one) => ({ ...one, ...one.parent })),
          asked,
          rankings,
        ),
      );
  }
}

/** The chunks' ids by each way, for each question. */
async function ranked(chunks, questions) {
  const own = await encode(chunks.map(({ text }) => text));
  const searched = chunks.map(({ id, text }, at) => ({ id, text, facetTexts: [], vectors: { paragraph: [own[at]] } }));
  return Object.values(WAYS).map((way) => questions.map(way(searched)));
}

/** `held`: the share of the questions whose answer one chunk at least holds whole. */
function row(name, chunks, asked, rankings) {
  const judged = asked.map(({ places }) => judgeByPlace(chunks, places));
  const figures = rankings.flatMap((way) => {
    const scores = meanScores(way.map((ids, at) => scoresOf(ids, judged[at])));
    return [scores['hit@1'].toFixed(3), scores['mrr@10'].toFixed(3)];
  });
  const mean = chunks.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) / chunks.length;
  const held = judged.filter(({ size }) => size > 0).length / judged.length;
  return `| ${[name, chunks.length, mean.toFixed(0), held.toFixed(3), ...figures].join(' | ')} |`;
}

async function encode(texts, as = 'passage') {
  return (await embedWhole(encoder, texts, as)).map(({ vector }) => vector);
}

/** As they are read in production. */
async function harbourDocuments() {
  const parser = childProcessParser({ poolSize: 1 });
  const folder = join(HARBOUR, 'documents');
  try {
    const documents = new Map();
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.md')))
      documents.set(
        name.slice(0, -'.md'.length),
        await parser.parse({ path: join(folder, name), name }, { timeoutMs: 60_000, memoryMb: 512 }),
      );
    return documents;
  } finally {
    await parser.close();
  }
}

/** An article's paragraphs under its title; xquad has no more of it. */
function articlesOf({ name, paragraphs }) {
  const documents = new Map();
  for (const { document, title, text } of paragraphs) {
    const article = documents.get(document) ?? {
      text: title,
      blocks: [{ kind: 'heading', level: 1, start: 0, end: codePointsOf(title).length }],
      language: name.endsWith('da') ? 'da' : 'en',
    };
    const start = codePointsOf(article.text).length + 2;
    article.text += `\n\n${text}`;
    article.blocks.push({ kind: 'text', start, end: start + codePointsOf(text).length });
    documents.set(document, article);
  }
  return documents;
}
