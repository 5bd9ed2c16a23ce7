import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
import { JOURNEY } from './journey-documents.js';
import { type ServerProcess, temporaryFolder } from './server-process.js';

const folder = temporaryFolder();
let server: ServerProcess;
let client: Client;
const ids: Record<string, string> = {};

interface Hit {
  score: number;
  relevance: number;
  paragraph: {
    id: string;
    text: string;
    page: number | null;
    start: number;
    end: number;
    document: { id: string } | null;
  };
  why: { leg: string; score: number; scaled: number; text: string | null }[];
}

const SEARCH = `query($query: String!, $filter: SearchFilter) { search(query: $query, filter: $filter) { hits {
  score relevance paragraph { id text page start end document { id } } why { leg score scaled text } } } }`;
const search = async (query: string, filter: object = {}): Promise<Hit[]> =>
  (await client.ask<{ search: { hits: Hit[] } }>(SEARCH, { query, filter })).search.hits;

describe('the way of a document, through the front door', () => {
  beforeAll(async () => {
    server = await joinServer(folder.path, { ENCODER_THREADS: '1' });
    client = clientOf(server, server.key);
    for (const { name, bytes } of JOURNEY) {
      const { status, body } = await client.upload(name, bytes(), { sourceId: name, collection: 'journey' });
      expect(status).toBe(202);
      ids[name] = String(body.id);
    }
  }, 180_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it.each(JOURNEY)('$name becomes READY, known by its content', async ({ name, contentType }) => {
    const state = await follow(client, ids[name] ?? '');
    expect(state).toMatchObject({ status: 'READY', failure: null, version: 1 });
    const read = (await (await client.get(`/api/v1/documents/${ids[name]}`)).json()) as Record<string, unknown>;
    expect(read).toMatchObject({ contentType, sourceId: name, collection: 'journey' });
  });

  it.each(JOURNEY)('"$question" finds its paragraph first, says why, and can be read back', async (document) => {
    const { name, question, page = null } = document;
    const [first] = await search(question);
    expect(first?.paragraph.document?.id).toBe(ids[name]);
    expect(first?.paragraph.page).toBe(page);
    expect(first?.why.map((match) => match.leg)).toContain('LEXICAL');
    expect(first?.why.every((match) => match.scaled >= 0 && match.scaled <= 1)).toBe(true);
    const text = await (await client.get(`/api/v1/documents/${ids[name]}/text`)).text();
    expect([...text].slice(first?.paragraph.start, first?.paragraph.end).join('')).toBe(first?.paragraph.text);
  });

  it('a file of an archive is a document of its own', async () => {
    const of = `sourceType=attachment&sourceIdPrefix=${ids['sails.zip']}/`;
    let [file]: { id: string; title: string }[] = [];
    for (let i = 0; i < 300 && !file; i++) {
      [file] = (await (await client.get(`/api/v1/documents?${of}`)).json()).documents;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(file?.title).toBe('topsails.md');
    expect(await follow(client, file?.id ?? '')).toMatchObject({ status: 'READY' });
    const [first] = await search('How many topsails did the sail loft of Dragør sew?');
    expect(first?.paragraph.document?.id).toBe(file?.id);
  });

  it('an answer cites a place that can be read back to its page and offsets', async () => {
    const { ask } = await client.ask<{
      ask: {
        text: string;
        found: boolean;
        model: string;
        citations: {
          marker: number;
          quote: string;
          quoteStart: number;
          quoteEnd: number;
          paragraph: Hit['paragraph'];
        }[];
      };
    }>(`{ ask(query: "Who counted 412 ships?") { text found model citations {
          marker quote quoteStart quoteEnd paragraph { id text page start end document { id } } } } }`);
    expect(ask).toMatchObject({ found: true, model: 'extractive' });
    const [citation] = ask.citations;
    expect(ask.text).toContain(`[${citation?.marker}]`);
    expect(citation?.paragraph).toMatchObject({ page: 2, document: { id: ids['lighthouse.pdf'] } });
    const text = [...(await (await client.get(`/api/v1/documents/${ids['lighthouse.pdf']}/text`)).text())];
    const start = (citation?.paragraph.start ?? 0) + (citation?.quoteStart ?? 0);
    const end = (citation?.paragraph.start ?? 0) + (citation?.quoteEnd ?? 0);
    expect(text.slice(start, end).join('')).toBe(citation?.quote);
    expect(citation?.quote).toContain('Mathilde Bruun');
  });

  it('says in the language of the question that nothing fits', async () => {
    const { en, da } = await client.ask<Record<string, { text: string; found: boolean }>>(
      `{ en: ask(query: "What is the capital of Mongolia?") { text found }
         da: ask(query: "Hvad hedder hovedstaden i Mongoliet?") { text found } }`,
    );
    expect([en?.found, da?.found]).toEqual([false, false]);
    expect(en?.text).not.toBe(da?.text);
    expect(da?.text).toMatch(/[æøå]|ikke|intet/);
  });

  it('filters hold, alone and together', async () => {
    const only = async (filter: object): Promise<(string | undefined)[]> => [
      ...new Set((await search('ships bread moss æble', filter)).map((hit) => hit.paragraph.document?.id)),
    ];
    expect(await only({ documents: [ids['moss.html']] })).toEqual([ids['moss.html']]);
    expect(await only({ contentTypes: ['text/html'] })).toEqual([ids['moss.html']]);
    expect(await only({ languages: ['da'] })).toEqual([ids['æbler.md']]);
    expect(await only({ titleWords: ['moss'] })).toEqual([ids['moss.html']]);
    expect(await only({ collections: ['nothing of that name'] })).toEqual([]);
    expect(await only({ collections: ['journey'], addedTo: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  it('the same bytes again do no work; changed ones make a version that keeps what stayed the same', async () => {
    const apples = JOURNEY.find(({ name }) => name === 'æbler.md');
    const same = apples?.bytes() ?? '';
    const again = await client.upload('æbler.md', same, { sourceId: 'æbler.md', collection: 'journey' });
    expect(again.body).toMatchObject({ id: ids['æbler.md'], version: 1, unchanged: true });

    const sections = (last: string): string =>
      `# Om\n\nRibe er Danmarks ældste by og nævnes første gang i 860.\n\n# Nu\n\n${last}`;
    const first = await client.upload('by.md', sections('Byen har otte tusind indbyggere.'), { sourceId: 'by' });
    const id = String(first.body.id);
    await follow(client, id);
    const before = await paragraphsOf(id);
    const changed = await client.upload('by.md', sections('Byen har ni tusind indbyggere.'), { sourceId: 'by' });
    expect(changed.body).toMatchObject({ id, version: 2, unchanged: false });
    expect(await follow(client, id)).toMatchObject({ version: 2, status: 'READY' });
    const after = await paragraphsOf(id);
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.id).not.toBe(before[1]?.id);
    const { document } = await client.ask<{ document: { changes: unknown } }>(
      `query($id: ID!) { document(id: $id) { changes { from to unchanged added { id } removed { id text } } } }`,
      { id },
    );
    expect(document.changes).toEqual({
      ...{ from: 1, to: 2, unchanged: 1, added: [{ id: after[1]?.id }] },
      removed: [{ id: before[1]?.id, text: expect.stringContaining('otte tusind') }],
    });
    const found = (await search('Hvor mange indbyggere har byen?')).filter((hit) => hit.paragraph.document?.id === id);
    expect(found.map((hit) => hit.paragraph.text).join(' ')).not.toContain('otte tusind');
  });

  it('a document can be followed live, from its present state to the last', async () => {
    const { body } = await client.upload('live.md', 'The tide table of Ribe hangs in the harbour office.');
    const response = await client.get('/graphql/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({
        query: 'subscription($id: ID!) { document(id: $id) { status progress { ready total } } }',
        variables: { id: body.id },
      }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let seen = '';
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    while (!seen.includes('READY')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      seen += value ?? '';
    }
    await reader?.cancel();
    expect(seen).toMatch(
      /"status":"(ACCEPTED|PARSED|SEARCHABLE|READY)"[^]*"status":"READY","progress":\{"ready":1,"total":1\}/,
    );
    await client.get(`/api/v1/documents/${String(body.id)}`, { method: 'DELETE' });
  });

  it('an answer can be read while it is written', async () => {
    const response = await client.get('/api/v1/ask', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'Who counted 412 ships?' }),
    });
    const events = [...(await response.text()).matchAll(/^event: (\w+)/gm)].map(([, name]) => name);
    expect(events[0]).toBe('hits');
    expect(events).toContain('citation');
    expect(events.indexOf('citation')).toBeLessThan(events.indexOf('text'));
    expect(events.at(-1)).toBe('done');
  });

  it('what is deleted is found no more, here or in the store', async () => {
    for (const name of Object.keys(ids)) {
      const response = await client.get(`/api/v1/documents/${ids[name]}`, { method: 'DELETE' });
      expect(response.status).toBeLessThan(300);
    }
    const gone = new Set(Object.values(ids));
    const left = async (): Promise<Hit[]> =>
      (await search('Who counted 412 ships in the winter?')).filter(
        (hit) => !hit.paragraph.document || gone.has(hit.paragraph.document.id), // null: gone from its owner, not yet from the store
      );
    for (let i = 0; i < 100 && (await left()).length > 0; i++) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await left()).toEqual([]);
    expect((await client.get(`/api/v1/documents/${ids['moss.html']}/original`)).status).toBe(404);
  });
});

const paragraphsOf = async (id: string): Promise<{ id: string; facets: unknown }[]> => {
  const read = await client.ask<{ document: { paragraphs: { nodes: { id: string; facets: unknown }[] } } }>(
    `query($id: ID!) { document(id: $id) { paragraphs { nodes { id facets { context scope simpleQuestions { text } } } } } }`,
    { id },
  );
  return read.document.paragraphs.nodes;
};
