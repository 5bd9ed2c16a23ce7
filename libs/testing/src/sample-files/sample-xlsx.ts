import { escapeXml, officeFrame, relations, type OfficeFacts } from './office-parts.js';
import { zipArchive } from './zip-archive.js';

/** Text, a number, a truth value, or a day (ISO 8601); null for an empty cell. */
export type XlsxCell = string | number | boolean | { date: string } | null;

const NAMES =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const DAY = 86_400_000;

/** A workbook of these sheets. `macros` makes it one that carries a macro project; `emptyRows` follow in each sheet. */
export const sampleXlsx = (
  sheets: Readonly<Record<string, readonly (readonly XlsxCell[])[]>>,
  facts: OfficeFacts = {},
  { macros = false, emptyRows = 0 } = {},
): Buffer => {
  const names = Object.keys(sheets);
  const strings: string[] = [];
  const parts = Object.values(sheets).map((rows, index) => [
    `xl/worksheets/sheet${index}.xml`,
    `<worksheet ${NAMES}><sheetData>${rows.map((row, at) => rowXml(row, at + 1, strings)).join('')}${'<row ht="15"/>'.repeat(emptyRows)}</sheetData></worksheet>`,
  ]);
  const type = macros
    ? 'application/vnd.ms-excel.sheet.macroEnabled.main+xml'
    : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
  return zipArchive({
    ...officeFrame('xl/workbook.xml', type, facts),
    ...(macros && { 'xl/vbaProject.bin': 'Sub Auto_Open(): Shell "calc": End Sub' }),
    'xl/workbook.xml': `<workbook ${NAMES}><sheets>${names
      .map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="s${index}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, index) => [`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`] as const),
      ['strings', 'sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst ${NAMES}>${strings.map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet ${NAMES}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(parts),
  });
};

const rowXml = (cells: readonly XlsxCell[], number: number, strings: string[]): string =>
  `<row r="${number}">${cells
    .map((cell, column) => cellXml(cell, `${String.fromCharCode(65 + column)}${number}`, strings))
    .join('')}</row>`;

const cellXml = (cell: XlsxCell, reference: string, strings: string[]): string => {
  if (cell === null) return '';
  if (typeof cell === 'string') return `<c r="${reference}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`;
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  return `<c r="${reference}" s="1"><v>${(Date.parse(cell.date) - Date.UTC(1899, 11, 30)) / DAY}</v></c>`;
};
