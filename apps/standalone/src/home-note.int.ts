import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leaveNote, takeNoteAway } from './home-note.js';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'home-note-'));
});
afterAll(async () => {
  await rm(home, { recursive: true });
});

it('the note of a running server is whole as soon as it is there, and goes with the server that left it', async () => {
  const path = join(home, '.postmaster', 'server.json');
  for (let pid = 1; pid <= 50; pid++) {
    const left = leaveNote({ url: 'http://127.0.0.1:4000', data: home, pid }, home);
    let isLeft = false;
    void left.then(() => (isLeft = true));
    while (!isLeft) {
      if (existsSync(path)) expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveProperty('pid');
      await new Promise(setImmediate);
    }
    await takeNoteAway(pid + 1, home);
    expect(existsSync(path)).toBe(true);
    await takeNoteAway(pid, home);
    expect(existsSync(path)).toBe(false);
  }
});
