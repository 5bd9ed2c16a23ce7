import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError, usage } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';

export interface ServerPlace {
  url: string;
  key: string | undefined;
  /** Its data folder, where it is this machine's. */
  data?: string;
  /** Said where nothing answers there. */
  absent: CliError;
}

export const HOW_TO_START = 'Start a server: `npm start` in the checkout, and leave it running.';

const Note = z.object({ url: z.url(), data: z.string(), pid: z.number() });
type Note = z.infer<typeof Note>;

const noServer = (message: string, next = HOW_TO_START): CliError =>
  new CliError('NO_SERVER', message, next, EXIT.noServer);

/**
 * POSTMASTER_URL, or else the server that noted itself under the user's home; its key is POSTMASTER_API_KEY, or the
 * one in its data folder. A noted server's key is sent to no other address.
 */
export const findServer = async ({ env, home }: Pick<Surroundings, 'env' | 'home'>): Promise<ServerPlace> => {
  const note = await readNote(home);
  const given = env.POSTMASTER_URL?.trim();
  if (given) {
    const url = httpUrl(given);
    const noted = note !== undefined && sameOrigin(note.url, url);
    return {
      url,
      key: env.POSTMASTER_API_KEY || (noted ? await readKey(note) : undefined),
      ...(noted && { data: note.data }),
      absent: noServer(
        `Nothing answers at ${url}, which POSTMASTER_URL names.`,
        'Start that server, or correct POSTMASTER_URL.',
      ),
    };
  }
  if (!note) throw noServer('No server runs here, and POSTMASTER_URL names none.');
  return {
    url: note.url,
    key: env.POSTMASTER_API_KEY || (await readKey(note)),
    data: note.data,
    absent: noServer(`The server that ran at ${note.url} (process ${note.pid}) does not answer any more.`),
  };
};

const readNote = async (home: string): Promise<Note | undefined> => {
  const text = await readFile(join(home, '.postmaster', 'server.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return Note.parse(JSON.parse(text));
  } catch {
    return undefined; // half-written by a server that was killed: the same as none
  }
};

const readKey = async ({ data }: Note): Promise<string | undefined> =>
  (await readFile(join(data, 'api-key'), 'utf8').catch(() => '')).trim() || undefined;

const httpUrl = (given: string): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/$/, '');
  throw usage(
    `POSTMASTER_URL is "${given}", which is no http(s) address.`,
    'Set it to something like http://127.0.0.1:4000.',
  );
};

const sameOrigin = (a: string, b: string): boolean => new URL(a).origin === new URL(b).origin;
