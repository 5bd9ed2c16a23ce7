import { nuid as newNuid } from '@nats-io/nats-core';
import { CodedError } from '@postmaster/contracts';
import { z } from 'zod';
import type { NatsBucket } from './nats-bucket.js';

/**
 * Notes of objects that are being written or removed. The note is there before the first chunk and gone after the last
 * step, so that whoever is killed in between leaves a note of it, and nothing else has to be looked through.
 */
export interface Unfinished {
  begin(name: string, nuid: string): Promise<void>;
  /** Where it fails, the note is swept later: that costs nothing but its place. */
  end(nuid: string): Promise<void>;
  /** Removes the chunks of a note older than this unless its object lives; gives how many notes there were. */
  sweep(olderThanMs: number): Promise<number>;
}

const Note = z.object({ name: z.string() });

export const unfinishedIn = (bucket: NatsBucket, now: () => number = Date.now): Unfinished => {
  const purge = (filter: string) => bucket.manage(({ streams }) => streams.purge(bucket.stream, { filter }));
  const notes = () =>
    bucket.manage(async ({ streams }) => {
      const { state } = await streams.info(bucket.stream, { subjects_filter: bucket.unfinishedOf('*') });
      return Object.keys(state.subjects ?? {});
    });

  const settle = async (subject: string, olderThanMs: number): Promise<boolean> => {
    const note = await bucket.manage(({ streams }) => streams.getMessage(bucket.stream, { last_by_subj: subject }));
    if (!note || note.time.getTime() >= now() - olderThanMs) return false;
    const nuid = subject.slice(subject.lastIndexOf('.') + 1);
    const { meta: living } = await bucket.find(Note.parse(note.json()).name);
    if (living?.nuid !== nuid) await purge(bucket.chunksOf(nuid));
    await purge(subject);
    return true;
  };

  return {
    begin: async (name, nuid) => {
      await bucket.publish(bucket.unfinishedOf(nuid), JSON.stringify({ name }), { msgID: newNuid.next() });
    },
    end: async (nuid) => {
      await purge(bucket.unfinishedOf(nuid)).catch((error: unknown) => {
        if (!(error instanceof CodedError)) throw error;
      });
    },
    sweep: async (olderThanMs) => {
      await bucket.ensure();
      let swept = 0;
      for (const subject of await notes()) if (await settle(subject, olderThanMs)) swept++;
      return swept;
    },
  };
};
