import { describe, expect, it } from 'vitest';
import { CodedError, type ErrorCode } from '@postmaster/contracts';
import type { Block } from '@postmaster/ingestion';
import { STRATEGIES } from '@postmaster/ingestion';
import { sampleMail } from '@postmaster/testing';
import { parseBytes } from './parse-bytes.js';
import { codePointSlices } from './plain-text.js';
import { unpackTo } from './unpacking.js';

const read = async (bytes: Uint8Array, name = 'upload.bin') => {
  const files = new Map<number, string>();
  const parsed = await parseBytes(
    bytes,
    name,
    undefined,
    unpackTo((place, file) => void files.set(place, Buffer.from(file).toString())),
  );
  const texts = codePointSlices(parsed.text, parsed.blocks);
  const of = (isAside: boolean): string =>
    texts.filter((_, index) => ((parsed.blocks[index] as Block).kind === 'aside') === isAside).join('\n');
  return { ...parsed, own: of(false), aside: of(true), files: [...files.values()] };
};
const html = (content: string) => ({ type: 'text/html; charset=utf-8', content });

describe('a mail', () => {
  it('has its headers as facts', async () => {
    const mail = sampleMail(
      {
        From: '=?utf-8?Q?S=C3=B8ren?= <s@example.org>',
        Cc: 'Carl <c@example.org>, d@example.org',
        Subject: '=?utf-8?B?UsO4ZGdyw7hk?=',
        Date: 'Tue, 3 Feb 2026 10:02:00 +0100',
        'Message-ID': '<3@example.org>',
        'In-Reply-To': '<2@example.org>',
        References: '<1@example.org>\r\n <2@example.org>',
      },
      'Vi mødes på kajen.',
    );
    expect(await read(mail)).toMatchObject({
      contentType: 'message/rfc822',
      title: 'Rødgrød',
      createdAt: '2026-02-03T09:02:00.000Z',
      text: 'Vi mødes på kajen.',
      metadata: {
        from: 'Søren <s@example.org>',
        to: 'Bo Lund <bo@example.org>',
        cc: 'Carl <c@example.org>, d@example.org',
        messageId: '<3@example.org>',
        inReplyTo: '<2@example.org>',
        references: '<1@example.org> <2@example.org>',
        thread: '<1@example.org>',
      },
    });
  });

  it('gives its files out, and lists them, but not the pictures that its text shows', async () => {
    const mail = sampleMail(
      { Subject: 'Files' },
      html('<p>See below.</p><img src="cid:logo@x">'),
      { type: 'image/png', content: 'small', headers: { 'Content-ID': '<logo@x>' } },
      { type: 'text/plain', content: 'First.', name: 'note.txt' },
      { type: 'text/plain', content: 'Second.', name: 'note.txt' },
      { type: 'message/rfc822', content: sampleMail({ Subject: 'Inner' }, 'Inner words.') },
    );
    const { attachments, files, own } = await read(mail);
    expect(attachments?.map(({ path, contentType }) => [path, contentType])).toEqual([
      ['note.txt', 'text/plain'],
      ['note (2).txt', 'text/plain'],
      ['message.eml', 'message/rfc822'],
    ]);
    expect(files.slice(0, 2)).toEqual(['First.', 'Second.']);
    expect(files[2]).toContain('Subject: Inner');
    expect(own).toBe('See below.');
  });

  it('without a text is known by its subject and its files', async () => {
    const { text } = await read(
      sampleMail({ Subject: 'The plan' }, { type: 'application/pdf', content: '%PDF', name: 'plan.pdf' }),
    );
    expect(text).toBe('The plan\n\n- plan.pdf');
  });

  it.each([
    ['the plain text where both say the same', 'We meet at ten.', '<p>We meet at <b>ten</b>.</p>', 'We meet at ten.'],
    [
      'the HTML where the plain text is there for show',
      'View this in a browser.',
      `<p>${'The ferry sails at ten. '.repeat(20)}</p>`,
      'The ferry',
    ],
  ])('is read by %s', async (_what, plain, markup, starts) => {
    const boundary = 'b1';
    const body = `--b1\r\nContent-Type: text/plain\r\n\r\n${plain}\r\n--b1\r\nContent-Type: text/html\r\n\r\n${markup}\r\n--b1--`;
    const mail = `From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\nContent-Type: multipart/alternative; boundary=${boundary}\r\n\r\n${body}`;
    expect((await read(Buffer.from(mail))).own.startsWith(starts)).toBe(true);
  });

  it('is text in UTF-8 where it says Western and is UTF-8', async () => {
    const mail = `From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nRødgrød – “med” fløde`;
    expect((await read(Buffer.from(mail))).text).toBe('Rødgrød – “med” fløde');
  });
});

const OWN = 'Yes, we take the ferry at ten.';
const OLD = 'Shall we take the ferry or the bridge?';
const SIGN = 'Med venlig hilsen';

