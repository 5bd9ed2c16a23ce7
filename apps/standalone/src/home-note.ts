import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Under the user's home: where the server that started last runs, and where its data are. The command line looks there. */
const notePath = (home: string): string => join(home, '.postmaster', 'server.json');

export const leaveNote = async (note: { url: string; data: string; pid: number }, home = homedir()): Promise<void> => {
  const path = notePath(home);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const whole = `${path}.${note.pid}`; // whoever waits for the note reads it as soon as it is there
  await writeFile(whole, JSON.stringify(note, null, 2), { mode: 0o600 });
  await rename(whole, path);
};

/** Takes the note away where it is still this process's. */
export const takeNoteAway = async (pid: number, home = homedir()): Promise<void> => {
  const path = notePath(home);
  const text = await readFile(path, 'utf8').catch(() => '{}');
  if ((JSON.parse(text) as { pid?: number }).pid === pid) await rm(path, { force: true });
};
