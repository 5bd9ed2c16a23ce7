// A data folder with many paragraphs, put there directly: points through the store's port, ingestion's rows by SQL. The
// texts of the originals are encoded; a copy's vectors are its original's, turned by noise.
import { cleanUp } from '@postmaster/database';
import { join } from 'node:path';
import { newId, TenantId } from '@postmaster/contracts';
import { databaseOf } from '@postmaster/durable';
import { indexOf } from '@postmaster/embedding';
import { INGESTION_SCHEMA } from '@postmaster/ingestion';
import { miniLM } from '@postmaster/models';
import { lanceDbStore } from '@postmaster/vectors';
import { sql } from 'kysely';
import { openData } from '../apps/standalone/dist/open-data.js';
import { say } from './figures.mjs';
import { paragraphs, random, RULE } from './texts.mjs';

export const TENANT = TenantId.parse('default');
export const FILLED_BY = `${RULE}; vectors of copies: their original's plus seeded noise of 0.6 of its length, normalised`;
const NOISE = 0.6;
const PORTION = 250;

/** Where one of `open`'s folders lies in a server's, as ../server.mjs starts it. */
export const dataOf = (folder) => join(folder, 'data');

/** Opens the rows of a folder for as long as `work` lasts. */
export const withData = async (folder, work) => {
  const data = await openData(dataOf(folder), '0.1.0', (error) => say(String(error)));
  try {
    return await work(data);
  } finally {
    await cleanUp(data.database); // as the server does while it works
    await data.database.close();
    await data.lock.release();
  }
};

/** `count` paragraphs, each with the id of its document, and the vectors of the originals. */
export const placedParagraphs = async (encoder, count) => {
  const ids = new Map();
  const placed = paragraphs(count).map((one) => {
    if (!ids.has(one.document)) ids.set(one.document, newId());
    return { ...one, documentId: ids.get(one.document) };
  });
  const base = await encoded(
    encoder,
    placed.filter(({ copy }) => copy === 0),
  );
  return { placed, base };
};

/** What the store is given, `PORTION` at a time. */
export function* portionsOf({ placed, base }) {
  const next = random(11);
  for (let i = 0; i < placed.length; i += PORTION)
    yield placed.slice(i, i + PORTION).map((one) => patchOf(one, base[one.base], next));
}

export const fill = async (folder, count, threads) => {
  const encoder = await miniLM({ threads });
  const index = indexOf(encoder);
  const made = await placedParagraphs(encoder, count);
  await encoder.close();
  await withData(folder, async (data) => {
    await fillRows(databaseOf(data.database.kysely, INGESTION_SCHEMA), made.placed);
    const store = lanceDbStore({ folder: data.within('vectors') });
    for (const patches of portionsOf(made)) await store.put(TENANT, index, patches);
    await store.optimize(TENANT, index);
    await store.optimize(TENANT, index);
    await store.close();
  });
  return { index };
};

const LEGS = ['simpleQuestions', 'complexQuestions'];
const encoded = (encoder, originals) =>
  Promise.all(
    originals.map(async ({ text, simpleQuestions, complexQuestions, context, scope }) => {
      const embed = async (list) => {
        const whole = (await Promise.all(list.map((one) => encoder.windows(one)))).map(([first]) => first);
        return encoder.embed(whole, 'passage');
      };
      const [paragraph, ofContext, ofScope] = await embed([text, context, scope]);
      const [simple, complex] = await Promise.all([simpleQuestions, complexQuestions].map(embed));
      return { paragraph, context: ofContext, scope: ofScope, simple_questions: simple, complex_questions: complex };
    }),
  );

const patchOf = (one, vectors, next) => {
  const turn = (vector) => {
    if (one.copy === 0) return vector;
    const turned = vector.map(
      (value) => value + (NOISE * (next() + next() + next() - 1.5) * 2) / Math.sqrt(vector.length),
    );
    const length = Math.hypot(...turned);
    return turned.map((value) => value / length);
  };
  return {
    id: one.id,
    revision: 1,
    payload: {
      ...{ document: one.documentId, version: 1, active: true, position: one.position, page: null },
      ...{ start: 0, end: one.text.length, trail: [], text: one.text, title: one.title },
      ...Object.fromEntries([...LEGS, 'context', 'scope'].map((name) => [name, one[name]])),
      ...{ contentType: 'text/markdown', language: 'en', sourceType: 'upload', sourceId: one.document },
      ...{ collection: null, createdAt: null, addedAt: '2026-01-01T00:00:00.000Z', metadata: {} },
    },
    vectors: Object.fromEntries(
      Object.entries(vectors).map(([leg, of]) => [leg, Array.isArray(of) ? of.map(turn) : turn(of)]),
    ),
  };
};

/** What ingestion would have of them: it answers which paragraphs are still there. */
const fillRows = async (db, placed) => {
  const documents = [...new Map(placed.map((one) => [one.documentId, one])).values()].map((one) => ({
    id: one.documentId,
    name: one.document,
    title: one.title,
  }));
  await db.asTenant(TENANT, async (tx) => {
    await sql`
      insert into documents (tenant, id, source_type, source_id, version, name, given, title, content_type, metadata, lane,
        status, active_version, added_at, accepted_at, progressed_at)
      select ${TENANT}, d.id, 'upload', d.name, 1, d.name, '{"metadata":{}}', d.title, 'text/markdown', '{}', 'bulk',
        'READY', 1, now(), now(), now()
      from json_to_recordset(${JSON.stringify(documents)}::json) as d(id uuid, name text, title text)`.execute(tx);
  });
  for (let i = 0; i < placed.length; i += 1_000) {
    const some = placed
      .slice(i, i + 1_000)
      .map(({ id, documentId, position, text }) => ({ id, documentId, position, text }));
    await db.asTenant(TENANT, (tx) =>
      sql`
        insert into paragraphs (tenant, document, version, id, position, start_at, end_at, trail, kind, text_hash, text,
          unchanged, text_state, facets_state)
        select ${TENANT}, p."documentId", 1, p.id, p.position, 0, length(p.text), '[]', 'text', md5(p.text), p.text,
          false, 'done', 'done'
        from json_to_recordset(${JSON.stringify(some)}::json) as p(id text, "documentId" uuid, position int, text text)`.execute(
        tx,
      ),
    );
  }
};
