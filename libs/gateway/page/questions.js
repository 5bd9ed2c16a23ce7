import { call, eventsOf, read } from './api.js';
import { find, make } from './elements.js';
import { label } from './labels.js';

const HOW_MANY = 5;

let running = new AbortController();

export const startQuestions = () => {
  find('question-form').onsubmit = async (event) => {
    event.preventDefault();
    const query = find('question').value;
    running.abort();
    running = new AbortController();
    clear();
    try {
      if (event.submitter?.value === 'search') await search(query);
      else await ask(query, running.signal);
    } catch (error) {
      if (error.name !== 'AbortError') find('question-fault').textContent = error.message;
    } finally {
      find('answer').ariaBusy = 'false';
    }
  };
};

const clear = () => {
  find('question-fault').textContent = '';
  find('answer').replaceChildren();
  find('hits').replaceChildren();
};

const search = async (query) => {
  const { paragraphs } = await read(`/api/v1/search?n=${HOW_MANY}&query=${encodeURIComponent(query)}`);
  if (paragraphs.length === 0) find('answer').textContent = label('nothingFound');
  find('hits').replaceChildren(...paragraphs.map((paragraph) => hitItem(paragraph, paragraph)));
};

const ask = async (query, signal) => {
  const answer = find('answer');
  answer.ariaBusy = 'true';
  const headers = { 'content-type': 'application/json' };
  const response = await call('/api/v1/ask', {
    method: 'POST',
    headers,
    signal,
    body: JSON.stringify({ query, n: HOW_MANY }),
  });
  let text = '';
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'hits') find('hits').replaceChildren(...data.hits.map((hit) => hitItem(hit.paragraph, hit)));
    if (event === 'text') answer.replaceChildren(...linked((text += data.text)));
    if (event === 'citation') cite(data);
    if (event === 'done')
      answer.append(
        make(
          'span',
          { class: 'by' },
          [`${label('writtenBy')} ${data.model}`, ...data.notices.map(({ message }) => message)].join(' · '),
        ),
      );
    if (event === 'error') find('question-fault').textContent = `${data.message} ${data.next}`;
  }
};

/** [1] becomes a link to its source below. */
const linked = (text) =>
  text.split(/(\[\d+\])/).map((part) => {
    const marker = /^\[(\d+)\]$/.exec(part)?.[1];
    return marker ? make('a', { class: 'cite', href: `#source-${marker}` }, part) : part;
  });

/** The source that a citation names carries its number, and the sentence that bears it out is marked. */
const cite = ({ marker, paragraph, quote, quoteStart, quoteEnd }) => {
  let item = [...find('hits').children].find(({ dataset }) => dataset.paragraph === paragraph.id);
  if (!item) find('hits').append((item = hitItem(paragraph, {})));
  item.id = `source-${marker}`;
  item.querySelector('.marker').textContent += `[${marker}] `;
  if (quoteStart === null || quoteEnd === null) return;
  const signs = [...paragraph.text]; // offsets count code points
  const part = (from, to) => signs.slice(from, to).join('');
  item
    .querySelector('.passage')
    .replaceChildren(part(0, quoteStart), make('mark', {}, part(quoteStart, quoteEnd)), part(quoteEnd));
  const link = item.querySelector('.to-text');
  if (link && quote) link.href = `${link.href.split('#')[0]}${toText(quote)}`;
};

/** A browser that knows text fragments scrolls to the words. */
const toText = (words) => `#:~:text=${encodeURIComponent(words.slice(0, 120).trim()).replaceAll('-', '%2D')}`;

const hitItem = ({ id, text, page, trail, document: source }, { kind, relevance, why = [] }) => {
  const address = source && `/api/v1/documents/${encodeURIComponent(source.id)}`;
  const of = kind === 'SUMMARY' ? label('summary') : '';
  const place = [of, ...(trail ?? []), page === null ? '' : `${label('page')} ${page}`].filter(Boolean).join(' › ');
  return make(
    'li',
    { data: { paragraph: id } },
    make(
      'div',
      { class: 'head' },
      make('span', { class: 'name' }, make('span', { class: 'marker' }), source?.title ?? ''),
      address &&
        make(
          'a',
          { class: 'to-text', href: `${address}/text${toText(text ?? '')}`, target: '_blank', rel: 'noopener' },
          label('text'),
        ),
      address &&
        make(
          'a',
          { href: page === null ? `${address}/original` : `${address}/original#page=${page}` },
          label('original'),
        ),
    ),
    place && make('div', { class: 'place' }, place),
    make('p', { class: 'passage' }, text ?? ''),
    why.length > 0 && reasons(relevance, why),
  );
};

const reasons = (relevance, why) =>
  make(
    'details',
    {},
    make('summary', {}, `${label('why')} · ${label('relevance')} ${percent(relevance)}`),
    make(
      'table',
      {},
      make(
        'thead',
        {},
        make('tr', {}, ...['leg', 'score', 'matched'].map((name) => make('th', { scope: 'col' }, label(name)))),
      ),
      make('tbody', {}, ...why.map(reason)),
    ),
  );

const reason = ({ leg, scaled, text }) =>
  make(
    'tr',
    {},
    make('td', {}, label(leg)),
    make(
      'td',
      { class: 'number' },
      make('meter', { value: scaled, max: 1, ariaLabel: label(leg) }),
      ` ${percent(scaled)}`,
    ),
    make('td', {}, text ?? ''),
  );

const percent = (share) => `${Math.round(share * 100)} %`;
