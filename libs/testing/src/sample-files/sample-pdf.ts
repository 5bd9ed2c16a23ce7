export interface PdfFacts {
  title?: string;
  author?: string;
  /** As a PDF writes it: "D:20240131093000Z". */
  created?: string;
}

const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 72;
const LETTERS_PER_LINE = 80;

/**
 * A PDF of these pages, each of paragraphs: wrapped to lines of 80 letters in 11 points, a line's height apart. One that
 * starts with "# " is a heading in 18 points. Letters of Western European languages (windows-1252).
 */
export const samplePdf = (pages: readonly (readonly string[])[], facts: PdfFacts = {}): Buffer =>
  pdfFile(
    pages.map((paragraphs) => ({ content: pageContent(paragraphs), resources: '/Font << /F1 3 0 R >>' })),
    facts,
  );

/** One line anywhere on a page, in points from its lower left corner. */
export interface PdfLine {
  text: string;
  x: number;
  y: number;
  size?: number;
}

/** A PDF whose lines stand where they are told to: columns, tables, running heads. */
export const placedPdf = (pages: readonly (readonly PdfLine[])[]): Buffer =>
  pdfFile(
    pages.map((lines) => ({
      content: lines.map(({ text, x, y, size = 11 }) => showText(text, x, y, size)).join('\n'),
      resources: '/Font << /F1 3 0 R >>',
    })),
    {},
  );

/** A page that holds a picture and no text, as a scanner makes it; the picture is a pattern. */
export const scannedPdf = (): Buffer =>
  pdfFile(
    [
      {
        content: `q 400 0 0 400 90 200 cm BI /W 8 /H 8 /BPC 1 /CS /G ID \x55\x2a\x55\x2a\x55\x2a\x55\x2a EI Q`,
        resources: '',
      },
    ],
    {},
  );

/** A JPEG over the whole width of a page, its shape kept. */
export interface PdfPicture {
  jpeg: Buffer;
  width: number;
  height: number;
  /** A line of text below it. */
  stamp?: string;
}

/** A PDF of pages that are paragraphs, as in samplePdf, and of scanned ones. */
export const mixedPdf = (pages: readonly (readonly string[] | PdfPicture)[]): Buffer =>
  pdfFile(
    pages.map((page) => ({
      content: 'jpeg' in page ? pictureContent(page) : pageContent(page),
      resources: '/Font << /F1 3 0 R >>',
    })),
    {},
  );

const pictureContent = ({ jpeg, width, height, stamp }: PdfPicture): string => {
  const tall = (WIDTH * height) / width;
  const picture = `BI /W ${width} /H ${height} /BPC 8 /CS /RGB /F /DCT ID ${jpeg.toString('latin1')} EI`;
  const line = stamp === undefined ? '' : showText(stamp, MARGIN, MARGIN / 2, 8);
  return `q ${WIDTH} 0 0 ${tall.toFixed(1)} 0 ${(HEIGHT - tall).toFixed(1)} cm\n${picture}\nQ\n${line}`;
};

/** A PDF that asks for a password. (Its text is not really encrypted: without the password nobody comes that far.) */
export const encryptedPdf = (): Buffer => {
  const id = '<00112233445566778899aabbccddeeff>';
  const key = `<${'5a'.repeat(32)}>`;
  return pdfFile(
    [{ content: pageContent(['Secret.']), resources: '/Font << /F1 3 0 R >>' }],
    {},
    `/ID [${id} ${id}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >>`,
  );
};

/** The first part of a file, as a broken transfer leaves it. */
export const truncated = (file: Uint8Array, share = 0.6): Buffer =>
  Buffer.from(file.subarray(0, Math.floor(file.length * share)));

const pageContent = (paragraphs: readonly string[]): string => {
  const shown: string[] = [];
  let y = HEIGHT - MARGIN;
  for (const paragraph of paragraphs) {
    const isHeading = paragraph.startsWith('# ');
    const size = isHeading ? 18 : 11;
    for (const line of wrap(isHeading ? paragraph.slice(2) : paragraph)) {
      y -= size * 1.3;
      shown.push(showText(line, MARGIN, y, size));
    }
    y -= size;
  }
  return shown.join('\n');
};

const wrap = (text: string): string[] => {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + word.length < LETTERS_PER_LINE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

const showText = (text: string, x: number, y: number, size: number): string =>
  `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y.toFixed(1)} Tm (${escapeText(text)}) Tj ET`;

const escapeText = (text: string): string => text.replace(/[\\()]/g, '\\$&');

/** Objects: 1 catalogue, 2 pages, 3 font, 4 information, then a page and its content by turns (ISO 32000-1, 7.5). */
const pdfFile = (pages: readonly { content: string; resources: string }[], facts: PdfFacts, trailer = ''): Buffer => {
  const info = [
    facts.title === undefined ? '' : `/Title (${escapeText(facts.title)})`,
    facts.author === undefined ? '' : `/Author (${escapeText(facts.author)})`,
    facts.created === undefined ? '' : `/CreationDate (${facts.created})`,
  ].join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${5 + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< ${info} >>`,
    ...pages.flatMap(({ content, resources }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << ${resources} >> /Contents ${6 + 2 * index} 0 R >>`,
      `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  return pdfOfObjects(objects, `/Info 4 0 R ${trailer}`);
};

/** A PDF of these objects, numbered from 1 and written as they are, each letter a byte; the first is its catalogue. */
export const pdfOfObjects = (objects: readonly string[], trailer = ''): Buffer => {
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
};
