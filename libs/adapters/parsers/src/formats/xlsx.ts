import type { Format } from '../format.js';
import { writeBlocks, type NewBlock } from '../plain-text.js';
import { openArchive, type Archive } from './archive.js';
import { factsOfCore } from './core-facts.js';
import { mainPart, relationsOf } from './ooxml.js';
import { blocksOfRows } from './table-blocks.js';
import { cellStyles } from './xlsx/cell-styles.js';
import { sharedStrings, sheetRows, type Workbook } from './xlsx/sheet-rows.js';
import { descendantsOf, elementAt, prefixedAttribute, type XmlElement } from './xml.js';

/** Workbooks and templates, with macros (which are not read) or without. */
const TYPE = /(spreadsheetml|ms-excel)\.(sheet|template)\.(macroEnabled\.)?main\+xml$/;

export const xlsx: Format = {
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  matches: ({ contained }) => TYPE.test(contained ?? ''),
  parse: async ({ zip }) => {
    const archive = openArchive(zip, 'workbook');
    const main = mainPart(archive);
    const book = archive.readXml(main);
    if (!book) throw new Error('its list of sheets is missing');
    const sheets = descendantsOf(book, 'sheet');
    const shown = sheets.filter(({ attributes }) => !/hidden/i.test(attributes['state'] ?? ''));
    const { metadata, ...facts } = factsOfCore(archive);
    return {
      ...writeBlocks(sheetBlocks(archive, main, book, shown)),
      ...facts,
      metadata: {
        ...metadata,
        sheets: sheets.length,
        ...(shown.length < sheets.length && { hiddenSheets: sheets.length - shown.length }),
      },
    };
  },
};

/** A heading and a table for each sheet that holds anything: an empty sheet's name tells nothing. */
const sheetBlocks = (archive: Archive, main: string, book: XmlElement, sheets: readonly XmlElement[]): NewBlock[] => {
  const relations = relationsOf(archive, main);
  const partOf = (type: string): string => relations.find((relation) => relation.type === type)?.part ?? '';
  const workbook: Workbook = {
    strings: sharedStrings(archive.read(partOf('sharedStrings'))),
    styles: cellStyles(archive.readXml(partOf('styles'))),
    is1904: /^(1|true)$/.test(elementAt(book, 'workbookPr')?.attributes['date1904'] ?? ''),
  };
  return sheets.flatMap((sheet) => {
    const id = prefixedAttribute(sheet, 'id');
    const part = relations.find((relation) => relation.id === id && relation.type === 'worksheet')?.part;
    if (part === undefined || !archive.has(part)) return []; // a sheet that is a chart
    const tables = blocksOfRows(sheetRows(archive.read(part), workbook));
    return tables.length === 0 ? [] : [{ kind: 'heading', text: sheet.attributes['name'] ?? '', level: 1 }, ...tables];
  });
};