describe('what a mail repeats of others', () => {
  it.each<[what: string, mail: string]>([
    ['lines with ">"', `${OWN}\n\nOn Tue, 3 Feb 2026 at 10:02, Anna Holm <a@example.org> wrote:\n> ${OLD}`],
    ['a line over two', `${OWN}\n\nOn Tue, 3 Feb 2026 at 10:02, Anna Holm\n<anna.holm@example.org> wrote:\n\n> ${OLD}`],
    ['Danish', `${OWN}\n\nDen tirs. 3. feb. 2026 kl. 10.02 skrev Anna Holm <a@example.org>:\n\n> ${OLD}`],
    ['Danish, plain', `${OWN}\n\nDen 03-02-2026 kl. 10:02 skrev Anna Holm:\n\n${OLD}`],
    [
      'Outlook',
      `${OWN}\n\n-----Original Message-----\nFrom: Anna Holm\nSent: 3 February 2026 10:02\nTo: Bo\nSubject: Ferry\n\n${OLD}`,
    ],
    [
      'Outlook, Danish',
      `${OWN}\n\n________________________________\nFra: Anna Holm\nSendt: 3. februar 2026 10:02\nTil: Bo\nEmne: Færge\n\n${OLD}`,
    ],
    [
      'Outlook without a line',
      `${OWN}\n\nFra: Anna Holm <a@example.org>\nDato: tirsdag den 3. februar 2026 kl. 10.02\nTil: Bo <b@example.org>\nEmne: Færge\n\n${OLD}`,
    ],
  ])('is set aside: %s', async (_what, text) => {
    const { own, aside, blocks, text: whole, ...parsed } = await read(sampleMail({ Subject: 'Re: Ferry' }, text));
    expect(own).toBe(OWN);
    expect(aside).toContain(OLD);
    const document = { ...parsed, blocks, text: whole };
    const paragraphs = await STRATEGIES.paragraphs(document, { words: 200, long: 'split' }, async () => []);
    expect(
      paragraphs.map(({ text: paragraph, start, end }) => [paragraph, [...whole].slice(start, end).join('')]),
    ).toEqual([[OWN, OWN]]);
  });

  it.each([
    [
      'Gmail',
      `<div>${OWN}</div><div class="gmail_quote"><div class="gmail_attr">On Tue, Anna wrote:</div><blockquote>${OLD}</blockquote></div>`,
    ],
    ['Outlook', `<p>${OWN}</p><div id="divRplyFwdMsg"><b>From:</b> Anna</div><div>${OLD}</div>`],
    [
      'Outlook on a desk',
      `<p>${OWN}</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Anna<br><b>Sent:</b> 3. februar 2026<br><b>To:</b> Bo<br><b>Subject:</b> x</p></div><p>${OLD}</p>`,
    ],
    [
      'Apple',
      `<div>${OWN}</div><blockquote type="cite"><div>On 3 Feb 2026, at 10.02, Anna wrote:</div><div>${OLD}</div></blockquote>`,
    ],
  ])('is set aside in HTML: %s', async (_what, markup) => {
    const { own, aside } = await read(sampleMail({ Subject: 'Re: x' }, html(markup)));
    expect([own, aside.includes(OLD)]).toEqual([OWN, true]);
  });

  it('is set aside between the answers to it, which stay', async () => {
    const { own } = await read(
      sampleMail(
        { Subject: 'Re: x' },
        `Anna wrote on 3 Feb 2026 at 10:02 things:\n> Ferry?\nYes, the ferry.\n> At ten?\nNo, at eleven.`,
      ),
    );
    expect(own).toContain('Yes, the ferry.');
    expect(own).toContain('No, at eleven.');
    expect(own).not.toContain('At ten?');
  });

  it.each([
    [
      'a forwarded mail',
      'Fwd: Ferry',
      `See this.\n\nFrom: Anna\nSent: 3 February 2026\nTo: Bo\nSubject: Ferry\n\n${OLD}`,
    ],
    ['a forwarded message', 'Ferry', `See this.\n\n---------- Forwarded message ---------\n${OLD}`],
    ['a mail of nothing else', 'Re: Ferry', `> ${OLD}`],
    ['a line that only begins like one', 'Prices', `From: 100 kr.\nTo: 200 kr.\n\n${OLD}`],
  ])('stays where it is what there is to read: %s', async (_what, subject, text) => {
    expect((await read(sampleMail({ Subject: subject }, text))).own).toContain(OLD);
  });
});

