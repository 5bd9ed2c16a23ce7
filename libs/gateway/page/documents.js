import { call, read, sendFile } from './api.js';
import { find, make } from './elements.js';
import { label } from './labels.js';

const BUSY_MS = 1500;
const IDLE_MS = 10_000;
const PAGE = 50;
const AT_ONCE = 3;

let shown = PAGE;
let timer;

/** The list as it is now, looked at often while work is going on. */
export const showDocuments = async () => {
  clearTimeout(timer);
  let busy = true;
  try {
    const { documents, total } = await read(`/api/v1/documents?first=${Math.min(shown, 100)}`);
    find('documents-empty').hidden = total > 0;
    find('more').hidden = total <= documents.length || shown >= 100;
    keepInPlace(find('document-list'), documents);
    busy = documents.some(({ status }) => status !== 'READY' && status !== 'FAILED');
  } catch (error) {
    if (error.code === 'KEY_MISSING' || error.code === 'KEY_INVALID') throw error;
    busy = false; // looked at again in a while
  }
  timer = setTimeout(() => void showDocuments().catch(() => {}), busy && !document.hidden ? BUSY_MS : IDLE_MS);
};

/** Only what changed is made anew, so that nothing moves under a reader's hands. */
const keepInPlace = (list, documents) => {
  const old = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const items = documents.map((document) => {
    const state = JSON.stringify(document);
    const before = old.get(document.id);
    return before?.dataset.state === state ? before : item(document, state);
  });
  if (items.length !== list.children.length || items.some((each, at) => each !== list.children[at]))
    list.replaceChildren(...items);
};

const item = (document, state) => {
  const { id, title, status, progress, failure, degraded, links } = document;
  const working = status !== 'READY' && status !== 'FAILED';
  return make(
    'li',
    { data: { id, state } },
    make(
      'div',
      { class: 'head' },
      make('span', { class: 'name' }, title),
      make('span', { class: `status ${status}` }, label(status)),
      progress.total > 0 &&
        make('span', { class: 'quiet-text' }, `${progress.ready}/${progress.total} ${label('paragraphs')}`),
      status !== 'FAILED' &&
        status !== 'ACCEPTED' &&
        make('a', { href: links.text, target: '_blank', rel: 'noopener' }, label('text')),
      make('a', { href: links.original }, label('original')),
      status === 'FAILED' || degraded.length > 0 ? button('retry', () => act(`${links.status}/retry`, 'POST')) : '',
      button('delete', () => confirm(label('sureToDelete')) && act(links.status, 'DELETE'), title),
    ),
    working && make('progress', progress.total > 0 ? { max: progress.total, value: progress.ready } : {}),
    failure && make('p', { class: 'fault' }, `${failure.message} ${failure.next}`),
    progress.paused && make('p', { class: 'quiet-text' }, `${progress.paused.message} ${progress.paused.next}`),
    ...degraded
      .slice(0, 1)
      .map((one) =>
        make('p', { class: 'quiet-text' }, `${progress.failed} ${label('gaveUp')}: ${one.message} ${one.next}`),
      ),
  );
};

const button = (name, onclick, about = '') =>
  make('button', { type: 'button', class: 'quiet', onclick, ariaLabel: `${label(name)} ${about}`.trim() }, label(name));

const act = async (address, method) => {
  await call(address, { method }).catch((error) => alert(error.message));
  await showDocuments();
};

/** A few files at once; each says how far it is, and what went wrong. */
const upload = async (files) => {
  const waiting = [...files].map((file) => {
    const bar = make('progress', { max: 1, value: 0 });
    const fate = make('p', { class: 'fault' });
    const row = make(
      'li',
      {},
      make(
        'div',
        { class: 'head' },
        make('span', { class: 'name' }, file.name),
        make('span', { class: 'status' }, label('sending')),
      ),
      bar,
      fate,
    );
    find('uploads').append(row);
    return { file, bar, fate, row };
  });
  const next = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const { file, bar, fate, row } = one;
      try {
        const { unchanged } = await sendFile(file, (part) => (bar.value = part));
        if (unchanged) row.querySelector('.status').textContent = label('unchanged');
        setTimeout(() => row.remove(), unchanged ? 4000 : 0);
      } catch (error) {
        bar.remove();
        fate.textContent = error.message;
        row.querySelector('.status').replaceWith(button('dismiss', () => row.remove(), file.name));
      }
      await showDocuments().catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
};

export const startDocuments = () => {
  const drop = find('drop');
  const files = find('files');
  files.onchange = () => {
    void upload(files.files);
    files.value = '';
  };
  const over = (is) => (event) => {
    event.preventDefault();
    drop.classList.toggle('over', is);
  };
  drop.ondragover = over(true);
  drop.ondragleave = over(false);
  drop.ondrop = (event) => {
    over(false)(event);
    void upload(event.dataTransfer.files);
  };
  find('more').onclick = () => {
    shown = 100;
    void showDocuments();
  };
  document.addEventListener('visibilitychange', () => document.hidden || void showDocuments().catch(() => {}));
};
