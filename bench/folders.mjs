// The same folder read in content mode and in reference mode: what each stores beside vectors and facets.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { lanceDbStore } from '@postmaster/vectors';
import { TenantId } from '@postmaster/contracts';
import { say, timed } from './figures.mjs';
import { allReady, total, withFolder, withServer } from './server.mjs';
import { paragraphs, SKIPPED } from './texts.mjs';

const PARAGRAPHS_A_FILE = 20;
const READY_WITHIN_MS = 600_000;
const ADD = `mutation ($input: AddFolderInput!) { added: addFolder(input: $input) { ... on Refused { code message } } }`;

export const folders = async ({ count = 240 }) => {
  if (SKIPPED) return SKIPPED;
  const figures = {};
  for (const mode of ['CONTENT', 'REFERENCE']) {
    say(`  ${mode.toLowerCase()} mode`);
    figures[mode.toLowerCase()] = await withFolder((folder) => measure(folder, mode, count));
  }
  const { content, reference } = figures;
  return {
    rule: RULE,
    ...figures,
    ratio: (reference.bytes - reference.bags) / content.bytes,
    ratioWithBags: reference.bytes / content.bytes,
    textRatio: reference.text / content.text,
  };
};

const RULE =
  'xquad-en in Markdown files of 20 paragraphs; bytes: blobs, every column of every row as text but facets and events of ' +
  'facets, and the payload of every point without facets; bags: what of it is the words of the lexical leg, which count as vectors; text: how much of that is the ' +
  'texts of paragraphs, documents and their neighbours; apart: the folder of the vectors, the index of words included';

const measure = async (folder, mode, count) => {
  const place = join(folder, 'files');
  const files = await writeFiles(place, count);
  const data = join(folder, 'data');
  const env = { FOLDER_ROOTS: place };
  const [ms, found] = await timed(() =>
    withServer(folder, env, async (server) => {
      const { added } = await server.ask(ADD, { input: { path: place, mode } });
      if (added.code) throw new Error(JSON.stringify(added));
      return total((await allReady(server, files.length, READY_WITHIN_MS)).documents);
    }),
  );
  const [blobs, rows, points] = [await bytesBelow(join(data, 'blobs')), await rowBytes(data), await pointBytes(data)];
  await rm(place, { recursive: true });
  return {
    ...{ files: files.length, paragraphs: found, source: files.reduce((sum, size) => sum + size, 0), ms },
    ...{ bytes: blobs + rows.bytes + points.bytes, blobs, rows: rows.bytes, payloads: points.bytes },
    ...{
      text: blobs + rows.text + points.text,
      bags: points.bags,
      vectors: await bytesBelow(join(data, 'vectors')),
      tables: rows.tables,
    },
  };
};

const writeFiles = async (place, count) => {
  await mkdir(place);
  const all = paragraphs(count).map(({ text }) => text);
  const sizes = [];
  for (let at = 0; at < all.length; at += PARAGRAPHS_A_FILE) {
    const text = `# File ${at}\n\n${all.slice(at, at + PARAGRAPHS_A_FILE).join('\n\n')}\n`;
    await writeFile(join(place, `${String(at).padStart(6, '0')}.md`), text);
    sizes.push(Buffer.byteLength(text));
  }
  return sizes;
};

const bytesBelow = async (folder) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};

const COLUMNS_OF_FACETS = new Set(['facets']);
const TEXTS = new Set(['text', 'before', 'after']);

/** Every column as text, the largest tables by name. */
const rowBytes = async (data) => {
  const db = await PGlite.create(join(data, 'rows'));
  try {
    const { rows } = await db.query(`select table_schema as schema, table_name as name, column_name as column
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where table_schema in ('tenants', 'ingestion', 'enrichment', 'embedding') and table_type = 'BASE TABLE'`);
    const tables = {};
    let [bytes, text] = [0, 0];
    for (const { schema, name, column } of rows) {
      if (COLUMNS_OF_FACETS.has(column) || name === 'replies') continue;
      const where = name === 'outbox' ? `where "type" <> 'paragraphs.enriched'` : '';
      const sum = `select coalesce(sum(octet_length("${column}"::text)), 0)::float as size from "${schema}"."${name}" ${where}`;
      const { size } = (await db.query(sum)).rows[0];
      bytes += size;
      tables[`${schema}.${name}`] = (tables[`${schema}.${name}`] ?? 0) + size;
      if (TEXTS.has(column)) text += size;
    }
    text += await eventTexts(db);
    return {
      bytes,
      text,
      tables: Object.fromEntries(
        Object.entries(tables)
          .sort(([, a], [, b]) => b - a)
          .slice(0, 8),
      ),
    };
  } finally {
    await db.close();
  }
};

const eventTexts = async (db) => {
  const { rows } = await db.query(`select data::text as data from ingestion.outbox where "type" = 'paragraphs.parsed'`);
  return rows.reduce((sum, { data }) => {
    const { before, after, paragraphs: some } = JSON.parse(data);
    return sum + [before, after, ...some.map(({ text }) => text)].reduce((all, one) => all + Buffer.byteLength(one), 0);
  }, 0);
};

const PARTS_OF_FACETS = ['simpleQuestions', 'complexQuestions', 'context', 'scope'];

const pointBytes = async (data) => {
  const [index] = await readdir(join(data, 'vectors'));
  const store = lanceDbStore({ folder: join(data, 'vectors') });
  try {
    const points = await store.read(TenantId.parse('default'), index, {}, 1_000_000);
    const sizes = { bytes: 0, text: 0, bags: 0 };
    for (const { payload } of points) {
      const rest = Object.fromEntries(Object.entries(payload).filter(([name]) => !PARTS_OF_FACETS.includes(name)));
      sizes.bytes += Buffer.byteLength(JSON.stringify(rest));
      sizes.text += Buffer.byteLength(payload.text);
      sizes.bags += Buffer.byteLength(payload.bag ?? '');
    }
    return sizes;
  } finally {
    await store.close();
  }
};
