import { AskEvaluation, BeginEvaluation, EvaluationFacts } from '@postmaster/contracts';
import {
  DeadLetterShape,
  DeadLettersQuery,
  DeadLettersShape,
  DroppedShape,
  RetriedShape,
  RetryDeadLettersBody,
} from '../dead-letter-shapes.js';
import { AddedShape, AddParagraphsBody, AskedShape, DroppedEvaluationShape } from '../evaluation-shapes.js';
import { type Operations, schemaOf } from './operation.js';

export const UPKEEP_OPERATIONS: Operations = {
  '/api/v1/dead-letters': {
    get: {
      tag: 'repair',
      summary: 'What was given up, newest first',
      description: "A tenant's, with a key of its scope `admin`; all tenants', with the operator's key.",
      query: DeadLettersQuery,
      answer: DeadLettersShape,
    },
  },
  '/api/v1/dead-letters/retry': {
    post: {
      tag: 'repair',
      summary: 'Give out again what was given up',
      description: 'A job starts afresh; an event goes to the consumer that refused it. What is refused again stays.',
      body: { 'application/json': { schema: schemaOf(RetryDeadLettersBody, 'input') } },
      answer: RetriedShape,
    },
  },
  '/api/v1/dead-letters/{service}/{id}': {
    get: { tag: 'repair', summary: 'One with what it is about', id: 'dead letter', answer: DeadLetterShape },
    delete: { tag: 'repair', summary: 'Drop it for good', id: 'dead letter', answer: DroppedShape },
  },
  '/api/v1/evaluations': {
    post: {
      tag: 'evaluation',
      summary: 'Begin an evaluation: an index of its own for paragraphs that are brought along',
      description: 'Needs the scope `admin`. It ends by itself an hour after its last use.',
      body: { 'application/json': { schema: schemaOf(BeginEvaluation, 'input') } },
      status: 201,
      answer: EvaluationFacts,
    },
  },
  '/api/v1/evaluations/{id}/paragraphs': {
    post: {
      tag: 'evaluation',
      summary: 'Put paragraphs in, with their facets or to have them made',
      id: 'evaluation',
      body: { 'application/json': { schema: schemaOf(AddParagraphsBody, 'input') } },
      answer: AddedShape,
    },
  },
  '/api/v1/evaluations/{id}/questions': {
    post: {
      tag: 'evaluation',
      summary: 'Ask questions by several ways side by side',
      id: 'evaluation',
      body: { 'application/json': { schema: schemaOf(AskEvaluation, 'input') } },
      answer: AskedShape,
    },
  },
  '/api/v1/evaluations/{id}': {
    delete: { tag: 'evaluation', summary: 'Drop its index', id: 'evaluation', answer: DroppedEvaluationShape },
  },
};
