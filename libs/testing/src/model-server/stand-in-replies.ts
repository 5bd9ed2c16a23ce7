/** What a prompt asks for: the one JSON object in its user's message says. */
export type Asked =
  | { kind: 'facets'; title: string; headings: string[]; paragraph: string; language?: string }
  | { kind: 'facets-together'; title: string; paragraphs: string[] }
  | { kind: 'answer'; question: string; sources: string[] }
  | { kind: 'judge'; question: string; paragraphs: string[] }
  | { kind: 'plan'; request: string; today: string }
  | { kind: 'variations'; request: string; questions: number; hypothetical: boolean }
  | { kind: 'grade'; question: string; texts: string[] }
  | { kind: 'summary'; points: number; sources: string[] }
  | { kind: 'metadata'; text: string }
  | { kind: 'entities'; texts: string[] }
  | { kind: 'document-summary'; points: number; text: string }
  | { kind: 'other' };

/** Of which facets are asked for. */
export const facetParagraphs = (asked: Asked): string[] =>
  asked.kind === 'facets' ? [asked.paragraph] : asked.kind === 'facets-together' ? asked.paragraphs : [];

export const readPrompt = (prompt: string): Asked => {
  const data = jsonIn(prompt);
  if (typeof data.paragraph === 'string')
    return {
      kind: 'facets',
      title: String(data.title ?? ''),
      headings: strings(data.headings),
      paragraph: data.paragraph,
      language: /^(?:Write the search entries in|Skriv søgeindgangene på) (\p{L}+)\./u.exec(prompt)?.[1],
    };
  if (typeof data.question === 'string' && ('answer' in data || isObject(data.paragraph)))
    return {
      kind: 'grade',
      question: data.question,
      texts: [
        ...('answer' in data ? [String(data.answer)] : []),
        ...paragraphsIn([data.paragraph, data.sources].flat().filter(isObject)),
      ],
    };
  if (typeof data.question === 'string' && Array.isArray(data.sources))
    return { kind: 'answer', question: data.question, sources: paragraphsIn(data.sources) };
  if (typeof data.question === 'string' && Array.isArray(data.paragraphs))
    return { kind: 'judge', question: data.question, paragraphs: paragraphsIn(data.paragraphs) };
  if (typeof data.title === 'string' && Array.isArray(data.paragraphs))
    return {
      kind: 'facets-together',
      title: data.title,
      paragraphs: data.paragraphs.filter(isObject).map(({ paragraph }) => String(paragraph)),
    };
  if (typeof data.request === 'string' && typeof data.today === 'string')
    return { kind: 'plan', request: data.request, today: data.today };
  if (typeof data.request === 'string' && typeof data.questions === 'number')
    return {
      kind: 'variations',
      request: data.request,
      questions: data.questions,
      hypothetical: data.hypothetical === true,
    };
  if (typeof data.points === 'number' && ('document' in data || 'summaries_of_parts' in data))
    return { kind: 'document-summary', points: data.points, text: summedUp(data) };
  if (typeof data.points === 'number' && Array.isArray(data.sources))
    return { kind: 'summary', points: data.points, sources: paragraphsIn(data.sources) };
  if (typeof data.title === 'string' && Array.isArray(data.passages))
    return { kind: 'entities', texts: data.passages.filter(isObject).map(({ text }) => String(text)) };
  if (typeof data.title === 'string' && typeof data.text === 'string') return { kind: 'metadata', text: data.text };
  return { kind: 'other' };
};

/** A document's text, or what is said of its parts, a line each. */
const summedUp = ({ document, summaries_of_parts: parts }: Record<string, unknown>): string =>
  typeof document === 'string'
    ? document
    : (Array.isArray(parts) ? parts : []).flatMap((part) => (isObject(part) ? strings(part.points) : [])).join('\n');

/** The first sentences of a text, each once. */
export const standInDocumentSummary = (points: number, text: string) => {
  const said = [...new Set(text.split(/(?<=[.!?])\s+|\n+/u).map((one) => one.trim()))].filter(Boolean).slice(0, points);
  return { points: said, paragraph: said.slice(0, 2).join(' ') };
};

