// What an upload of 50 MB adds to the server's memory while it streams to the store: the most that is seen, over what the
// server takes at rest after an upload of the same kind.
import { readFile } from 'node:fs/promises';
import { load, quantiles, sleep, timed } from './figures.mjs';
import { withFolder, withServer } from './server.mjs';

const MB = 1e6;
const SIZE = 50 * MB;
const ROUNDS = 5;
const EVERY_MS = 10;

/** Zeros after a PDF's mark: it is stored whole, and refused when it is read, so that reading adds nothing. */
const file = (round) => {
  const bytes = new Uint8Array(SIZE);
  bytes.set(new TextEncoder().encode(`%PDF-1.7 ${round}`));
  return { name: `large-${round}.pdf`, text: bytes };
};

const residentOf = async (pid) => {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  return (Number(kilobytes) * 1024) / MB;
};

export const upload = async () =>
  withFolder((folder) =>
    withServer(folder, {}, async (server, { pid }) => {
      await server.upload(file(0));
      const grown = [];
      const took = [];
      for (let round = 1; round <= ROUNDS; round++) {
        await sleep(3_000); // what the last one left is read, and refused
        const before = await residentOf(pid);
        let most = before;
        const watch = setInterval(async () => (most = Math.max(most, await residentOf(pid))), EVERY_MS);
        took.push((await timed(() => server.upload(file(round))))[0]);
        clearInterval(watch);
        grown.push(most - before);
      }
      return { megabytes: SIZE / MB, grownMb: grown, target: { grownMb: 64 }, tookMs: quantiles(took), load: load() };
    }),
  );
