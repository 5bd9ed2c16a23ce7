import { isoDate } from '../iso-date.js';
import type { Draft } from '../plain-text.js';
import type { ZipEntry } from '../zip.js';

const MAX_CORE = 1024 * 1024;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Title, author and dates from docProps/core.xml (ECMA-376 part 2, Dublin Core); what is missing or damaged is left out. */
export const factsOfCore = (zip: readonly ZipEntry[]): Pick<Draft, 'title' | 'createdAt' | 'metadata'> => {
  const xml = readCore(zip);
  const field = (name: string): string | null => {
    const found = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([^<]*)</`).exec(xml)?.[1]?.trim();
    return found ? found.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '') : null;
  };
  const scalars = {
    author: field('creator'),
    subject: field('subject'),
    keywords: field('keywords'),
    description: field('description'),
  };
  const metadata: Draft['metadata'] = {};
  for (const [key, value] of Object.entries(scalars)) {
    if (value !== null) metadata[key] = value;
  }
  return { title: field('title'), createdAt: isoDate(field('created')), metadata };
};

const readCore = (zip: readonly ZipEntry[]): string => {
  try {
    const bytes = zip.find(({ name }) => name === 'docProps/core.xml')?.read(MAX_CORE);
    return bytes ? new TextDecoder().decode(bytes) : '';
  } catch {
    return ''; // the document is read without them
  }
};
