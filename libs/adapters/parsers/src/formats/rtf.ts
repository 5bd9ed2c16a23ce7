import type { Format } from '../format.js';
import { writeBlocks } from '../plain-text.js';
import { readRtf } from './rtf/read-rtf.js';

const MARK = '{\\rtf';

export const rtf: Format = {
  contentType: 'application/rtf',
  extensions: ['rtf'],
  matches: ({ bytes }) => Buffer.from(bytes.subarray(0, MARK.length)).toString('latin1') === MARK,
  parse: async ({ bytes }) => {
    const { blocks, info, createdAt } = readRtf(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
    );
    const { title, ...metadata } = info;
    return { ...writeBlocks(blocks), title: title ?? null, createdAt, metadata };
  },
};
