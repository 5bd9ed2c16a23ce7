import type { Request } from 'express';
import { CodedError } from '@postmaster/contracts';
import { type Front, identify } from '../front.js';
import { codedErrorOf } from '../graph/shape-error.js';
import type { Answer } from '../http/locals.js';
import type { ServerSentEvent } from '../http/server-sent-events.js';
import { ASK_STREAM } from './operations.js';
import { refusedError } from './run.js';

type GraphEvent = { __typename: string } & Record<string, unknown>;

const NAMES: Record<string, string> = {
  Hits: 'hits',
  TextDelta: 'text',
  CitationFound: 'citation',
  Done: 'done',
  Refused: 'error',
};

/** An answer as events: `hits`, `text`, `citation`, `done`; `error` where it breaks off. A refusal at once is thrown. */
export const answerEvents = async (
  front: Front,
  req: Request,
  res: Answer,
  variables: Record<string, unknown>,
): Promise<AsyncIterable<ServerSentEvent>> => {
  const { requestId, ending } = res.locals;
  const subscriber = { identify: () => identify(front, req, res), requestId, signal: ending };
  const results = await front.subscribe(subscriber, { query: ASK_STREAM, variables });
  if (!(Symbol.asyncIterator in results)) throw codedErrorOf(results.errors?.[0] ?? { message: 'Nothing came.' });
  const first = await results.next();
  if (first.done) throw new CodedError('SERVICE_UNAVAILABLE', 'The server is stopping.');
  const opening = eventIn(first.value);
  if (opening.__typename === 'Refused') throw refusedError(opening);
  return (async function* () {
    yield asServerSent(opening);
    for await (const result of results) yield asServerSent(eventIn(result));
  })();
};

const eventIn = ({
  data,
  errors,
}: {
  data?: Record<string, unknown> | null;
  errors?: readonly { message: string }[];
}): GraphEvent => {
  const event = data?.answer as GraphEvent | null | undefined; // ASK_STREAM selects __typename
  if (event) return event;
  return { __typename: 'Refused', ...codedErrorOf(errors?.[0] ?? { message: 'Nothing came.' }).toFailure() };
};

const asServerSent = ({ __typename, ...event }: GraphEvent): ServerSentEvent => ({
  event: NAMES[__typename] ?? __typename,
  data: 'citation' in event ? event.citation : event,
});
