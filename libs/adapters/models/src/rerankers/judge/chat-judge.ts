import type { Verdict } from '@postmaster/contracts';
import type { Reranker } from '@postmaster/retrieval';
import { askChain } from '../../language/ask-chain.js';
import type { CallSettings } from '../../language/ask-in-form.js';
import type { ModelChain } from '../../language/model-chain.js';
import { readInWindows } from '../read-in-windows.js';
import { judgePrompt } from './judge-prompt.js';
import { JUDGE_FORM, judgeReply } from './judge-reply.js';

/** So many share the instructions of one call. More would be cheaper, and judged with less care for each. */
const PER_CALL = 5;
const MAX_TOKENS = 1_500;
/** A search waits for it: one more try, and none after long waits. */
const AGAIN = { attempts: 1, malformed: 1, initialDelayMs: 200 };

/** A language model as a judge of passages, several in a call. Of a judged passage, the score is (grade + 1 where relevant) / 4. */
export const chatJudge = (chain: ModelChain, settings: CallSettings = {}): Reranker => {
  const ask = askChain(chain, { ...settings, again: settings.again ?? AGAIN });
  return {
    id: `judge:${chain.servers[0].id}`,
    maxTextsPerCall: PER_CALL,
    maxTokens: MAX_TOKENS,
    rerank: ({ text, language }, passages, signal, onPaid) =>
      readInWindows(text, passages, {
        maxTokens: MAX_TOKENS,
        perCall: PER_CALL,
        ask: async (question, windows) => {
          const prompt = judgePrompt({ text: question, language }, windows);
          const { reply } = await ask({ prompt, form: JUDGE_FORM, schema: judgeReply(windows.length), onPaid }, signal);
          return reply.map((verdict) => ({ score: scoreOf(verdict), verdict }));
        },
      }),
    close: async () => undefined, // its calls end with their signals
  };
};

/** 0…1 in quarters. Where a model contradicts itself (relevant with grade 0), both of its words count. */
const scoreOf = ({ relevant, grade }: Verdict): number => (grade + (relevant ? 1 : 0)) / 4;
