import type { FacetQuestion, Facets } from '@postmaster/contracts';
import { areAlike, type WhatIsAsked, whatIsAsked } from './alike.js';
import { coverage } from './coverage.js';
import type { GateGround } from './gate-ground.js';
import { heldShare, isUnsettled, judgeQuestion } from './judge-question.js';
import { keepPieces } from './keep-pieces.js';
import type { FacetPart, Rejection } from './rejection.js';
import { lexicalStanding, rivals } from './standing.js';

/** What is left of a reply, and what of it does not count. */
export interface Verdict {
  /** Those that count, each question and all together with their quality. */
  facets: Facets;
  rejected: Rejection[];
}

/**
 * What vectors decide about: the questions of a reply whose place is not settled by words, with the texts that each is
 * compared with, the paragraph and those that have most of its words. Empty where words settle all.
 */
export const toCompare = (ground: GateGround, { simpleQuestions, complexQuestions }: Facets): string[] => {
  const open = [...simpleQuestions, ...complexQuestions].map(({ text }) => text).filter((q) => isUnsettled(ground, q));
  return [...new Set(open.flatMap((question) => [question, ...ground.texts.slice(0, 1), ...rivals(ground, question)]))];
};

/** Of the mean of its questions' qualities; the rest is the share of the paragraph's facts that they name. */
const QUESTIONS_WEIGHT = 0.6;

/**
 * Which parts of a reply count for its paragraph. Pure: `vectors`, by text, decide about what `toCompare`
 * names; where they are missing, words do. Quality is 0…1: of a question, half how far its paragraph leads the document
 * by BM25 and half the share of its words that the paragraph has; of all, see `QUESTIONS_WEIGHT`.
 */
export const judgeFacets = (
  ground: GateGround,
  facets: Facets,
  asked: { simple: number; complex: number },
  vectors: ReadonlyMap<string, Float32Array> = new Map(),
): Verdict => {
  const rejected: Rejection[] = [];
  const kept: WhatIsAsked[] = [];
  const judged = (part: FacetPart, questions: readonly FacetQuestion[], most: number): FacetQuestion[] => {
    const good: FacetQuestion[] = [];
    for (const question of questions) {
      const { text } = question;
      const asks = whatIsAsked(text);
      const reason =
        judgeQuestion(ground, text, vectors) ??
        (kept.some((other) => areAlike(other, asks)) ? 'REPEATED' : undefined) ??
        (good.length >= most ? 'TOO_MANY' : undefined);
      if (reason) rejected.push({ part, reason, text });
      else {
        kept.push(asks);
        good.push({ ...question, quality: questionQuality(ground, text) });
      }
    }
    return good;
  };
  const simpleQuestions = judged('simple_questions', facets.simpleQuestions, asked.simple);
  const complexQuestions = judged('complex_questions', facets.complexQuestions, asked.complex);
  const context = keepPieces(ground, 'context', facets.context);
  const scope = keepPieces(ground, 'scope', facets.scope);
  rejected.push(...context.rejected, ...scope.rejected);
  const qualities = [...simpleQuestions, ...complexQuestions].map(({ quality = 0 }) => quality);
  const mean = qualities.reduce((sum, one) => sum + one, 0) / Math.max(1, qualities.length);
  const questions = kept.map(({ text }) => text);
  const covered = coverage(ground.texts[0] ?? '', questions);
  const quality = hundredths(QUESTIONS_WEIGHT * mean + (1 - QUESTIONS_WEIGHT) * covered);
  return {
    facets: { ...facets, simpleQuestions, complexQuestions, context: context.text, scope: scope.text, quality },
    rejected,
  };
};

const questionQuality = (ground: GateGround, question: string): number => {
  const { lead } = lexicalStanding(ground, question);
  return hundredths((lead / (1 + lead)) * 0.75 + 0.5 * heldShare(ground.stems, question));
};

const hundredths = (share: number): number => Math.round(Math.min(1, share) * 100) / 100;
