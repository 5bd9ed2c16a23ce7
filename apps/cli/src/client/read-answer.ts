import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

/** RFC 9457, with the code and the next step that are ours. */
const Problem = z.object({ code: z.string(), detail: z.string(), next: z.string() });

const GraphQLErrors = z.object({
  errors: z
    .array(
      z.object({
        message: z.string(),
        extensions: z.object({ code: z.string().optional(), next: z.string().optional() }).optional(),
      }),
    )
    .min(1),
});

/** Reads a JSON answer by its schema; a refusal is thrown with the server's own code. */
export const readAnswer = async <T extends z.ZodType>(schema: T, answer: IncomingMessage): Promise<z.output<T>> => {
  const body = jsonIn(await text(answer));
  const status = answer.statusCode ?? 0;
  if (status >= 400 || body === undefined) throw refusalOf(status, body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw notUnderstood(`${z.prettifyError(parsed.error).split('\n')[0]}`);
};

const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

export const refusalOf = (status: number, body: unknown): CliError => {
  const problem = Problem.safeParse(body);
  if (problem.success) return serverError(problem.data.code, problem.data.detail, problem.data.next, status);
  const [error] = GraphQLErrors.safeParse(body).data?.errors ?? [];
  if (error) return serverError(error.extensions?.code ?? 'INTERNAL', error.message, error.extensions?.next, status);
  return notUnderstood(`status ${status}`);
};

const NOT_ALLOWED = new Set(['KEY_MISSING', 'KEY_INVALID', 'FORBIDDEN', 'ORIGIN_REFUSED', 'IDENTITY_INVALID']);
const MISUSED = new Set(['INPUT_INVALID', 'QUERY_EMPTY', 'QUERY_TOO_LONG', 'FILTER_INVALID']);
const PASSING = new Set(['SERVICE_UNAVAILABLE', 'TIMED_OUT']);

/** A failure that the server told, with the exit code that it means. */
export const serverError = (
  code: string,
  message: string,
  next = 'Look at the log of the server.',
  status = 200,
): CliError => {
  const refused = NOT_ALLOWED.has(code) || status === 401 || status === 403;
  const exit: ExitCode = refused ? EXIT.notAllowed : MISUSED.has(code) ? EXIT.usage : EXIT.failed;
  const advice =
    code === 'KEY_MISSING' || code === 'KEY_INVALID'
      ? 'Set POSTMASTER_API_KEY to a key of this server; that of a local one is in `api-key` in its data folder.'
      : next;
  return new CliError(code, message, advice, exit, PASSING.has(code));
};

const notUnderstood = (what: string): CliError =>
  new CliError(
    'ANSWER_NOT_UNDERSTOOD',
    `The server's answer has another form than this command line knows (${what}).`,
    'See that POSTMASTER_URL names a Postmaster server, and that both are of the same version.',
  );
