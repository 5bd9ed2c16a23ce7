import { hasLink, instructionsIn } from '@postmaster/contracts';
import type { GateGround } from './gate-ground.js';
import { isOtherLanguage } from './language.js';
import type { RejectionReason } from './rejection.js';
import { lexicalStanding, type Standing, vectorStanding } from './standing.js';
import { unsupported } from './unsupported.js';
import { contentStems, wordsOf } from './words.js';

/** Of a question's words about its subject, at least this share stands in the paragraph or around it. */
const LEAST_HELD = 0.15;
/** Where a question's paragraph is not the first by BM25, its lead there and this many times its lead by vector … */
const VECTOR_WEIGHT = 3;
/** … together reach this; by BM25 alone, where there are no vectors, its lead does. */
const LEAST_LEAD = 0.4;
/** Among the best so many of its document's, by vector or by BM25. */
const BEST = 2;

const LONGEST = 400;
const NEEDS_THE_TEXT =
  /\b(?:this|the (?:above|following|given|present))\s+(?:paragraph|passage|text|excerpt|section above)\b|\b(?:in|according to|from) the (?:paragraph|passage|text)\b|\b(?:dette|det)\s+(?:afsnit|tekststykke|uddrag)\b|\b(?:denne|ovenstående|følgende)\s+(?:tekst|passage|afsnit)\b|\bi (?:teksten|afsnittet|passagen|uddraget)\b/iu;

/** Why a question does not count, looked at alone; vectors matter for those that `toCompare` names. */
export const judgeQuestion = (
  ground: GateGround,
  question: string,
  vectors: ReadonlyMap<string, Float32Array>,
): RejectionReason | undefined => {
  if (!isQuestion(question)) return 'NOT_A_QUESTION';
  if (hasLink(question)) return 'HAS_LINK';
  if (isInstructed(ground, question)) return 'INSTRUCTION';
  if (NEEDS_THE_TEXT.test(question)) return 'NEEDS_THE_TEXT';
  if (isOtherLanguage(question, ground.language, ground.languageOf)) return 'WRONG_LANGUAGE';
  const more = unsupported(ground, question);
  if (more) return more;
  const lexical = lexicalStanding(ground, question);
  if (lexical.lead >= 1 && ground.texts.length > 1) return undefined;
  if (saysEnough(question) && heldShare(ground.stemsAround, question) < LEAST_HELD) return 'OFF_SUBJECT';
  return isAnsweredElsewhere(ground, question, lexical, vectors) ? 'ANSWERED_ELSEWHERE' : undefined;
};

/** It tells a model what to do, or says what the document says only where it does. */
export const isInstructed = (ground: GateGround, text: string): boolean =>
  instructionsIn(text).length > 0 || ground.saidByInstructions(text);

const isQuestion = (text: string): boolean =>
  /[?？؟]["”»')\]]*$/u.test(text) &&
  text.length <= LONGEST &&
  !/[\r\n]/u.test(text) &&
  (wordsOf(text).length > 1 || !/^\p{ASCII}*$/u.test(text));

/** Of a word or two nothing can be told. */
const saysEnough = (question: string): boolean => contentStems(question).length > 2;

/** The share of a question's words about its subject that these have; 1 where it has none. */
export const heldShare = (stems: ReadonlySet<string>, question: string): number => {
  const asked = [...new Set(contentStems(question))];
  return asked.length === 0 ? 1 : asked.filter((stem) => stems.has(stem)).length / asked.length;
};

/** Whether BM25 alone leaves open where a question belongs: another paragraph has more of its words. */
export const isUnsettled = (ground: GateGround, question: string): boolean =>
  ground.texts.length > 1 && lexicalStanding(ground, question).lead < 1;

const isAnsweredElsewhere = (
  ground: GateGround,
  question: string,
  lexical: Standing,
  vectors: ReadonlyMap<string, Float32Array>,
): boolean => {
  if (ground.texts.length === 1) return false;
  const near = vectorStanding(ground, question, vectors);
  if (!near) return lexical.better >= BEST || lexical.lead < LEAST_LEAD;
  return (lexical.better >= BEST && near.better >= BEST) || lexical.lead + VECTOR_WEIGHT * near.lead < LEAST_LEAD;
};
