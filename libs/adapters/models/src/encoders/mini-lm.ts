import { availableParallelism } from 'node:os';
import { CodedError } from '@postmaster/contracts';
import { type Encoder, TextTooLongError } from '@postmaster/embedding';
import { MINI_LM } from './mini-lm-facts.js';
import type { Reply, Task } from './mini-lm-messages.js';
import { type Job, workerEntry } from './mini-lm-thread.js';
import { MiniLMThreads } from './mini-lm-threads.js';
import { passageHold } from './passage-hold.js';
import { newControl, setHold } from './thread-control.js';

const MAX_TEXTS_PER_CALL = 1_024;

/** Text of these characters alone has at most a token per character; so short, it fits without counting. */
const CERTAINLY_FITS = /^[\u0000-\u024f]{0,254}$/;

/**
 * The bundled all-MiniLM-L6-v2 (English, 384 dimensions) in this process, on `threads` threads for passages and one
 * for queries; one text a run, so that a vector depends on its text alone. Resolves when it is loaded.
 */
export const miniLM = async ({ threads = availableParallelism() }: { threads?: number } = {}): Promise<Encoder> => {
  const control = newControl();
  const holds = passageHold((held) => setHold(control, held));
  const pool = new MiniLMThreads(workerEntry(), control, threads);
  const close = async (): Promise<void> => {
    const closed = pool.close(); // first it stops the threads: a passage that is held is not to start now
    holds.end();
    await closed;
  };
  await pool.start().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...MINI_LM,
    maxTextsPerCall: MAX_TEXTS_PER_CALL,
    embed: async (texts, as, signal) => {
      if (texts.length > MAX_TEXTS_PER_CALL) throw tooMany(texts.length);
      return answers(
        pool,
        texts.map((text) => ({ kind: as, text })),
        vectorOf,
        signal,
      );
    },
    windows: async (text) => {
      if (CERTAINLY_FITS.test(text)) return [text];
      const [pieces] = await answers(pool, [{ kind: 'windows', text }], piecesOf);
      return pieces!;
    },
    hold: holds.take,
    close,
  };
};

/** The answers to all tasks, in their order. The first failure, or the abort, withdraws what still waits. */
const answers = <T>(
  pool: MiniLMThreads,
  tasks: readonly Task[],
  read: (reply: Reply) => T,
  signal?: AbortSignal,
): Promise<T[]> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const found: T[] = [];
    let missing = tasks.length;
    const end = (): void => signal?.removeEventListener('abort', abort);
    const fail = (error: unknown): void => {
      end();
      pool.withdraw(jobs);
      reject(error);
    };
    const abort = (): void => fail(signal?.reason);
    const jobs = tasks.map((task, index): Job => ({
      task,
      fail,
      settle: (reply) => {
        try {
          found[index] = read(reply);
        } catch (error) {
          return fail(error);
        }
        if (--missing > 0) return;
        end();
        resolve(found);
      },
    }));
    if (missing === 0) return resolve([]);
    signal?.addEventListener('abort', abort);
    pool.submit(jobs);
  });

const vectorOf = (reply: Reply): Float32Array => {
  if (reply.kind === 'vector') return new Float32Array(reply.vector);
  if (reply.kind === 'too-long')
    throw new TextTooLongError({ encoder: MINI_LM.id, maxTokens: MINI_LM.maxTokens, tokens: reply.tokens });
  throw unexpected(reply);
};

const piecesOf = (reply: Reply): string[] => {
  if (reply.kind === 'windows') return reply.pieces;
  throw unexpected(reply);
};

const unexpected = (reply: Reply): CodedError =>
  new CodedError(
    'ENCODER_REFUSED',
    `The bundled encoder failed: ${reply.kind === 'failed' ? reply.why : reply.kind}.`,
    {
      next: 'Report it with the text at fault; the other texts are not affected.',
    },
  );

const tooMany = (count: number): CodedError =>
  new CodedError('ENCODER_REFUSED', `"${MINI_LM.id}" takes ${MAX_TEXTS_PER_CALL} texts a call but was given ${count}.`);
