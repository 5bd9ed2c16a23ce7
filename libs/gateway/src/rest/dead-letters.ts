import {
  CodedError,
  DeadLetterFacts,
  type DeadLetterFilter,
  DeadLetterPlace,
  deadLetterRequests,
  DeadLetterService,
  failureOf,
  type Identity,
  type RetriedDeadLetters,
} from '@postmaster/contracts';
import type { Front } from '../front.js';
import type { DeadLetterAddress, DeadLetterNotice } from './dead-letter-shapes.js';

interface Asked<T> {
  answers: { service: DeadLetterService; value: T }[];
  notices: DeadLetterNotice[];
}

type Requests = ReturnType<typeof deadLetterRequests>;

/** Asks services side by side; what one of them can't give is a notice beside what the others gave. */
const askEach = async <T>(
  front: Front,
  services: readonly DeadLetterService[],
  ask: (service: DeadLetterService, requests: Requests) => Promise<T>,
): Promise<Asked<T>> => {
  const all: Asked<T> = { answers: [], notices: [] };
  await Promise.all(
    services.map(async (service) => {
      try {
        all.answers.push({ service, value: await ask(service, deadLetterRequests(service)) });
      } catch (error) {
        if (!(error instanceof CodedError))
          front.log.error({ err: error, service }, 'dead letters could not be asked for');
        all.notices.push({ service, ...failureOf(error) });
      }
    }),
  );
  all.notices.sort((one, other) => one.service.localeCompare(other.service));
  return all;
};

const servicesOf = (service: DeadLetterService | undefined): readonly DeadLetterService[] =>
  service ? [service] : DeadLetterService.options;

export const listDeadLetters = async (
  front: Front,
  identity: Identity,
  {
    service,
    filter,
    first,
    after,
  }: { service?: DeadLetterService; filter: DeadLetterFilter; first: number; after?: string },
) => {
  const token = await front.seal.sign(identity);
  const page = { filter, first, after: after === undefined ? undefined : placeIn(after) };
  const { answers, notices } = await askEach(front, servicesOf(service), (_, { list }) =>
    front.requests.ask(list, token, page),
  );
  const merged = answers.flatMap(({ value }) => value.letters).sort(newestFirst);
  const deadLetters = merged.slice(0, first);
  const last = deadLetters.at(-1);
  const more = merged.length > first || answers.some(({ value }) => value.more);
  return { deadLetters, next: more && last ? cursorOf(last) : null, notices };
};

/** As each service's own list is ordered. */
const newestFirst = (one: DeadLetterFacts, other: DeadLetterFacts): number =>
  one.buriedAt === other.buriedAt ? compare(other.id, one.id) : compare(other.buriedAt, one.buriedAt);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const cursorOf = ({ buriedAt, id }: DeadLetterFacts): string => Buffer.from(`${buriedAt} ${id}`).toString('base64url');

const placeIn = (cursor: string): DeadLetterPlace => {
  const [at, id] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const place = DeadLetterPlace.safeParse({ at, id });
  if (place.success) return place.data;
  throw new CodedError('INPUT_INVALID', '"after": not a `next` of this list', { field: 'after' });
};

export const showDeadLetter = async (front: Front, identity: Identity, { service, id }: DeadLetterAddress) => {
  const { show } = deadLetterRequests(service);
  const { letter } = await front.requests.ask(show, await front.seal.sign(identity), { id });
  return letter ?? absent({ service, id });
};

export const dropDeadLetter = async (front: Front, identity: Identity, address: DeadLetterAddress) => {
  const { drop } = deadLetterRequests(address.service);
  const { dropped } = await front.requests.ask(drop, await front.seal.sign(identity), { id: address.id });
  return dropped ? address : absent(address);
};

const absent = ({ service, id }: DeadLetterAddress): never => {
  throw new CodedError('NOT_FOUND', `There is no dead letter ${service}/${id}.`, {
    next: 'List dead letters to see what is there; it may have been sent again meanwhile.',
  });
};

/** Sends those of the addresses again, or all that the filter means. */
export const retryDeadLetters = async (
  front: Front,
  identity: Identity,
  choice: { addresses: readonly DeadLetterAddress[] } | { service?: DeadLetterService; filter: DeadLetterFilter },
) => {
  const token = await front.seal.sign(identity);
  const ids = new Map<DeadLetterService, string[]>();
  if ('addresses' in choice)
    for (const { service, id } of choice.addresses) ids.set(service, [...(ids.get(service) ?? []), id]);
  const services = 'addresses' in choice ? [...ids.keys()] : servicesOf(choice.service);
  const { answers, notices } = await askEach(front, services, (service, { retry }) =>
    front.requests.ask(
      retry,
      token,
      'addresses' in choice ? { ids: ids.get(service) ?? [] } : { filter: choice.filter },
    ),
  );
  const sum = (of: (value: RetriedDeadLetters) => number): number =>
    answers.reduce((total, { value }) => total + of(value), 0);
  return {
    retried: sum(({ retried }) => retried),
    failed: sum(({ failed }) => failed),
    failures: answers.flatMap(({ service, value }) => value.failures.map((one) => ({ service, ...one }))),
    more: answers.some(({ value }) => value.more),
    notices,
  };
};
