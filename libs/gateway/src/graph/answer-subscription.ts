import { answerStream, CodedError, failureOf, type Identity } from '@postmaster/contracts';
import { execute } from 'graphql';
import { type AnswerArguments, answerRequestOf, asGraphEvent } from './answer-event.js';
import { splitSelection } from './fill-paragraphs.js';
import { withLastShape } from './result-errors.js';
import { callFor, type Results, type SubscribeParts, type Subscriber, type Subscription } from './subscription.js';

/** Retrieval's events in the shape that was selected; what other services own is filled in through the gateway. */
export async function* answered(
  parts: SubscribeParts,
  subscriber: Subscriber,
  identity: Identity,
  { document, operation, args, variables }: Subscription,
): Results {
  const { graph, seal, requests, log } = parts;
  const { schema } = graph; // an answer keeps the shape that it began in
  const { own, fill } = splitSelection(schema, document, operation, variables);
  const run = (query: string, values: Record<string, unknown>) =>
    graph.run(callFor(parts, identity, subscriber), { query, variables: values });
  const shape = async (event: Record<string, unknown>) => {
    const result = await execute({
      schema,
      document: own,
      rootValue: { answer: event },
      variableValues: variables,
    });
    return fill(withLastShape(result, subscriber.requestId), run);
  };
  try {
    const token = await seal.sign(identity);
    const events = requests.stream(
      answerStream,
      token,
      answerRequestOf(args as unknown as AnswerArguments), // coerced by the schema
      subscriber.signal,
    );
    for await (const event of events) yield await shape(asGraphEvent(event));
  } catch (error) {
    if (subscriber.signal.aborted) return;
    if (!(error instanceof CodedError))
      log.error({ requestId: subscriber.requestId, err: error }, 'an answer broke off');
    yield await shape(asGraphEvent({ type: 'refused', ...failureOf(error) }));
  }
}
