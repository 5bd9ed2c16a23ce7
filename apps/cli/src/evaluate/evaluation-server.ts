import { EvaluatedQuestion, EvaluationFacts, ModelUsage } from '@postmaster/contracts';
import type { EvaluationServer } from '@postmaster/evaluation';
import { z } from 'zod';
import { clientOf } from '../client/client.js';
import type { ServerPlace } from '../client/find-server.js';

const PATH = 'api/v1/evaluations';
const Added = z.object({ usage: ModelUsage });
const Asked = z.object({ questions: z.array(EvaluatedQuestion) });
/** What is left of a run that was stopped is still dropped. */
const DROP_MS = 30_000;

/** The evaluations of a running server. */
export const evaluationServer = (place: ServerPlace, signal: AbortSignal): EvaluationServer => {
  const { send } = clientOf(place, signal);
  return {
    begin: (collections) => send(EvaluationFacts, 'POST', PATH, { collections: [...collections] }),
    add: (id, paragraphs) => send(Added, 'POST', `${PATH}/${id}/paragraphs`, { paragraphs: [...paragraphs] }),
    ask: async (id, asked) => (await send(Asked, 'POST', `${PATH}/${id}/questions`, { ...asked })).questions,
    drop: (id) => clientOf(place, AbortSignal.timeout(DROP_MS)).send(z.unknown(), 'DELETE', `${PATH}/${id}`),
  };
};
