import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;
let annual: string;

const SEARCH = `query($query: String!, $options: SearchOptions) { search(query: $query, first: 20, options: $options) {
  hits { kind score paragraph { id text position document { id title } facets { scope } } why { leg share text } } } }`;
const ASK = `query($query: String!, $options: SearchOptions) { ask(query: $query, first: 20, options: $options) {
  hits { kind } citations { paragraph { position } } } }`;
const INGEST = `mutation($input: IngestTextInput!) { ingestText(input: $input) {
  ... on Ingested { document { id } } ... on Refused { code message } } }`;
const DELETE = `mutation($id: ID!) { deleteDocuments(filter: { ids: [$id] }) { ... on Job { id } } }`;
const JOB = `query($id: ID!) { job(id: $id) { status } }`;

interface Hit {
  kind: string;
  score: number;
  paragraph: {
    id: string;
    text: string;
    position: number | null;
    document: { id: string; title: string } | null;
    facets: object | null;
  };
  why: { leg: string; share: number; text: string | null }[];
}

/** Each paragraph is of one subject; words that say nothing keep them from being joined. */
const about = (sentence: string): string =>
  `${sentence} ${Array.from({ length: 22 }, (_, i) => `It went as in year ${1950 + i} before.`).join(' ')}`;
const QUESTION = 'lanterns, oysters and dividends';
const report = (of: string) =>
  ['The society sold lanterns to every harbour.', `Oysters were bred ${of}.`, 'Members received dividends in March.']
    .map(about)
    .join('\n\n');

const ingest = async (sourceId: string, title: string, text: string): Promise<string> => {
  const input = { sourceType: 'test', sourceId, title, text };
  const { ingestText } = await client.ask<{ ingestText: { document: { id: string } } }>(INGEST, { input });
  await follow(client, ingestText.document.id);
  return ingestText.document.id;
};
const search = async (query: string, options: object = {}): Promise<Hit[]> =>
  (await client.ask<{ search: { hits: Hit[] } }>(SEARCH, { query, options })).search.hits;
const summaryOf = (hits: readonly Hit[], document: string): Hit | undefined =>
  hits.find(({ kind, paragraph }) => kind === 'SUMMARY' && paragraph.document?.id === document);

beforeAll(async () => {
  server = await joinServer(folder.path);
  client = clientOf(server, server.key);
  annual = await ingest('annual', 'A year of the society', report('in the fjord'));
  await ingest('lamps', 'Lamps', about('Lanterns, lanterns and lanterns are sold here.'));
}, 120_000);
afterAll(async () => {
  await server.end();
  folder.remove();
});

describe('a document by its title and summary', () => {
  it('is a hit of its own, marked, where no single paragraph holds what is asked for', async () => {
    const hits = await until(async () => {
      const found = await search(QUESTION);
      return summaryOf(found, annual) && found;
    });
    const hit = summaryOf(hits, annual)!;
    expect(hit.paragraph.text).toMatch(/^A year of the society\n.*dividends/s);
    expect(hit.paragraph).toMatchObject({ position: null, facets: null, document: { title: 'A year of the society' } });
    expect(hit.why.map(({ leg }) => leg)).toEqual(['PARAGRAPH', 'LEXICAL']);
    const paragraphs = hits.filter(({ kind }) => kind === 'PARAGRAPH');
    expect(paragraphs.every(({ score, paragraph }) => paragraph.document?.id !== annual || score <= hit.score)).toBe(
      true,
    );
    expect(await search(QUESTION, { summaries: false })).toEqual(paragraphs);
  });

  it('is told of by REST, and left out there as well', async () => {
    const asked = `/api/v1/search?n=20&query=${encodeURIComponent(QUESTION)}`;
    const kinds = async (address: string) => {
      const { paragraphs } = (await (await client.get(address)).json()) as { paragraphs: { kind: string }[] };
      return new Set(paragraphs.map(({ kind }) => kind));
    };
    expect(await kinds(asked)).toEqual(new Set(['PARAGRAPH', 'SUMMARY']));
    expect(await kinds(`${asked}&summaries=false`)).toEqual(new Set(['PARAGRAPH']));
  });

  it('is no source of an answer, whatever the caller says', async () => {
    const { ask } = await client.ask<{
      ask: { hits: { kind: string }[]; citations: { paragraph: { position: number | null } }[] };
    }>(ASK, { query: QUESTION, options: { summaries: true } });
    expect(new Set(ask.hits.map(({ kind }) => kind))).toEqual(new Set(['PARAGRAPH']));
    expect(ask.citations.every(({ paragraph }) => paragraph.position !== null)).toBe(true);
  });

  it('is as its newest version was summed up', async () => {
    await ingest('annual', 'A year of the society', report('on the Wadden Sea'));
    await until(async () => {
      const own = (await search(QUESTION)).filter(
        ({ kind, paragraph }) => kind === 'SUMMARY' && paragraph.document?.id === annual,
      );
      return own.length === 1 && own[0]!.paragraph.text.includes('Wadden Sea');
    });
  });

  it('goes with the document, and the receipt counts it', async () => {
    const { deleteDocuments } = await client.ask<{ deleteDocuments: { id: string } }>(DELETE, { id: annual });
    await until(async () => {
      const { job } = await client.ask<{ job: { status: string } }>(JOB, { id: deleteDocuments.id });
      return job.status === 'DONE';
    });
    expect(summaryOf(await search(QUESTION), annual)).toBeUndefined();
    const receipt = await until(async () => {
      const read = (await (await client.get(`/api/v1/deletions/${deleteDocuments.id}`)).json()) as {
        complete: boolean;
        services: { service: string; places: { place: string; left: number }[] }[];
      };
      return read.complete && read;
    });
    const places = receipt.services.find(({ service }) => service === 'embedding')!.places;
    expect(places).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ place: 'summaries', left: 0 }),
        expect.objectContaining({ place: 'vectors', left: 0 }),
      ]),
    );
  });
});
