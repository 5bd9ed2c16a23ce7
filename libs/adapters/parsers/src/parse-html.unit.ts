import { describe, expect, it } from 'vitest';
import type { ParsedDocument } from '@postmaster/ingestion';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';

const parse = (markup: string | Uint8Array, name = 'page.html'): Promise<ParsedDocument> =>
  parseBytes(Buffer.from(markup), name);
const blocksOf = ({ text, blocks }: ParsedDocument): [string, string][] =>
  codePointSlices(text, blocks).map((slice, index) => [blocks[index]?.kind ?? '', slice]);

const prose = 'The harbour was built by the town itself, which paid for it over thirty years with a tax on herring. ';
const article = `<article><h1>The harbour</h1><p>${prose.repeat(3)}</p><h2>Trade</h2><p>${prose.repeat(4)}</p></article>`;

describe('HTML', () => {
  it('keeps the article and leaves out menus, scripts and footers', async () => {
    const parsed = await parse(
      `<!doctype html><html lang="en"><head><title>Harbour</title><script>var x = "secret";</script></head><body>
       <nav><a href="/">Home</a><a href="/shop">Shop</a></nav>${article}<footer>Cookie settings</footer></body></html>`,
    );
    expect(parsed.contentType).toBe('text/html');
    expect(parsed.text).toContain('paid for it over thirty years');
    expect(parsed.text).toContain('Trade');
    expect(parsed.text).not.toMatch(/Cookie|Shop|secret/);
  });

  it('falls back to the whole body where too little of it looks like an article', async () => {
    const rows = Array.from(
      { length: 8 },
      (_, index) => `<div><span>Item ${index}</span> costs ${index * 10} crowns</div>`,
    );
    const parsed = await parse(`<html><body><header>Logo</header>${rows.join('')}</body></html>`);
    expect(parsed.text).toContain('Item 7 costs 70 crowns');
    expect(parsed.text).not.toContain('Logo');
  });

  it('takes title, date, author and description from the head', async () => {
    const head = `<title>Harbour | Town</title><meta property="og:title" content="The harbour">
      <meta name="author" content="Ida Holm"><meta property="article:published_time" content="2023-05-04T10:00:00+02:00">`;
    const parsed = await parse(`<html><head>${head}</head><body>${article}</body></html>`);
    expect([parsed.title, parsed.createdAt]).toEqual(['The harbour', '2023-05-04T08:00:00.000Z']);
    expect(parsed.metadata).toMatchObject({ author: 'Ida Holm', encoding: 'utf-8' });
  });

  it('writes lists with their items on lines, and tables with their cells parted', async () => {
    const parsed = await parse(
      `<html><body><ul><li>one<ol><li>inner</li></ol></li><li>two</li></ul><table><caption>Prices</caption>
       <tr><th>What</th><th>Cost</th></tr><tr><td rowspan="2">Bread</td><td>1<br>2</td></tr><tr><td>3</td></tr></table>
       <pre>a\n  b</pre></body></html>`,
    );
    expect(blocksOf(parsed)).toEqual([
      ['list', '- one\n  1. inner\n- two'],
      ['text', 'Prices'],
      ['table', 'What | Cost\nBread | 1 2\nBread | 3'],
      ['code', 'a\n  b'],
    ]);
  });

  it('leaves out what a reader does not see', async () => {
    const parsed = await parse(
      '<html><body><p hidden>no</p><p style="display: none">no</p><p>yes</p><select><option>no</option></select></body></html>',
    );
    expect(parsed.text).toBe('yes');
  });

  it('is found by its content under any name, and a Markdown file that starts with a tag is not it', async () => {
    expect((await parse('<!-- saved --><!DOCTYPE html><p>Hello there</p>', 'page.txt')).contentType).toBe('text/html');
    const readme = '<div align="center">\n\n# Tool\n\n</div>\n\nUse **this** [tool](https://example.org).';
    expect((await parse(readme, 'README.md')).contentType).toBe('text/markdown');
  });

  it('reads a page in the charset that its head declares', async () => {
    const page = Buffer.from(
      '<html><head><meta charset="iso-8859-5"></head><body>\xbf\xe0\xd8\xd2\xd5\xe2</body></html>',
      'latin1',
    );
    expect((await parse(page)).text).toBe('Привет');
  });
});
