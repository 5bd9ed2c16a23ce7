/** What a model was trained to see before a question and before a passage. */
export interface Prefixes {
  /** Part of the encoder's id; its number goes up when a prefix changes. */
  name: string;
  query: string;
  passage: string;
}

const BGE = 'Represent this sentence for searching relevant passages: ';

/** By the model cards of their makers; a name may have a maker before and a tag or format after it. */
const KNOWN: readonly (Prefixes & { models: RegExp })[] = [
  { name: 'e5-1', models: /\be5-(small|base|large)(-v2)?(?!-instruct)\b(?!-)/, query: 'query: ', passage: 'passage: ' },
  { name: 'nomic-1', models: /\bnomic-embed-text\b/, query: 'search_query: ', passage: 'search_document: ' },
  { name: 'bge-1', models: /\bbge-(small|base|large)-en\b/, query: BGE, passage: '' },
  { name: 'mxbai-1', models: /\bmxbai-embed-large\b/, query: BGE, passage: '' },
  { name: 'arctic-2', models: /\bsnowflake-arctic-embed(-[a-z]+)*-?2|\bsnowflake-arctic-embed2/, query: 'query: ', passage: '' },
  { name: 'arctic-1', models: /\bsnowflake-arctic-embed\b/, query: BGE, passage: '' },
  {
    name: 'gemma-1',
    models: /\bembeddinggemma\b/,
    query: 'task: search result | query: ',
    passage: 'title: none | text: ',
  },
  {
    name: 'qwen3-1',
    models: /\bqwen3-embedding\b/,
    query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
    passage: '',
  },
];

/** The prefixes of a known model; none where the model needs none, or is not known. */
export const prefixesOf = (model: string): Prefixes | undefined =>
  KNOWN.find(({ models }) => models.test(model.toLowerCase()));
