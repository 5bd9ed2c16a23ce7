import { hasLink } from '@postmaster/contracts';
import { sentences } from '../extractive/sentences.js';
import type { GateGround } from './gate-ground.js';
import { isInstructed } from './judge-question.js';
import { isOtherLanguage } from './language.js';
import type { Rejection, RejectionReason } from './rejection.js';
import { unsupported } from './unsupported.js';

/** Synonyms and what everybody knows are asked for, so that half of the names of a piece may be new. */
const MOST_NAMES = 0.5;

/**
 * Of a context its sentences that say no more than paragraph and context do, of a scope its phrases; where nothing is
 * left, ''. Their language is that of the whole: a phrase alone does not tell one.
 */
export const keepPieces = (
  ground: GateGround,
  part: 'context' | 'scope',
  text: string,
): { text: string; rejected: Rejection[] } => {
  if (text === '') return { text, rejected: [] };
  if (isOtherLanguage(text, ground.language, ground.languageOf))
    return { text: '', rejected: [{ part, reason: 'WRONG_LANGUAGE', text }] };
  const rejected: Rejection[] = [];
  const pieces = part === 'context' ? sentences(text).map((one) => `${one} `) : text.split(/(?<=[,;]\s+)/u);
  const kept = pieces.filter((piece) => {
    const reason = reasonAgainst(ground, piece);
    if (reason) rejected.push({ part, reason, text: piece.trim() });
    return !reason;
  });
  if (rejected.length === 0) return { text, rejected };
  return { text: kept.join('').trim().replace(/[,;]$/u, ''), rejected };
};

const reasonAgainst = (ground: GateGround, piece: string): RejectionReason | undefined => {
  if (hasLink(piece)) return 'HAS_LINK';
  return isInstructed(ground, piece) ? 'INSTRUCTION' : unsupported(ground, piece, MOST_NAMES);
};
