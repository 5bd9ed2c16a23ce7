import { CITATION, HIT, NOTICES } from './operation-parts.js';

export const SIMILAR = `query ($paragraph: ID!, $first: Int) {
  similar: moreLikeThis(paragraph: $paragraph, first: $first) { hits { ${HIT} } ${NOTICES} }
}`;

export const JUDGE = `query ($query: String!, $paragraph: ID!) {
  judgement: judge(query: $query, paragraph: $paragraph) { grade reason model ${NOTICES} }
}`;

export const JUDGE_ANSWER = `query ($query: String!, $answer: String!, $sources: [ID!]!) {
  judgement: judgeAnswer(query: $query, answer: $answer, sources: $sources) { grade reason model ${NOTICES} }
}`;

export const SUMMARIZE = `query ($filter: SearchFilter, $points: Int) {
  summary: summarize(filter: $filter, points: $points) {
    points { text citations { ${CITATION} } } documents model ${NOTICES}
  }
}`;

export const QUALITY_OPERATIONS: readonly string[] = [SIMILAR, JUDGE, JUDGE_ANSWER, SUMMARIZE];
