import type { Identity } from '@postmaster/contracts';
import { type FieldNode, Kind, print } from 'graphql';
import { followDocument } from './follow-document.js';
import { resultOfFailure } from './result-errors.js';
import { callFor, type Results, type SubscribeParts, type Subscriber, type Subscription } from './subscription.js';
import { subscriptionAsQuery } from './subscription-as-query.js';

const STATE = 'postmaster_state';

/** The selection is run as a query now and at each change; beside it the status, which says when to end. */
export async function* followed(
  parts: SubscribeParts,
  subscriber: Subscriber,
  { tenant }: Identity,
  { document, operation, field, args, variables }: Subscription,
): Results {
  const { graph, observers, log } = parts;
  const status: FieldNode = {
    ...field,
    alias: { kind: Kind.NAME, value: STATE },
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'status' } }],
    },
  };
  const selections = [...operation.selectionSet.selections, status];
  const watched = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const query = print(subscriptionAsQuery(graph.schema, document, watched));
  const look = async () => {
    const call = callFor(parts, await subscriber.identify(), subscriber);
    const { data, errors } = await graph.run(call, { query, variables });
    const { [STATE]: state, ...rest } = (data ?? {}) as { [STATE]?: { status: string } | null };
    return { result: { data: rest, ...(errors ? { errors } : {}) }, status: errors ? 'UNKNOWN' : state?.status };
  };
  const isLast = ({ status }: { status?: string }) => status === undefined || status === 'DELETED';
  const { signal, requestId } = subscriber;
  try {
    const states = followDocument({ observers, tenant, document: String(args.id), signal }, look, isLast);
    for await (const { result } of states) yield result;
  } catch (error) {
    yield resultOfFailure(error, requestId, log, graph.schema);
  }
}
