import type { Parser } from '@postmaster/ingestion';
import { startChild, type ParserChild } from './child/parser-child.js';
import { sweepSpools, withSpool } from './child/spool.js';
import type { OcrSettings } from './ocr/ocr.js';

export interface ChildProcessParserOptions {
  /** Documents read at the same time; a process each. */
  poolSize: number;
  /** How long a process waits for its next document; 30 s where absent. */
  idleMs?: number;
  /** Absent: pages that are pictures are not read. */
  ocr?: OcrSettings;
}

/** The least memory in which Node and a PDF reader start. */
const MIN_MEMORY_MB = 200;

/**
 * Reads documents in processes of their own, made when needed: one document at a time each, kept for the next one after
 * success, thrown away after anything else than a plain coded answer, killed at the limits of time and memory. They get
 * a path and an empty environment, and end with this process. More documents than processes wait their turn.
 */
export const childProcessParser = ({ poolSize, idleMs = 30_000, ocr }: ChildProcessParserOptions): Parser => {
  const idle: { child: ParserChild; timer: NodeJS.Timeout }[] = [];
  const all = new Set<ParserChild>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let isClosed = false;
  void sweepSpools(Date.now());

  const enter = async (): Promise<void> => {
    if (running >= poolSize) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };

  const drop = async (child: ParserChild): Promise<void> => {
    await child.end();
    all.delete(child);
  };
  const take = (memoryMb: number): ParserChild => {
    for (let entry = idle.pop(); entry; entry = idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.child.isUsable && entry.child.memoryMb === memoryMb) return entry.child;
      void drop(entry.child);
    }
    const child = startChild(memoryMb);
    all.add(child);
    return child;
  };
  const giveBack = (child: ParserChild): void => {
    if (!child.isUsable || isClosed) return void drop(child);
    const entry = {
      child,
      timer: setTimeout(() => {
        idle.splice(idle.indexOf(entry), 1);
        void drop(child);
      }, idleMs).unref(),
    };
    idle.push(entry);
  };

  return {
    async parse(file, { timeoutMs, memoryMb }, signal, keep) {
      await enter();
      try {
        if (isClosed) throw new Error('The parser is closed.');
        signal?.throwIfAborted();
        const child = take(Math.max(memoryMb, MIN_MEMORY_MB));
        try {
          if (!keep) return await child.parse({ ...file, ocr }, timeoutMs, signal);
          return await withSpool(keep, (spool) => child.parse({ ...file, ocr, spool }, timeoutMs, signal));
        } finally {
          giveBack(child);
        }
      } finally {
        leave();
      }
    },
    async close() {
      isClosed = true;
      for (const { timer } of idle) clearTimeout(timer);
      await Promise.all([...all].map(drop));
    },
  };
};
