import { label } from './labels.js';

/** The session's cookie goes along by itself; a failure is an Error whose message says what to do next. */
export class Problem extends Error {
  constructor({ detail, message, next, code }) {
    super([detail ?? message, next].filter(Boolean).join(' '));
    this.code = code;
  }
}

export const call = async (address, options) => {
  const response = await fetch(address, options).catch(() => {
    throw new Problem({ message: label('unreachable') });
  });
  if (!response.ok) throw await problemOf(response);
  return response;
};

export const problemOf = async (response) =>
  new Problem(await response.json().catch(() => ({ message: response.statusText })));

export const read = async (address) => (await call(address)).json();

/** Server-sent events of a response, as they come. */
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (event) yield { event, data: JSON.parse(data || 'null') };
    }
  }
}

/** Sends one file, telling how much of it has gone. */
export const sendFile = (file, onPart) =>
  new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('title', file.name.replace(/\.[^.]+$/, ''));
    form.append('file', file);
    const request = new XMLHttpRequest();
    request.open('POST', '/api/v1/documents');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onPart(total > 0 ? loaded / total : 1);
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new Problem(request.response ?? { message: request.statusText }));
    request.onerror = () => reject(new Problem({ message: label('unreachable') }));
    request.send(form);
  });
