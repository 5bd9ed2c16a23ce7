import { fork, type ChildProcess } from 'node:child_process';
import { CodedError } from '@postmaster/contracts';
import type { ParsedDocument } from '@postmaster/ingestion';
import { childEntry } from './entry.js';
import type { ChildMessage, ParseRequest } from './messages.js';

/** What V8 may take of the process's memory; the rest is for buffers and code, which its own limit does not count. */
const HEAP_SHARE = 0.8;
/** Half of V8's room for new objects: 32 MB of 1 GB, where its own 16 MB has trees of markup copied while they are built. */
const NEW_SHARE = 1 / 32;
const START_MS = 60_000;

/** One process that reads one document after the other, until something goes wrong. */
export interface ParserChild {
  readonly memoryMb: number;
  /** Whether another document may be given to it. */
  readonly isUsable: boolean;
  parse(request: ParseRequest, timeoutMs: number, signal?: AbortSignal): Promise<ParsedDocument>;
  /** Resolves when the process is gone. */
  end(): Promise<void>;
}

export const startChild = (memoryMb: number): ParserChild => {
  const child = fork(childEntry(), [String(memoryMb)], {
    env: {}, // no secrets: fork adds what its channel needs
    execArgv: [
      `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
      `--max-semi-space-size=${Math.max(16, Math.min(32, Math.floor(memoryMb * NEW_SHARE)))}`,
      '--single-threaded-gc', // the other cores read other documents
      '--no-warnings',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isUsable = true;
  const gone = new Promise<void>((resolve) => {
    const leave = (): void => {
      isUsable = false;
      resolve();
    };
    child.once('exit', leave).on('error', leave);
  });
  const ready = hear(child, START_MS);
  ready.catch(() => undefined); // whoever parses hears of it

  return {
    memoryMb,
    get isUsable() {
      return isUsable;
    },
    async parse(request, timeoutMs, signal) {
      try {
        await ready.catch((cause: unknown) => {
          isUsable = false;
          throw new Error('The parser process did not start.', { cause }); // no fault of the document
        });
        signal?.throwIfAborted();
        const reply = hear(child, timeoutMs, signal);
        child.send(request);
        const message = await reply;
        if (message.kind === 'parsed') return message.document;
        if (message.kind === 'failed') {
          if (!message.coded) isUsable = false;
          // Not the document's fault: the file is gone, or this code is wrong. What it says is for the log alone.
          if (message.code === 'INTERNAL') throw new Error(`The parser process failed: ${message.message}`);
          throw new CodedError(message.code, message.message, { next: message.next || undefined });
        }
        throw new Error('The parser process answered out of turn.');
      } catch (error) {
        if (error instanceof Silence) isUsable = false;
        if (!isUsable) child.kill('SIGKILL');
        throw error instanceof Silence ? error.toCodedError(timeoutMs, memoryMb) : error;
      }
    },
    async end() {
      child.kill('SIGKILL');
      await gone;
    },
  };
};

/** No message came: the time was up, the process ended, or nobody wants the answer any more. */
class Silence extends Error {
  constructor(
    private readonly why: 'timeout' | 'exit' | 'abort',
    private readonly facts: { code?: number | null; signal?: string | null; reason?: unknown } = {},
  ) {
    super(why);
  }

  toCodedError(timeoutMs: number, memoryMb: number): unknown {
    if (this.why === 'abort') return this.facts.reason;
    if (this.why === 'timeout') {
      return new CodedError('PARSE_TIMEOUT', `Reading the document took longer than ${timeoutMs / 1000} s.`);
    }
    // V8 aborts when its heap is full; the watchdog and the system's own memory guard kill.
    if (/^SIG(KILL|ABRT|TRAP)$/.test(this.facts.signal ?? '') || this.facts.code === 134) {
      return new CodedError('PARSE_MEMORY', `Reading the document needed more than ${memoryMb} MB of memory.`);
    }
    const how = this.facts.signal ?? `code ${this.facts.code}`;
    return new CodedError('DOCUMENT_BROKEN', `The process that read the document broke down over it (${how}).`);
  }
}

/** The next message but for those that a page begins, each of which gives as much time again. */
const hear = (child: ChildProcess, withinMs: number, signal?: AbortSignal): Promise<ChildMessage> =>
  new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      act();
    };
    const onMessage = (sent: unknown): void => {
      const message = sent as ChildMessage; // our own child's
      if (message.kind === 'page') timer.refresh();
      else settle(() => resolve(message));
    };
    const onExit = (code: number | null, end: string | null): void =>
      settle(() => reject(new Silence('exit', { code, signal: end })));
    const onAbort = (): void => settle(() => reject(new Silence('abort', { reason: signal?.reason })));
    const timer = setTimeout(() => settle(() => reject(new Silence('timeout'))), withinMs);
    child.on('message', onMessage).on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
  });
