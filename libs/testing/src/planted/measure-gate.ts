import { type FacetInput, gateGround, judgeFacets, type Rejection, toCompare } from '@postmaster/enrichment';
import type { Facets } from '@postmaster/contracts';
import { type AskedParagraph, type PlantedFault, plantBadQuestions } from './plant-bad-questions.js';

export interface RecordedParagraph {
  id: string;
  document: string;
  title: string;
  text: string;
  facets: Pick<Facets, 'simpleQuestions' | 'complexQuestions' | 'context' | 'scope'>;
}

interface RecordedQuestions {
  simple_questions: string[];
  complex_questions: string[];
  context: string;
  scope: string;
}

/** The paragraphs of an evaluation set with the facets that were recorded for them. */
export const recordedParagraphs = ({
  paragraphs,
  recorded,
}: {
  paragraphs: readonly Omit<RecordedParagraph, 'facets'>[];
  recorded: readonly RecordedQuestions[] | null;
}): RecordedParagraph[] =>
  paragraphs.flatMap((paragraph, at) => {
    const found = recorded?.[at];
    if (!found) return [];
    const { simple_questions, complex_questions, context, scope } = found;
    const questions = (texts: string[]) => texts.map((text) => ({ text }));
    const [simpleQuestions, complexQuestions] = [questions(simple_questions), questions(complex_questions)];
    return [{ ...paragraph, facets: { simpleQuestions, complexQuestions, context, scope } }];
  });

export interface GateMeasure {
  questions: number;
  /** Good questions that were rejected. */
  wrongly: Rejection[];
  /** Sentences and phrases of contexts and scopes that were rejected, and those left empty. */
  pieces: Rejection[];
  emptied: number;
  planted: Record<PlantedFault, { planted: number; caught: number; missed: string[] }>;
  /** How many texts were encoded. */
  encoded: number;
  qualities: number[];
}

/** Of the contexts' neighbours, as much as a facet model is given. */
const NEIGHBOUR = 400;
const ANY_NUMBER = { simple: 99, complex: 99 };

/** What the gate does with recorded facets, taken as good, and with bad questions planted among them. */
export const measureGate = async (
  language: 'da' | 'en',
  own: readonly RecordedParagraph[],
  foreign: readonly RecordedParagraph[],
  ports: {
    languageOf: (text: string) => string | null;
    /** Words alone decide where it is absent. */
    encode?: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
    planted?: number;
    seed?: number;
  },
): Promise<GateMeasure> => {
  const grounds = new Map(own.map((one, at) => [one.id, groundOf(own, at, language, ports.languageOf)]));
  const vectors = new Map<string, Float32Array>();
  const judged = async (paragraph: RecordedParagraph, extra: string[] = []) => {
    const ground = grounds.get(paragraph.id)!;
    const facets: Facets = {
      ...paragraph.facets,
      simpleQuestions: [...paragraph.facets.simpleQuestions, ...extra.map((text) => ({ text }))],
      ...{ model: 'recorded', promptVersion: 'recorded', quality: null },
    };
    const texts = toCompare(ground, facets);
    const missing = texts.filter((text) => !vectors.has(text));
    if (ports.encode && missing.length > 0)
      (await ports.encode(missing)).forEach((vector, at) => vectors.set(missing[at]!, vector));
    const compared = texts.flatMap((text) => (vectors.has(text) ? [[text, vectors.get(text)!] as const] : []));
    return judgeFacets(ground, facets, ANY_NUMBER, new Map(compared));
  };

  const measure: GateMeasure = {
    questions: 0,
    ...{ wrongly: [], pieces: [], emptied: 0, encoded: 0, qualities: [] },
    planted: {} as GateMeasure['planted'], // each fault is set at its first question
  };
  for (const paragraph of own) {
    const { facets, rejected } = await judged(paragraph);
    measure.questions += askedOf(paragraph).length;
    measure.wrongly.push(...rejected.filter(({ part }) => part.endsWith('questions')));
    measure.pieces.push(...rejected.filter(({ part }) => !part.endsWith('questions')));
    measure.emptied += [facets.context, facets.scope].filter((text) => text === '').length;
    if (facets.quality !== null) measure.qualities.push(facets.quality);
  }
  const asked = (one: RecordedParagraph): AskedParagraph => ({ ...one, questions: askedOf(one) });
  const bad = plantBadQuestions(language, own.map(asked), foreign.map(asked), ports.planted ?? 300, ports.seed ?? 7);
  for (const { fault, paragraph, text } of bad) {
    const { rejected } = await judged(
      own.find(({ id }) => id === paragraph)!,
      [text],
    );
    const counted = (measure.planted[fault] ??= { planted: 0, caught: 0, missed: [] });
    counted.planted++;
    // Of two that are alike, the one that comes first is kept.
    if (rejected.some((one) => one.text === text || (fault === 'a repetition' && one.reason === 'REPEATED')))
      counted.caught++;
    else counted.missed.push(`${paragraph}: ${text}`);
  }
  measure.encoded = vectors.size;
  return measure;
};

const askedOf = ({ facets }: RecordedParagraph): string[] =>
  [...facets.simpleQuestions, ...facets.complexQuestions].map(({ text }) => text);

const groundOf = (
  own: readonly RecordedParagraph[],
  at: number,
  language: string,
  languageOf: (text: string) => string | null,
) => {
  const { document, title, text } = own[at]!;
  const beside = (place: number): string => (own[place]?.document === document ? own[place].text : '');
  const input: FacetInput = {
    ...{ title, trail: [], text, language },
    before: beside(at - 1).slice(-NEIGHBOUR),
    after: beside(at + 1).slice(0, NEIGHBOUR),
  };
  const others = own.filter((other, place) => place !== at && other.document === document);
  return gateGround(
    input,
    others.map((other) => other.text),
    languageOf,
  );
};
