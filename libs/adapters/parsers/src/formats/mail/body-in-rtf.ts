import { decompressRTF } from '@kenjiuno/decompressrtf';
import iconv from 'iconv-lite';
import { deEncapsulateSync } from 'rtf-stream-parser';
import { readRtf } from '../rtf/read-rtf.js';
import type { Mail } from './mail.js';

/** Of the text, unpacked. */
const MAX_BYTES = 20 * 1024 * 1024;

/**
 * The body that Outlook keeps as compressed rich text (MS-OXRTFCP): the HTML or text that it was made from where it says
 * so (MS-OXRTFEX), else its own words.
 */
export const bodyInRtf = (compressed: Uint8Array): Pick<Mail, 'text' | 'html'> => {
  const rtf = Buffer.from(decompressRTF([...compressed.subarray(0, MAX_BYTES)]));
  if (!/\\from(html|text)/.test(rtf.toString('latin1', 0, 1024))) {
    const { blocks } = readRtf(rtf.toString('latin1'));
    return { text: blocks.map(({ text }) => text).join('\n\n'), html: null };
  }
  const { mode, text } = deEncapsulateSync(rtf, { mode: 'either', decode: iconv.decode, prefix: false });
  return mode === 'html' ? { text: null, html: String(text) } : { text: String(text), html: null };
};