/** A grade by how many of the question's words a paragraph has; the reason names them. */
export const standInVerdicts = (question: string, paragraphs: readonly string[]) => ({
  verdicts: paragraphs.map((paragraph, place) => {
    const has = new Set(wordsOf(paragraph));
    const asked = [...new Set(wordsOf(question))];
    const shared = asked.filter((word) => has.has(word));
    const grade = Math.round((3 * shared.length) / Math.max(1, asked.length));
    return { number: place + 1, reason: shared.join(' ') || '–', relevant: grade >= 2, grade };
  }),
});

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const ENGLISH = [
  ['What is said of', 'Where is there word of', 'Who speaks of'],
  ['Why is it that', 'How is it with'],
] as const;
const DANISH = [
  ['Hvad siges der om', 'Hvor er der tale om', 'Hvem taler om'],
  ['Hvorfor er det, at', 'Hvordan er det med'],
] as const;
const isDanish = (language: string | undefined): boolean => language === 'Danish' || language === 'dansk';

/** Made of the paragraph's own words, so that a test can tell which paragraph was asked. */
export const standInFacets = ({
  title,
  headings = [],
  paragraph,
  language,
}: {
  title: string;
  headings?: string[];
  paragraph: string;
  /** That the prompt names; English for any but Danish. */
  language?: string;
}) => {
  const words = [...new Set(paragraph.match(/[\p{L}\p{N}_-]+/gu) ?? ['nothing'])];
  const from = (part: number) => words.slice(part * 4, part * 4 + 4).join(' ') || words[part % words.length];
  const [simple, complex] = isDanish(language) ? DANISH : ENGLISH;
  return {
    simple_questions: simple.map((asked, part) => `${asked} ${from(part)}?`),
    complex_questions: complex.map((asked, part) => `${asked} ${from(part + 3)} ${words[0]}?`),
    context: `${[title, ...headings].join(', ')}: ${words.slice(0, 12).join(' ')}`,
    scope: words.slice(0, 24).join(', '),
  };
};

/** Reads nothing in a request but its words. */
export const standInPlan = (request: string) => ({
  kind: 'keywords',
  search_text: request,
  keywords: [],
  sender: null,
  conditions: [],
});

/** Made of the request's own words. */
export const standInVariations = (request: string, questions: number, hypothetical: boolean) => ({
  questions: Array.from({ length: questions }, (_, at) => `What is known of ${request} (${at + 1})?`),
  answer: hypothetical ? `It is said that ${request}.` : '',
});

/** Of no document it knows any. */
export const standInMetadata = (): unknown => ({ type: 'other', type_quote: '', fields: [] });

/** Every word with a capital, as if it were an organisation; each is part of the next. */
export const standInEntities = (texts: readonly string[]) => ({
  passages: texts.map((text, at) => {
    const names = [...new Set(text.match(/\p{Lu}[\p{L}\p{N}-]+/gu))].slice(0, 10);
    const relations = names.slice(1).map((to, before) => ({ from: names[before], type: 'part_of', to }));
    return { number: at + 1, entities: names.map((name) => ({ name, type: 'organisation' })), relations };
  }),
});

/** Of each paragraph what `standInFacets` says. */
export const standInFacetsTogether = (title: string, paragraphs: readonly string[]) => ({
  entries: paragraphs.map((paragraph, at) => ({
    number: at + 1,
    ...standInFacets({ title, paragraph }),
  })),
});

/** A grade that no test should care about. */
export const standInGrade = { reason: 'It says so.', grade: 8 };

/** The first sentence of the first source, cited; with no source the marker for "nothing fits". */
export const standInAnswer = (sources: readonly string[]): string => {
  const sentence = firstSentence(sources[0] ?? '');
  return sentence ? `${sentence} [1]` : 'NOT_FOUND';
};

/** The first sentence of each source, a line each, cited. */
export const standInSummary = (points: number, sources: readonly string[]): string =>
  sources
    .slice(0, points)
    .map((source, i) => `- ${firstSentence(source)} [${i + 1}]`)
    .join('\n');

const firstSentence = (text: string): string => (/^.*?[.!?。](?=\s|$)|^.+/su.exec(text)?.[0] ?? '').trim();

const jsonIn = (prompt: string): Record<string, unknown> => {
  try {
    const parsed: unknown = JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.lastIndexOf('}') + 1));
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
};

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The texts of the paragraphs of all sources, in the order of their numbers. */
const paragraphsIn = (sources: readonly unknown[]): string[] =>
  sources
    .flatMap((source) => (isObject(source) && Array.isArray(source.paragraphs) ? source.paragraphs : [source]))
    .map((paragraph: unknown) => (isObject(paragraph) ? paragraph : {}))
    .sort((a, b) => Number(a.number ?? 0) - Number(b.number ?? 0))
    .map(({ text }) => (typeof text === 'string' ? text : ''));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
