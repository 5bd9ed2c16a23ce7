import { saidByInstructions, withoutInstructions } from '@postmaster/contracts';
import { bm25 } from '@postmaster/evaluation';
import type { FacetInput } from '../facet-model.js';
import { datesIn, type SaidDate } from './dates.js';
import { namesHeldBy } from './names.js';
import { numbersHeldBy, type NumberRead } from './numbers.js';
import { contentStems, stemsOf } from './words.js';

/** What a paragraph's facets are judged by. */
export interface GateGround {
  input: FacetInput;
  /** The paragraph, then the other paragraphs of its document that it is compared with. */
  texts: readonly string[];
  /** What BM25 gives each of the texts for a question, the words of its frame left out. */
  lexical: (question: string) => Float64Array;
  /** Of the paragraph alone. */
  stems: ReadonlySet<string>;
  /** Of the paragraph and its context: title, headings, neighbours. */
  stemsAround: ReadonlySet<string>;
  holdsName: (name: string) => boolean;
  holdsNumber: (number: NumberRead) => boolean;
  dates: readonly SaidDate[];
  /** Whether a text says what the paragraph and its context say only where they tell a model what to do. */
  saidByInstructions: (text: string) => boolean;
  language: string | null;
  languageOf: (text: string) => string | null;
}

export const gateGround = (
  input: FacetInput,
  others: readonly string[],
  languageOf: (text: string) => string | null,
): GateGround => {
  const { title, trail, before, text: written, after } = input;
  const said = [title, ...trail, before, written, after];
  const around = said.map(withoutInstructions).join('\n');
  const text = withoutInstructions(written);
  const texts = [text, ...others];
  const scores = bm25(texts.map(asStems));
  const scored = new Map<string, Float64Array>();
  return {
    input,
    texts,
    lexical: (question) => {
      const its = scored.get(question) ?? scores(asStems(question));
      scored.set(question, its);
      return its;
    },
    stems: stemsOf(text),
    stemsAround: stemsOf(around),
    holdsName: namesHeldBy(around),
    holdsNumber: numbersHeldBy(around),
    dates: datesIn(around).dates.flat(),
    saidByInstructions: saidByInstructions(said),
    language: input.language ?? languageOf(text),
    languageOf,
  };
};

const asStems = (text: string): string => [...contentStems(text), ...(text.match(/\d+/gu) ?? [])].join(' ');
