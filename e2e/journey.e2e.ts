import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleOdt,
  samplePdf,
  samplePicture,
  samplePptx,
  sampleXlsx,
} from '@postmaster/testing';
import { type Client, clientOf, follow } from './client.js';
import { joinServer } from './joined-server.js';
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

const DOCUMENTS: [string, () => Uint8Array | string, string][] = [
  [
    'lighthouse.pdf',
    () =>
      samplePdf([
        ['The harbour of Skagen was opened in 1907 after three years of work.'],
        ['The lighthouse keeper Mathilde Bruun counted 412 ships in the winter of 1911.'],
      ]),
    'application/pdf',
  ],
  [
    'recipe.docx',
    () => sampleDocx(['The rye bread needs forty hours and a sourdough that has been fed twice.']),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [
    'moss.html',
    () =>
      '<html><head><title>Moss</title></head><body><nav>Home Shop</nav><main><h1>Moss</h1><p>Sphagnum moss holds up to twenty times its own weight in water, and so it kept peat bogs wet.</p></main></body></html>',
    'text/html',
  ],
  [
    'æbler.md',
    () => '# Æbler\n\nGråsten blev kåret til Danmarks nationalæble i 2005. 🍏 Det modner i oktober.',
    'text/markdown',
  ],
  [
    'tollbook.doc',
    () => sampleDoc(['The toll collector Anders Krag was paid two barrels of rye for every quarter.']),
    'application/msword',
  ],
  [
    'pilots.pptx',
    () =>
      samplePptx([{ title: 'Safety' }, { title: 'Pilots', body: ['Every pilot must have sailed for nine years.'] }]),
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  [
    'cranes.xlsx',
    () =>
      sampleXlsx({
        Cranes: [
          ['Crane', 'Lifts in tonnes'],
          ['Goliath crane', 85],
          ['Old Betsy', 12],
        ],
      }),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  [
    'ropes.odt',
    () => sampleOdt(['Hemp ropes are tarred in May and dried for eleven days in the rope walk.']),
    'application/vnd.oasis.opendocument.text',
  ],
  [
    'whale.epub',
    () => sampleEpub(['<h1>The whale</h1><p>The stranded whale of 1746 was boiled for lamp oil by the monks.</p>']),
    'application/epub+zip',
  ],
  [
    'bell.rtf',
    () => String.raw`{\rtf1\ansi The fog bell was cast in Lund from melted cannons.\par}`,
    'application/rtf',
  ],
  ['ferries.csv', () => 'Ferry;Destination;Passengers\nDronningen;Helsingborg;340\nPrinsen;Malmö;120\n', 'text/csv'],
  [
    'ice.png',
    () => samplePicture(['The ice breaker Thor freed nineteen', 'ships from the sound in 1924.']),
    'image/png',
  ],
  ['kiosk.json', () => '{"kiosk":{"keeper":"Solveig Juhl","sells":["liquorice","postcards"]}}', 'application/json'],
  ['dyke.txt', () => Buffer.from('Digegreven målte højvandet fire gange i døgnet.', 'latin1'), 'text/plain'],
];

describe('the way of a document, through the front door', () => {
  beforeAll(async () => {
    server = await joinServer(folder.path, { ENCODER_THREADS: '1' });
    client = clientOf(server, server.key);
    for (const [name, bytes] of DOCUMENTS) {
      const { status, body } = await client.upload(name, bytes(), { sourceId: name, collection: 'journey' });
      expect(status).toBe(202);
      ids[name] = String(body.id);
    }
  }, 180_000);
  afterAll(async () => {
    await server.end();
    folder.remove();
  });

  it.each(DOCUMENTS)('%s becomes READY, known by its content', async (name, _bytes, contentType) => {
    const state = await follow(client, ids[name] ?? '');
    expect(state).toMatchObject({ status: 'READY', failure: null, version: 1 });
    const read = (await (await client.get(`/api/v1/documents/${ids[name]}`)).json()) as Record<string, unknown>;
    expect(read).toMatchObject({ contentType, sourceId: name, collection: 'journey' });
  });

  it.each([
    ['Who counted ships in the winter of 1911?', 'lighthouse.pdf', 2],
    ['How long does the rye bread take?', 'recipe.docx', null],
    ['How much water does sphagnum moss hold?', 'moss.html', null],
    ['Hvornår blev Gråsten nationalæble?', 'æbler.md', null],
    ['What was the toll collector Anders Krag paid?', 'tollbook.doc', null],
    ['How many years must a pilot have sailed?', 'pilots.pptx', 2],
    ['How many tonnes does the Goliath crane lift?', 'cranes.xlsx', null],
    ['When are hemp ropes tarred?', 'ropes.odt', null],
    ['What became of the stranded whale of 1746?', 'whale.epub', null],
    ['What was the fog bell cast from?', 'bell.rtf', null],
    ['How many passengers does the ferry Dronningen take?', 'ferries.csv', null],
    ['What did the ice breaker Thor free in 1924?', 'ice.png', 1],
    ['Who is the keeper of the kiosk?', 'kiosk.json', null],
  ])('"%s" finds its paragraph first, says why, and can be read back', async (query, name, page) => {
    const [first] = await search(query);
    expect(first?.paragraph.document?.id).toBe(ids[name]);
    expect(first?.paragraph.page).toBe(page);
    expect(first?.why.map((match) => match.leg)).toContain('LEXICAL');
    expect(first?.why.every((match) => match.scaled >= 0 && match.scaled <= 1)).toBe(true);
    const text = await (await client.get(`/api/v1/documents/${ids[name]}/text`)).text();
    expect([...text].slice(first?.paragraph.start, first?.paragraph.end).join('')).toBe(first?.paragraph.text);
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
    expect(await only({ contentTypes: ['application/pdf'] })).toEqual([ids['lighthouse.pdf']]);
    expect(await only({ languages: ['da'] })).toEqual([ids['æbler.md']]);
    expect(await only({ titleWords: ['moss'] })).toEqual([ids['moss.html']]);
    expect(await only({ collections: ['nothing of that name'] })).toEqual([]);
    expect(await only({ collections: ['journey'], addedTo: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  it('the same bytes again do no work; changed ones make a version that keeps what stayed the same', async () => {
    const [, bytes] = DOCUMENTS[3] ?? [];
    const again = await client.upload('æbler.md', bytes?.() ?? '', { sourceId: 'æbler.md', collection: 'journey' });
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
