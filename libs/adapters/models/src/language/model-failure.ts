import { types } from 'node:util';
import { CodedError, type ErrorCode, type ErrorFacts } from '@postmaster/contracts';

const CODES = {
  busy: 'MODEL_UNREACHABLE', // 429 or 529: it says to come back later
  down: 'MODEL_UNREACHABLE', // 5xx, or the network
  late: 'MODEL_UNREACHABLE', // the time limit passed
  refused: 'MODEL_REFUSED', // the key, the model's name, the size
  unable: 'MODEL_REFUSED', // 400: perhaps a way of asking that it doesn't know
  malformed: 'MODEL_MALFORMED', // it answered in another form
  declined: 'MODEL_DECLINED', // it will not write about this text
  long: 'MODEL_TEXT_TOO_LONG', // its window does not hold the text
} as const satisfies Record<string, ErrorCode>;

export type FailureKind = keyof typeof CODES;

/** Why a call of a language model failed; the kind decides whether to ask again. Holds no key and no document text. */
export class ModelFailure extends CodedError {
  constructor(
    readonly kind: FailureKind,
    message: string,
    facts: ErrorFacts = {},
  ) {
    super(CODES[kind], message, facts);
  }
}

/** The failure that an error of the client library stands for; `server` names the model in messages. */
export const asModelFailure = (error: unknown, server: string): ModelFailure => {
  const chain = causes(error);
  const known = chain.find((cause) => cause instanceof ModelFailure);
  if (known) return known;
  if (chain.some(({ name }) => BLOCKED.test(name)))
    return new ModelFailure('declined', `${server} declines to write about this text.`);
  if (chain.some(({ name }) => UNTELLABLE.test(name)))
    return new ModelFailure('unable', `${server} can't be told the form of the reply in this way.`);
  const code = systemCode(error);
  if (code || chain.some(({ name }) => NETWORK.test(name)))
    return new ModelFailure('down', `${server} broke off the connection${code ? ` (${code})` : ''}.`);
  return new ModelFailure('malformed', `${server} answered in a form that is not its protocol's.`);
};

/** What LangChain's client of Google throws: for a text that its filters stop, and for a schema that it can't translate. */
const BLOCKED = /^(PromptBlocked|NoCandidates)Error$/;
const UNTELLABLE = /^Invalid(Input|Tool)Error$/;
const NETWORK = /^(APIConnection|Timeout|Connect|Socket)/;

/** By its nature and not by `instanceof`: fetch throws errors of another realm where code runs in a sandbox. */
const causes = (error: unknown): Error[] =>
  types.isNativeError(error) ? [error, ...(error.cause === error ? [] : causes(error.cause))] : [];

/** "ECONNREFUSED" and the like, of an error or what caused it. */
export const systemCode = (error: unknown): string | undefined => causes(error).map(codeOf).find(Boolean);

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' && /^(E[A-Z]+|UND_ERR_\w+)$/.test(error.code)
    ? error.code
    : undefined;
