import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METADATA_DOCUMENTS, until } from '@postmaster/testing';
import { runIn } from '../apps/cli/test/run-in.js';
import { type Client, clientOf } from './client.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;
let receipt: string;

const INGEST = `mutation($input: IngestTextInput!) { ingestText(input: $input) {
  ... on Ingested { document { id } } ... on Refused { code message } } }`;
const EXTRACTED = `query($id: ID!) { document(id: $id) { status extracted { type fields { name value from spans { start end } } } } }`;
const SEARCH = `query($query: String!, $options: SearchOptions) { search(query: $query, options: $options) {
  hits { paragraph { document { id } } } notices { code } plan { reading { conditions { field key equals from } } } } }`;
const CORRECT = `mutation($input: CorrectMetadataInput!) { correctMetadata(input: $input) {
  __typename ... on ExtractedMetadata { fields { name value from } } ... on Refused { code } } }`;

interface Field {
  name: string;
  value: unknown;
  from: string;
  spans: { start: number; end: number }[];
}
interface Read {
  document: { status: string; extracted: { type: string; fields: Field[] } | null };
}
interface Found {
  search: {
    hits: { paragraph: { document: { id: string } } }[];
    notices: { code: string }[];
    plan: { reading: { conditions: { field: string; key: string | null; equals: unknown }[] } };
  };
}

const textOf = (name: string): string => METADATA_DOCUMENTS.find((one) => one.name === name)!.text;
const ingest = async (title: string, text: string): Promise<string> => {
  const { ingestText } = await client.ask<{ ingestText: { document: { id: string } } }>(INGEST, {
    input: { title, text },
  });
  return ingestText.document.id;
};
const read = async (id: string): Promise<Read['document']> => (await client.ask<Read>(EXTRACTED, { id })).document;
const search = async (query: string): Promise<Found['search']> =>
  (await client.ask<Found>(SEARCH, { query, options: { planning: 'RULES' } })).search;

beforeAll(async () => {
  server = await joinServer(folder.path);
  client = clientOf(server, server.key);
  await ingest('Fuel', textOf('a fuel receipt with litres and a price per litre'));
  await ingest('Lease', textOf('a lease'));
  receipt = await ingest('Scan 0017', textOf('a pharmacy receipt'));
}, 120_000);
afterAll(async () => {
  await server.end();
  folder.remove();
});

describe('metadata of documents', () => {
  it('are extracted with their place in the text, and plans find documents by them', async () => {
    const extracted = await until(async () => (await read(receipt)).extracted ?? undefined);
    expect(extracted.type).toBe('RECEIPT');
    const vendor = extracted.fields.find(({ name }) => name === 'vendor');
    expect(vendor).toMatchObject({ value: 'Svane Apotek', from: 'RULE', spans: [{ start: 0, end: 12 }] });
    const found = await until(async () => {
      const result = await search('kvittering fra apoteket fra oktober 2026');
      return result.plan.reading.conditions.length === 3 && result.notices.length === 0 && result;
    });
    expect(found.plan.reading.conditions).toMatchObject([
      { key: 'type', equals: 'receipt' },
      { key: 'vendor', equals: 'Svane Apotek' },
      { field: 'CREATED' },
    ]);
    expect(new Set(found.hits.map(({ paragraph }) => paragraph.document.id))).toEqual(new Set([receipt]));
  });

  it('are corrected by hand, and refused what they can not be', async () => {
    const input = { document: receipt, fields: [{ name: 'vendor', value: 'Løve Apotek' }] };
    const { correctMetadata: corrected } = await client.ask<{ correctMetadata: { fields: Field[] } }>(CORRECT, {
      input,
    });
    expect(corrected.fields).toContainEqual({ name: 'vendor', value: 'Løve Apotek', from: 'PERSON' });
    const wrong = { document: receipt, fields: [{ name: 'date', value: 'yesterday' }] };
    expect(await client.ask(CORRECT, { input: wrong })).toMatchObject({
      correctMetadata: { __typename: 'Refused', code: 'INPUT_INVALID' },
    });
  });
});

