import { availableParallelism } from 'node:os';
import { CodedError } from '@postmaster/contracts';
import { type Encoder, TextTooLongError } from '@postmaster/embedding';
import { ENCODER_SERVICE } from '../model-service.js';
import { askThreads } from '../onnx/ask-threads.js';
import type { Reply } from '../onnx/onnx-messages.js';
import { workerEntry } from '../onnx/onnx-thread.js';
import { OnnxThreads } from '../onnx/onnx-threads.js';
import { newControl, setHold } from '../onnx/thread-control.js';
import type { EncoderProfile } from './encoder-profile.js';
import { passageHold } from './passage-hold.js';

const MAX_TEXTS_PER_CALL = 1_024;
const LATIN = /^[\u0000-\u024f]*$/;

export interface OnnxEncoderOptions {
  /** For passages; one per core unless set. */
  threads?: number;
  /** Names it in messages: "bundled encoder". */
  name: string;
}

/**
 * An encoder in this process, on `threads` threads for passages and one for queries; one text a run, so that a vector
 * depends on its text alone. Resolves when it is loaded.
 */
export const onnxEncoder = async (
  profile: EncoderProfile,
  { threads = availableParallelism(), name }: OnnxEncoderOptions,
): Promise<Encoder> => {
  const { id, dimension, maxTokens, surelyFits } = profile;
  const control = newControl();
  const holds = passageHold((held) => setHold(control, held));
  const service = { ...ENCODER_SERVICE, name };
  const pool = new OnnxThreads(workerEntry(), control, threads, { kind: 'encoder', profile }, service);
  const close = async (): Promise<void> => {
    const closed = pool.close(); // first it stops the threads: a passage that is held is not to start now
    holds.end();
    await closed;
  };
  await pool.start().catch(async (error: unknown) => {
    await close();
    throw error;
  });

  const unexpected = (reply: Reply): CodedError =>
    new CodedError('ENCODER_REFUSED', `The ${name} failed: ${reply.kind === 'failed' ? reply.why : reply.kind}.`, {
      next: 'Report it with the text at fault; the other texts are not affected.',
    });
  const vectorOf = (reply: Reply): Float32Array => {
    if (reply.kind === 'vector') return new Float32Array(reply.vector);
    if (reply.kind === 'too-long') throw new TextTooLongError({ encoder: id, maxTokens, tokens: reply.tokens });
    throw unexpected(reply);
  };
  const piecesOf = (reply: Reply): string[] => {
    if (reply.kind === 'windows') return reply.pieces;
    throw unexpected(reply);
  };

  return {
    ...{ id, dimension, maxTokens },
    maxTextsPerCall: MAX_TEXTS_PER_CALL,
    embed: async (texts, as, signal) => {
      if (texts.length > MAX_TEXTS_PER_CALL)
        throw new CodedError(
          'ENCODER_REFUSED',
          `"${id}" takes ${MAX_TEXTS_PER_CALL} texts a call but was given ${texts.length}.`,
        );
      const tasks = texts.map((text) => ({ kind: as, text }));
      return askThreads(pool, tasks, vectorOf, signal);
    },
    windows: async (text) => {
      if (text.length <= surelyFits && LATIN.test(text)) return [text];
      const [pieces] = await askThreads(pool, [{ kind: 'windows', text }], piecesOf);
      return pieces!;
    },
    hold: holds.take,
    close,
  };
};
