import { compoundFile } from './compound-file.js';

/** Streams below this would lie in a stream of their own (MS-CFB, 2.2). */
const LEAST_BYTES = 4096;
const [SUBJECT, TRANSPORT_HEADERS, SENDER, BODY] = ['0037', '007D', '0C1A', '1000'];
const UNICODE = '001F';

/** A mail as Outlook stores it (MS-OXMSG), with the headers that it travelled with; no files. */
export const sampleMsg = (headers: Readonly<Record<string, string>>, body: string): Buffer => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const texts: [property: string, text: string][] = [
    [SUBJECT, headers.Subject ?? ''],
    [TRANSPORT_HEADERS, lines.join('')],
    [SENDER, /^[^<]*/.exec(headers.From ?? '')?.[0].trim() ?? ''],
    [BODY, body],
  ];
  return compoundFile({
    '__properties_version1.0': Buffer.alloc(32),
    ...Object.fromEntries(
      texts.map(([property, text]) => [
        `__substg1.0_${property}${UNICODE}`,
        Buffer.from(text.padEnd(LEAST_BYTES / 2), 'utf16le'), // spaces, where a compound file would be filled with zeros
      ]),
    ),
  });
};
