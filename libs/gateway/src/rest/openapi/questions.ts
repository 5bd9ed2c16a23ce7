import { QUERY_ANSWER_EXAMPLE, QUERY_EXAMPLE } from '../partner-examples.js';
import { FeedbackBody, FeedbackExportQuery, FeedbackShape } from '../feedback-shapes.js';
import { JudgeBody, JudgementShape, SimilarQuery, SimilarShape, SummaryBody, SummaryShape } from '../quality-shapes.js';
import { AnswerShape, AskBody, QuestionQuery, SearchShape } from '../shapes.js';
import { type Operations, schemaOf } from './operation.js';

export const QUESTION_OPERATIONS: Operations = {
  '/api/v1/query': {
    get: {
      tag: 'questions',
      summary: 'An answer with its citations, paragraphs and scores',
      query: QuestionQuery,
      answer: AnswerShape,
      asked: QUERY_EXAMPLE,
      example: QUERY_ANSWER_EXAMPLE,
    },
  },
  '/api/v1/search': {
    get: {
      tag: 'questions',
      summary: 'The paragraphs that answer a question, with the reasons',
      query: QuestionQuery,
      answer: SearchShape,
    },
  },
  '/api/v1/ask': {
    post: {
      tag: 'questions',
      summary: 'An answer as it is written',
      onlyReads: true,
      description: 'Events: `hits`, then `text` and `citation`, at the end `done`; `error` where it breaks off.',
      body: { 'application/json': { schema: schemaOf(AskBody, 'input') } },
      answer: 'text/event-stream',
    },
  },
  '/api/v1/paragraphs/{id}/similar': {
    get: {
      tag: 'questions',
      summary: 'More like this paragraph',
      description: 'Without itself and what nearly repeats it.',
      id: 'paragraph',
      query: SimilarQuery,
      answer: SimilarShape,
    },
  },
  '/api/v1/judge': {
    post: {
      tag: 'questions',
      summary: 'How well a paragraph, or an answer, answers a question',
      onlyReads: true,
      body: { 'application/json': { schema: schemaOf(JudgeBody, 'input') } },
      answer: JudgementShape,
    },
  },
  '/api/v1/summary': {
    post: {
      tag: 'questions',
      summary: 'What a set of documents says, in points with citations',
      onlyReads: true,
      body: { 'application/json': { schema: schemaOf(SummaryBody, 'input') } },
      answer: SummaryShape,
    },
  },
  '/api/v1/feedback': {
    post: {
      tag: 'questions',
      summary: 'Say that a hit or an answer is right or wrong',
      description: 'It becomes a judged question, to evaluate and tune by; no search goes by it.',
      body: { 'application/json': { schema: schemaOf(FeedbackBody, 'input') } },
      status: 201,
      answer: FeedbackShape,
    },
  },
  '/api/v1/feedback/export': {
    get: {
      tag: 'questions',
      summary: 'Judged questions as lines of JSON',
      description:
        'With a key of the scope `admin`. As a set: `paragraph`, `facets`, `query` and `qrel` lines; as pairs: `pair` lines. A last line of the kind `error` tells that it broke off.',
      query: FeedbackExportQuery,
      answer: 'application/x-ndjson',
    },
  },
};
