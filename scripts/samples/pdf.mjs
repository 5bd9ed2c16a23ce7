/** A PDF 1.4 file of text pages: A4, Helvetica, WinAnsi (western European letters). No library, same bytes every time. */
const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 72;
const BODY = { font: 'F1', size: 11, leading: 15, after: 10 };
const HEADING = { font: 'F2', size: 15, leading: 20, after: 8 };
const TITLE = { font: 'F2', size: 20, leading: 26, after: 18 };

export const makePdf = ({ title, author, pages }) => {
  const contents = pages.map((texts, at) => contentOf(at === 0 ? [`! ${title}`, ...texts] : texts, at + 1));
  const first = 6; // objects 1…5 are the same in every file
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  const font = (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (en) >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${inUnicode(title)} /Author ${inUnicode(author)} /CreationDate (D:20261101090000Z) >>`,
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${first + 2 * at + 1} 0 R ` +
        '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
      `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = Buffer.byteLength(file, 'latin1');
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = Buffer.byteLength(file, 'latin1');
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
};

const contentOf = (texts, page) => {
  let y = HEIGHT - MARGIN;
  const lines = [];
  const put = (text, style) => {
    y -= style.leading;
    lines.push(`BT /${style.font} ${style.size} Tf ${MARGIN} ${y} Td ${literal(text)} Tj ET`);
  };
  for (const text of texts) {
    const style = text.startsWith('! ') ? TITLE : text.startsWith('# ') ? HEADING : BODY;
    for (const line of wrapped(text.replace(/^[!#] /, ''), style.size)) put(line, style);
    y -= style.after;
  }
  lines.push(`BT /F1 9 Tf ${WIDTH / 2 - 4} ${MARGIN / 2} Td ${literal(String(page))} Tj ET`);
  return lines.join('\n');
};

/** Helvetica's letters are half as wide as high, on average. */
const wrapped = (text, size) => {
  const letters = Math.floor((WIDTH - 2 * MARGIN) / (size * 0.5));
  const lines = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

/** The few signs of WinAnsi that are not Latin 1. */
const WIN_ANSI = { '’': '\x92', '“': '\x93', '”': '\x94', '–': '\x96', '—': '\x97', '…': '\x85' };

const literal = (text) =>
  `(${text.replace(/[’“”–—…]/g, (sign) => WIN_ANSI[sign]).replace(/[\\()]/g, (sign) => `\\${sign}`)})`;

/** Text outside of pages knows no fonts: UTF-16 with a mark (PDF 1.4, 3.8.1). */
const inUnicode = (text) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
