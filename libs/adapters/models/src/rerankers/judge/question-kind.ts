/** What a question asks for. */
export type QuestionKind = 'person' | 'time' | 'place' | 'number' | 'reason' | 'manner' | 'yes-no' | 'thing';

/** The first that fits decides; both languages at once, because their words do not meet. */
const KINDS: readonly [QuestionKind, RegExp][] = [
  ['time', /\b(when|(what|which) (year|date|day|month|time)|how long)\b|\b(hvornår|hvilke[tn]? (år|dag|dato|måned)|hvor længe)\b/],
  ['number', /\bhow (many|much|often|old|far|high|large|big|tall|few)\b|\b(what|which) (share|percentage|number|price)\b|\bhvor (mange|meget|ofte|gam|stor|høj|lang|tit|få)/],
  ['reason', /\b(why|what (caused?|causes)|for what reason)\b|\b(hvorfor|hvad skyldes|af hvilken grund)\b/],
  ['person', /\b(who|whom|whose)\b|\bhvem\b/],
  ['place', /\b(where|(what|which) (city|country|place|town|street))\b|\bhvor\b|\bhvilke[tn]? (by|land|sted|gade)\b/],
  ['manner', /\bhow\b|\b(hvordan|hvorledes)\b/],
  ['yes-no', /^(is|are|was|were|do|does|did|can|may|must|should|has|have|had|will|er|var|har|havde|kan|må|skal|bliver|blev|findes|gælder|får)(?!\p{L})/u],
];

export const questionKind = (question: string): QuestionKind => {
  const asked = question.trim().toLowerCase();
  return KINDS.find(([, words]) => words.test(asked))?.[0] ?? 'thing';
};
