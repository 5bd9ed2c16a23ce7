import type { Request } from 'express';
import { CodedError, type ErrorCode, CODES } from '@postmaster/contracts';
import type { GraphQLFormattedError } from 'graphql';
import { callFor, type Front, identify } from '../front.js';
import { codedErrorOf } from '../graph/shape-error.js';
import type { Answer } from '../http/locals.js';

export interface Ran {
  data: Record<string, unknown>;
  /** Of the parts that are missing. */
  errors?: { code: unknown; message: string; next: unknown }[];
}

/**
 * Runs a REST request as the GraphQL operation that it stands for. A failure is thrown where there is nothing of its
 * first field; elsewhere it comes beside the data.
 */
export const run = async (
  front: Front,
  req: Request,
  res: Answer,
  query: string,
  variables: Record<string, unknown>,
): Promise<Ran> => {
  const identity = await identify(front, req, res);
  const { data, errors = [] } = await front.graph.run(callFor(front, identity, res), { query, variables });
  const failures: readonly GraphQLFormattedError[] = errors;
  const [first] = failures;
  if (first && Object.values(data ?? {}).every((value) => value === null)) throw codedErrorOf(first);
  const told = new Map(failures.map((error) => [`${error.extensions?.code} ${error.message}`, error])); // one for many places
  const missing = [...told.values()].map(({ message, extensions }) => ({
    code: extensions?.code,
    message,
    next: extensions?.next,
  }));
  return { data: data ?? {}, ...(missing.length > 0 ? { errors: missing } : {}) };
};

/** A mutation's result, unless it was Refused. */
export const notRefused = (result: unknown): Record<string, unknown> => {
  const value = result as { __typename: string } & Record<string, unknown>; // every mutation selects __typename
  if (value.__typename !== 'Refused') return value;
  throw refusedError(value);
};

export const refusedError = (refused: Record<string, unknown>): CodedError => {
  const { code, message, next, field } = refused as {
    code: string;
    message: string;
    next: string;
    field?: string | null;
  };
  const known = Object.hasOwn(CODES, code) ? (code as ErrorCode) : 'INTERNAL';
  return new CodedError(known, message, { next, field: field ?? undefined });
};
