import type { Request } from 'express';
import { CodedError } from '@postmaster/contracts';
import { type Front, identify } from '../front.js';
import { codedErrorOf } from '../graph/shape-error.js';
import type { Answer } from '../http/locals.js';
import type { ServerSentEvent } from '../http/server-sent-events.js';
import { FOLLOW_DOCUMENT } from './operations.js';

/**
 * A document's states as events: `document` with the whole of it, `error` where it could not be looked at, `deleted`
 * at the end. Throws NOT_FOUND where there is none to begin with.
 */
export const followEvents = async (
  front: Front,
  req: Request,
  res: Answer,
  id: string,
): Promise<AsyncIterable<ServerSentEvent>> => {
  const { requestId, ending } = res.locals;
  const subscriber = { identify: () => identify(front, req, res), requestId, signal: ending };
  const results = await front.subscribe(subscriber, { query: FOLLOW_DOCUMENT, variables: { id } });
  if (!(Symbol.asyncIterator in results)) throw faultOf(results);
  const first = await results.next();
  if (first.done) throw new CodedError('SERVICE_UNAVAILABLE', 'The server is stopping.');
  if (!first.value.data?.document) {
    await results.return();
    throw first.value.errors ? faultOf(first.value) : new CodedError('NOT_FOUND', `There is no document "${id}".`);
  }
  const { value } = first;
  return (async function* () {
    yield eventOf(id, value);
    for await (const result of results) yield eventOf(id, result);
  })();
};

type Result = { data?: Record<string, unknown> | null; errors?: readonly { message: string }[] };

const faultOf = ({ errors }: Result): CodedError => codedErrorOf(errors?.[0] ?? { message: 'Nothing came.' });

const eventOf = (id: string, result: Result): ServerSentEvent => {
  if (result.data?.document) return { event: 'document', data: result.data.document };
  return result.errors ? { event: 'error', data: faultOf(result).toFailure() } : { event: 'deleted', data: { id } };
};
