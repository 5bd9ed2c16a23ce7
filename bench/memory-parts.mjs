// A process with the server's parts but one, which does some work with each and then tells its RSS to memory.mjs.
import { LEGS } from '@postmaster/contracts';
import { miniLM } from '@postmaster/models';
import { lanceDbStore } from '@postmaster/vectors';
import { sql } from 'kysely';
import { sleep } from './figures.mjs';
import { dataOf, TENANT, withData } from './filled.mjs';

const { folder, index, without, threads, asked } = JSON.parse(process.argv[2]);
const has = (part) => part !== without;

const work = async (rows) => {
  if (has('services')) await import('../apps/standalone/dist/index.js');
  const encoder = has('encoder') ? await miniLM({ threads }) : undefined;
  const store = has('vectors') ? lanceDbStore({ folder: `${dataOf(folder)}/vectors` }) : undefined;
  for (const text of asked) {
    const [vector] = (await encoder?.embed([text], 'passage')) ?? [new Float32Array(384).fill(1 / Math.sqrt(384))];
    const lists = await store?.candidates(TENANT, index, { vector, text, legs: LEGS }, 50);
    const ids = [...new Set(Object.values(lists ?? {}).flatMap((list) => list.map(({ id }) => id)))];
    if (ids.length > 0) await store.complete(TENANT, index, { vector, text, legs: LEGS }, ids);
    await rows?.(ids);
  }
  await sleep(1_000);
  await new Promise((sent) => process.send(process.memoryUsage.rss(), sent));
  await encoder?.close();
  await store?.close();
};

if (has('rows'))
  await withData(folder, ({ database }) =>
    work(async () => {
      await sql`select count(*) from ingestion.documents`.execute(database.kysely);
    }),
  );
else await work();
process.disconnect();
