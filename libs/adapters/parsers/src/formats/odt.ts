import { CodedError } from '@postmaster/contracts';
import type { Format } from '../format.js';
import { writeBlocks } from '../plain-text.js';
import { openArchive } from './archive.js';
import { factsOfCore } from './core-facts.js';
import { odtBlocks } from './odt/odt-blocks.js';
import { descendantsOf, elementAt } from './xml.js';

export const odt: Format = {
  contentType: 'application/vnd.oasis.opendocument.text',
  extensions: ['odt', 'ott'],
  matches: ({ contained }) => /^application\/vnd\.oasis\.opendocument\.text(-template)?$/.test(contained ?? ''),
  parse: async ({ zip }) => {
    const archive = openArchive(zip, 'OpenDocument text');
    const manifest = archive.readXml('META-INF/manifest.xml');
    if (manifest && descendantsOf(manifest, 'encryption-data').length > 0) {
      throw new CodedError('PASSWORD_NEEDED', 'The OpenDocument text is protected by a password.');
    }
    const body = elementAt(archive.readXml('content.xml') ?? undefined, 'body', 'text');
    if (!body) throw new Error('its text is missing');
    return { ...writeBlocks(odtBlocks(body)), ...factsOfCore(archive, 'meta.xml') };
  },
};
