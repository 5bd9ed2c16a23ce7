import path from 'node:path/posix';
import type { ZipEntry } from '../zip.js';
import type { Archive } from './archive.js';
import { elementsOf, parseXml, type XmlElement } from './xml.js';

/** A part that another one points to (ECMA-376 part 2, 9.3), within the file: links to the outside are left out. */
export interface Relation {
  id: string;
  /** The last part of its type's URI, which ECMA-376's transitional and strict forms share: "slide", "notesSlide". */
  type: string;
  /** The name of the part in the archive. */
  part: string;
}

const MAX_MANIFEST = 1024 * 1024;
const TYPES = '[Content_Types].xml';

/** The parts that `part` points to; those of the whole package for ''. */
export const relationsOf = (archive: Pick<Archive, 'readXml'>, part: string): Relation[] =>
  relationsIn(archive.readXml(path.join(path.dirname(part), '_rels', `${path.basename(part)}.rels`)), part);

const relationsIn = (rels: XmlElement | null, part: string): Relation[] =>
  elementsOf(rels ?? undefined, 'Relationship').flatMap(({ attributes: { Id, Type, Target, TargetMode } }) => {
    if (!Id || !Type || !Target || TargetMode === 'External') return [];
    return [{ id: Id, type: path.basename(Type), part: path.join('/', path.dirname(part), Target).slice(1) }];
  });

/** The part that the package is about: its workbook, presentation or document. */
export const mainPart = (archive: Pick<Archive, 'readXml'>): string =>
  relationsOf(archive, '').find(({ type }) => type === 'officeDocument')?.part ?? '';

/** What an archive says of itself by its manifest: ODF's and EPUB's `mimetype`, or the type of OOXML's main part. */
export const containedType = (zip: readonly ZipEntry[] | null): string | null => {
  const find = (name: string): ZipEntry | undefined => zip?.find((entry) => entry.name === name);
  const readXml = (name: string): XmlElement | null => {
    const bytes = find(name)?.read(MAX_MANIFEST);
    return bytes ? parseXml(bytes) : null;
  };
  try {
    const named = find('mimetype')?.read(MAX_MANIFEST);
    if (named) return new TextDecoder().decode(named).trim().slice(0, 100);
    const main = mainPart({ readXml });
    const types = elementsOf(readXml(TYPES) ?? undefined);
    const own = types.find(({ attributes }) => attributes['PartName'] === `/${main}`);
    const usual = types.find(({ attributes }) => attributes['Extension'] === path.extname(main).slice(1));
    return (own ?? usual)?.attributes['ContentType'] ?? null;
  } catch {
    return null; // a manifest that can't be read says nothing
  }
};
