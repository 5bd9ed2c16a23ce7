import { describe, expect, it } from 'vitest';
import { bodyInRtf } from './body-in-rtf.js';

/** Rich text as Outlook stores it, in the form that is not packed (MS-OXRTFCP, 2.1.3.1). */
const stored = (rtf: string): Buffer => {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(rtf.length + 12, 0);
  head.writeUInt32LE(rtf.length, 4);
  head.write('MELA', 8, 'latin1');
  return Buffer.concat([head, Buffer.from(rtf, 'latin1')]);
};

describe('a body in rich text', () => {
  it.each([
    [
      'the HTML that it was made from',
      String.raw`{\rtf1\ansi\ansicpg1252\fromhtml1 \deff0{\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}Vi m\'f8des.{\*\htmltag72 </p>}}`,
      { text: null, html: '<p>Vi mødes.</p>' },
    ],
    [
      'the text that it was made from',
      String.raw`{\rtf1\ansi\ansicpg1252\fromtext \deff0{\fonttbl{\f0 Arial;}}Vi m\'f8des.\par Klokken ti.}`,
      { text: 'Vi mødes.\r\nKlokken ti.', html: null },
    ],
    [
      'its own words',
      String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 Vi m\'f8des.\par Klokken {\b ti}.\par}`,
      { text: 'Vi mødes.\n\nKlokken ti.', html: null },
    ],
  ])('is read as %s', (_what, rtf, body) => {
    expect(bodyInRtf(stored(rtf))).toEqual(body);
  });
});