const ENTITIES = `query($id: ID!) { document(id: $id) { entities { nodes { name } }
  paragraphs { nodes { entities { id name } } } } }`;
const ENTITY = `query($id: ID!) { entity(id: $id) { name type aliases { name why } paragraphs { nodes { text document { id } } }
  neighbours(first: 3) { totalCount nodes { weight entity { name } paragraphs { totalCount } } } } }`;

interface Graph {
  document: {
    entities: { nodes: { name: string }[] };
    paragraphs: { nodes: { entities: { id: string; name: string }[] }[] };
  };
}
interface OneEntity {
  entity: {
    name: string;
    type: string;
    aliases: { name: string; why: string | null }[];
    paragraphs: { nodes: { text: string; document: { id: string } }[] };
    neighbours: {
      totalCount: number;
      nodes: { weight: number; entity: { name: string }; paragraphs: { totalCount: number } }[];
    };
  };
}

describe('what documents name', () => {
  it('is a graph: of a document, of a paragraph, and from an entity to its paragraphs and neighbours', async () => {
    const id = await ingest('Loan', 'Lone Vestergaard of Danske Bank (DB) signed in Ribe.');
    const bank = await until(async () => {
      const { document } = await client.ask<Graph>(ENTITIES, { id });
      expect(document.entities.nodes.length === 0 || document.entities.nodes.some(({ name }) => name === 'Ribe')).toBe(
        true,
      );
      return document.paragraphs.nodes[0]?.entities.find(({ name }) => name === 'Danske Bank')?.id;
    });
    const { entity } = await client.ask<OneEntity>(ENTITY, { id: bank });
    expect(entity).toMatchObject({ name: 'Danske Bank', type: 'ORGANISATION' });
    expect(entity.aliases).toEqual(expect.arrayContaining([{ name: 'DB', why: 'TOLD' }]));
    expect(new Set(entity.paragraphs.nodes.map(({ document }) => document.id))).toEqual(new Set([id]));
    expect(entity.paragraphs.nodes.map(({ text }) => text).join(' ')).toContain('Danske Bank (DB)');
    const ribe = entity.neighbours.nodes.find(({ entity: { name } }) => name === 'Ribe');
    expect(ribe).toMatchObject({ weight: 1, paragraphs: { totalCount: 1 } });
  });

  it('comes and goes as a file of the command line, each wrong line named', async () => {
    const file = (name: string) => join(folder.path, name);
    const given = [
      { type: 'entity', name: 'Mathilde Bruun', entityType: 'colleague', observations: ['Counts ships.'] },
      { type: 'entity', name: 'Danske Bank A/S', entityType: 'company', observations: [] },
      { type: 'relation', from: 'Mathilde Bruun', to: 'Danske Bank', relationType: 'works at' },
    ];
    writeFileSync(file('given.jsonl'), [...given.map((line) => JSON.stringify(line)), '{"type":"entity"}'].join('\n'));
    const env = { POSTMASTER_URL: server.url, POSTMASTER_API_KEY: server.key };
    const cli = (...args: string[]) => runIn(['entities', ...args], { home: folder.path, env });
    const taken = await cli('import', file('given.jsonl'));
    expect(taken.exitCode).toBe(1);
    expect(taken.stdout).toMatch(/2 entities, 1 relation, 1 observation taken in\nline 4: INPUT_INVALID: /);
    const shown = await cli('show', 'mathilde bruun');
    expect(shown.stdout).toMatch(
      /Mathilde Bruun {2}person, given by hand[^]+Counts ships[^]+Danske Bank A\/S {2}0 {2}works at →/,
    );
    expect((await cli('export', file('exported.jsonl'))).exitCode).toBe(0);
    const lines = readFileSync(file('exported.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual(expect.arrayContaining([given[0], given[1], { ...given[2], to: 'Danske Bank A/S' }]));
    expect((await cli('import', file('exported.jsonl'))).exitCode).toBe(0);
    expect((await cli('list', '-s', 'bruun', '--json')).stdout).toMatch(/"total": 1\b/);
  });
});
