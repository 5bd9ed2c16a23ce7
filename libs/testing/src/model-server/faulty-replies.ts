import type { Reply } from './wire-format.js';

export type FaultyReply =
  | 'garbage' // text that is no JSON
  | 'wrong-shape' // JSON of another schema
  | 'half-json' // breaks off in the middle of a text
  | 'no-end' // lacks its last brackets alone
  | 'fenced' // in a code fence
  | 'prosed' // prose with brackets around it
  | 'empty-lists' // every list without entries
  | 'many-questions' // ten thousand in each list
  | 'token-limit' // says that it broke off at its limit
  | 'declined'; // says that it would not, in its provider's own way

/** A good reply made faulty. */
export const faultyReply = (kind: FaultyReply, good: string): Pick<Reply, 'text' | 'end'> => {
  if (kind === 'declined') return { text: '', end: 'declined' };
  if (kind === 'token-limit') return { text: good.slice(0, good.length / 2), end: 'cut' };
  return { text: TEXTS[kind](good), end: 'whole' };
};

const TEXTS: Record<Exclude<FaultyReply, 'declined' | 'token-limit'>, (good: string) => string> = {
  garbage: () => 'Sure! Here is what you asked for',
  'wrong-shape': () => '{"summary":"of another schema"}',
  'half-json': (good) => good.slice(0, good.length / 2),
  'no-end': (good) => good.slice(0, -1),
  fenced: (good) => `\`\`\`json\n${good}\n\`\`\``,
  prosed: (good) => `Of course {as you wish}: ${good}\nAnything {else}?`,
  'empty-lists': (good) => ofLists(good, () => []),
  'many-questions': (good) => ofLists(good, () => Array.from({ length: 10_000 }, (_, at) => `What is number ${at}?`)),
};

const ofLists = (good: string, list: () => string[]): string =>
  JSON.stringify(JSON.parse(good), (_key, value: unknown) => (Array.isArray(value) ? list() : value));
