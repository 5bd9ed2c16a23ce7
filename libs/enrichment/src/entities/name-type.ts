import type { EntityType } from './entity.js';
import { GIVEN_NAMES } from './given-names.js';
import {
  CITIES,
  INITIAL,
  LEGAL_FORMS,
  LONG_CITIES,
  ORGANISATION_ENDING,
  ORGANISATION_WORDS,
  PLACE_ENDING,
  PLACE_WORDS,
  SURNAMES,
} from './name-words.js';
import type { NameRun } from './name-runs.js';
import { regionOf } from './regions.js';

/** What a name is, as far as its words and what stands around it tell. */
export const nameType = ({ words, titled, acts }: Pick<NameRun, 'words' | 'titled' | 'acts'>): EntityType => {
  const lower = words.map((word) => word.toLowerCase().replace(/\.$/u, ''));
  const last = lower.at(-1) ?? '';
  if (words.length > 1 && LEGAL_FORMS.has(last)) return 'organisation';
  const region = regionOf(lower.join(' '));
  if (region) return region.type;
  if (titled) return 'person';
  if (lower.some((word) => ORGANISATION_WORDS.has(word) || ORGANISATION_ENDING.test(word))) return 'organisation';
  if (words.length > 1 && PLACE_WORDS.has(last) && !SURNAMES.has(last)) return 'place';
  if (acts || isPerson(words, lower)) return 'person';
  if (lower.some((word) => PLACE_WORDS.has(word)) || PLACE_ENDING.test(last)) return 'place';
  if (LONG_CITIES.has(lower.join(' ')) || (words.length === 1 && isCity(last))) return 'place';
  if (words.some((word) => INNER_CAPITAL.test(word) || (/\d/u.test(word) && /\p{L}/u.test(word)))) return 'product';
  return 'other';
};

const INNER_CAPITAL = /^\p{L}*\p{Ll}\p{Lu}/u; // iPhone, LibreOffice
const MAC = /^(?:Mc|Mac|De|Di|Du|La|Le|Van)\p{Lu}/u;

const isCity = (word: string): boolean => CITIES.has(word) || (word.endsWith('s') && CITIES.has(word.slice(0, -1)));

const isPerson = (words: readonly string[], lower: readonly string[]): boolean => {
  const [first = ''] = lower;
  if (words.length === 1) return GIVEN_NAMES.has(first) && /\p{Ll}/u.test(words[0]!);
  if (lower.slice(1).some((word) => /\d/u.test(word))) return false;
  const surname = words.at(-1)!;
  if (!/^\p{Lu}[\p{L}'’-]*\p{Ll}/u.test(surname)) return false;
  return GIVEN_NAMES.has(first) || words.slice(0, -1).every((word) => INITIAL.test(word)) || MAC.test(surname);
};
