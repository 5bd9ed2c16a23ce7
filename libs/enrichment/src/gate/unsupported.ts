import { datesIn, sameDate } from './dates.js';
import type { GateGround } from './gate-ground.js';
import { namesIn } from './names.js';
import { numbersIn } from './numbers.js';
import type { RejectionReason } from './rejection.js';

/**
 * Why a text says more than the paragraph and its context do: a date or a number that is in neither, or more names
 * than this share of its own.
 */
export const unsupported = (ground: GateGround, text: string, mostNames = 0): RejectionReason | undefined => {
  const { dates, rest } = datesIn(text);
  if (dates.some((readings) => !readings.some((one) => ground.dates.some((other) => sameDate(one, other)))))
    return 'UNKNOWN_DATE';
  if (numbersIn(rest).some((number) => !ground.holdsNumber(number))) return 'UNKNOWN_NUMBER';
  const names = namesIn(rest, ground.language);
  const unknown = names.filter((name) => !ground.holdsName(name));
  return unknown.length > names.length * mostNames ? 'UNKNOWN_NAME' : undefined;
};
