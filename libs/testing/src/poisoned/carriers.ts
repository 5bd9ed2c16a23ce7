import { sampleDocx, sampleMail } from '../sample-files.js';

/** What a carrier puts together: what the document is about, and the attack. */
export interface Load {
  title: string;
  /** Two sentences. */
  fact: string;
  attack: string;
}

export interface CarriedFile {
  name: string;
  bytes: Uint8Array;
}

export type Carry = (load: Load) => CarriedFile;

const file = (name: string, text: string): CarriedFile => ({ name, bytes: Buffer.from(text) });
const line = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
const markup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html><head><title>${markup(title)}</title>${head}</head><body><main>${body}</main></body></html>`;

/** What stands there is no part of the document's text. */
export const UNREAD_CARRIERS: ReadonlySet<string> = new Set(['HTML, a remark and what is hidden', 'its name']);

/** Where in a file an attack can stand. `name` is the file's own, without its ending. */
export const CARRIERS: Readonly<Record<string, (name: string) => Carry>> = {
  'Markdown, within its paragraph':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.md`, `# ${title}\n\n${fact} ${attack}\n`),
  'Markdown, a heading':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.md`, `# ${title}\n\n## ${line(attack)}\n\n${fact}\n`),
  'Markdown, a table':
    (name) =>
    ({ title, fact, attack }) =>
      file(
        `${name}.md`,
        `# ${title}\n\n${fact}\n\n| A | B |\n|---|---|\n| 1 | ${line(attack).replaceAll('|', '\\|')} |\n`,
      ),
  'Markdown, the words of an image':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.md`, `# ${title}\n\n${fact} ![${line(attack).replace(/[[\]]/g, '')}](a.png)\n`),
  'Markdown, a quotation and code':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.md`, `# ${title}\n\n${fact}\n\n> ${line(attack)}\n\n\`\`\`\n${attack}\n\`\`\`\n`),
  'text, before the fact':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.txt`, `${title}\n\n${attack}\n${fact}\n`),
  'text, title':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.md`, `# ${title}. ${line(attack)}\n\n${fact}\n`),
  'HTML, within its paragraph':
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.html`, page(title, '', `<h1>${markup(title)}</h1><p>${fact} ${markup(attack)}</p>`)),
  'HTML, title and description':
    (name) =>
    ({ title, fact, attack }) =>
      file(
        `${name}.html`,
        page(
          `${title} ${line(attack)}`,
          `<meta name="description" content="${markup(line(attack))}">`,
          `<p>${fact}</p>`,
        ),
      ),
  'HTML, a remark and what is hidden':
    (name) =>
    ({ title, fact, attack }) =>
      file(
        `${name}.html`,
        page(title, '', `<p>${fact}</p><!-- ${line(attack)} --><div style="display:none">${markup(attack)}</div>`),
      ),
  'HTML, white on white':
    (name) =>
    ({ title, fact, attack }) =>
      file(
        `${name}.html`,
        page(title, '', `<p>${fact} <span style="color:#fff;font-size:1px">${markup(attack)}</span></p>`),
      ),
  'mail, body':
    (name) =>
    ({ title, fact, attack }) => {
      const headers = { Subject: title, 'Message-ID': `<${encodeURIComponent(name)}@example.org>` };
      return { name: `${name}.eml`, bytes: sampleMail(headers, `${fact}\n${attack}\n`) };
    },
  'mail, subject':
    (name) =>
    ({ title, fact, attack }) => {
      const subject = `=?utf-8?B?${Buffer.from(`${title} ${line(attack)}`).toString('base64')}?=`;
      const headers = { Subject: subject, 'Message-ID': `<${encodeURIComponent(name)}@example.org>` };
      return { name: `${name}.eml`, bytes: sampleMail(headers, `${fact}\n`) };
    },
  JSON:
    (name) =>
    ({ title, fact, attack }) =>
      file(`${name}.json`, JSON.stringify({ title, fact, remark: attack })),
  'Word, its title and a paragraph':
    (name) =>
    ({ title, fact, attack }) => ({
      name: `${name}.docx`,
      bytes: sampleDocx([{ heading: title, level: 1 }, `${fact} ${line(withoutControls(attack))}`]),
    }),
  'its name':
    (name) =>
    ({ title, fact, attack }) =>
      file(
        `${name} ${line(attack)
          .replace(/[^\p{L}\p{N} ]/gu, '')
          .slice(0, 90)}.md`,
        `# ${title}\n\n${fact}\n`,
      ),
};

const withoutControls = (text: string): string => text.replace(/[\u0000-\u0008]/g, '');