describe('a signature', () => {
  it.each([
    ['after its mark', `${OWN}\n\n-- \nAnna Holm\nHarbour master`],
    ['after a closing', `${OWN}\n\n${SIGN}\nAnna Holm\nHavnechef\nTlf. 12 34 56 78\nwww.example.org`],
    [
      'after a closing, in parts',
      `${OWN}\n\nKind regards,\n\nAnna Holm\n\nHarbour master, Skagen\n\n+45 12 34 56 78 | anna@example.org`,
    ],
    ['with a name on its line', `${OWN}\n\nMvh Anna`],
    ['of a telephone', `${OWN}\n\nSent from my iPhone`],
    ['of a Danish telephone', `${OWN}\n\nMvh\nAnna\n\nSendt fra min iPhone`],
  ])('is set aside: %s', async (_what, text) => {
    const { own, aside } = await read(sampleMail({ Subject: 'x' }, text));
    expect(own).toBe(OWN);
    expect(aside).not.toBe('');
  });

  it.each([
    ['what follows it', `Hi\n\n${SIGN}\nAnna\n\nPS: ${OWN}`],
    ['a sentence after a closing', `Best\n\n${OWN}`],
    ['a sentence that thanks', `Thanks for the plan, which I have read.\n\n${OWN}`],
    ['a mail that is nothing else', `${SIGN}\nAnna`],
  ])('takes nothing else with it: %s', async (_what, text) => {
    const { own } = await read(sampleMail({ Subject: 'x' }, text));
    expect(own).toContain(text.split('\n').at(-1));
  });
});

describe('a hostile mail', () => {
  const nest = (depth: number): string => {
    let body = 'Content-Type: text/plain\r\n\r\nInnermost.\r\n';
    for (let at = depth; at > 0; at--)
      body = `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n${body}--b${at}--\r\n`;
    return `From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\n${body}`;
  };
  const many = sampleMail(
    { Subject: 'x' },
    'Words.',
    ...Array.from({ length: 1_200 }, (_, index) => ({ type: 'text/plain', content: 'x', name: `${index}.txt` })),
  );

  it.each<[what: string, bytes: Uint8Array, code: ErrorCode]>([
    ['with 1,000 parts within each other', Buffer.from(nest(1_000)), 'DOCUMENT_BROKEN'],
    ['with headers of 3 MB', sampleMail({ 'X-Fill': 'x '.repeat(1_500_000) }, 'Words.'), 'DOCUMENT_BROKEN'],
    [
      'that is encrypted',
      Buffer.from('From: a@b.c\r\nTo: d@e.f\r\nContent-Type: multipart/encrypted; boundary=x\r\n\r\n--x--'),
      'PASSWORD_NEEDED',
    ],
    [
      'that is a mailbox',
      Buffer.from(
        `From a@b.c Tue Feb  3 10:02:11 2026\n${sampleMail({ Subject: 'x' }, 'One.')}\n\nFrom a@b.c Tue Feb  3 10:02:11 2026\nFrom: x@y.z\n\nTwo.`,
      ),
      'UNKNOWN_TYPE',
    ],
  ])('is refused: %s', async (_what, bytes, code) => {
    await expect(parseBytes(bytes, 'a.eml')).rejects.toMatchObject({ code });
  });

  it('with a header of 1 MB is read, and the header kept short', async () => {
    const to = Array.from({ length: 30_000 }, (_, index) => `n${index}@example.org`).join(', ');
    const { metadata, text } = await read(sampleMail({ To: to, Subject: 'x' }, 'Words.'));
    expect(text).toBe('Words.');
    expect(metadata['to']).toMatch(/^n0@example\.org.* \+29\d{3}$/);
    expect(String(metadata['to']).length).toBeLessThanOrEqual(1_000);
  });

  it('gives out 1,000 files and tells of the others', async () => {
    const { files, attachments } = await read(many);
    expect(files).toHaveLength(1_000);
    expect(attachments?.filter(({ failure }) => failure?.code === 'ARCHIVE_TOO_LARGE')).toHaveLength(200);
  });

  it.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\windows\\x.dll', 'windows/x.dll'],
    ['bill\u202efdp.exe', 'billfdp.exe'],
    ['a\u0000b\nc.txt', 'abc.txt'],
    ['..', 'unnamed'],
  ])('can not name a file %j', async (name, path) => {
    const { attachments } = await read(
      sampleMail({ Subject: 'x' }, 'Words.', { type: 'text/plain', content: 'x', name }),
    );
    expect(attachments?.map((file) => file.path)).toEqual([path]);
  });

  it('has no files unpacked where it lies too deep', async () => {
    const parsed = await parseBytes(
      sampleMail({ Subject: 'x' }, 'Words.', { type: 'text/plain', content: 'x', name: 'a.txt' }),
      'a.eml',
    );
    expect(parsed.attachments).toMatchObject([{ path: 'a.txt', failure: { code: 'NESTED_TOO_DEEP' } }]);
    expect(parsed.text).toBe('Words.');
  });

  it('says what is wrong in words', async () => {
    await expect(parseBytes(Buffer.from(nest(1_000)), 'a.eml')).rejects.toBeInstanceOf(CodedError);
  });
});
