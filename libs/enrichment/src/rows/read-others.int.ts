import { afterAll, describe, expect, it } from 'vitest';
import { newId, TenantId } from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { type Database, databaseOf } from '@postmaster/durable';
import { deliver, eventOf, idOf, parsed } from '@postmaster/testing';
import { acceptParagraphs } from '../accept-paragraphs.js';
import { ENRICHMENT_SCHEMA, enrichmentMigrations, type EnrichmentTables } from '../index.js';
import { othersOf } from './read-others.js';

const memory = await openMemoryDatabase([{ schema: ENRICHMENT_SCHEMA, migrations: enrichmentMigrations }]);
const rows = databaseOf<EnrichmentTables>(memory.kysely, ENRICHMENT_SCHEMA);
afterAll(() => memory.close());

const tenant = TenantId.parse(`t-${newId().slice(-12)}`);
const taken = (document: string, texts: readonly string[]): Promise<void> =>
  deliver([acceptParagraphs(rows)], eventOf(tenant, 'paragraphs.parsed', parsed(document, 1, texts)));

describe('what a paragraph is compared with', () => {
  it('is the rest of its document, which is read once for all that are judged together', async () => {
    const texts = ['One.', 'Two.', 'Three.'];
    await taken('d', texts);
    await taken('other', ['Elsewhere.']);
    let read = 0;
    const counted: Database<EnrichmentTables> = {
      ...rows,
      oneAsTenant: (...asked) => {
        read++;
        return rows.oneAsTenant(...asked);
      },
    };
    const readOthers = othersOf(counted, tenant);
    const others = await Promise.all(
      texts.map(async (text) => (await readOthers({ id: idOf('d', text), document: 'd', version: 1 })).sort()),
    );
    expect(others).toEqual([
      ['Three.', 'Two.'],
      ['One.', 'Three.'],
      ['One.', 'Two.'],
    ]);
    expect(read).toBe(1);
    expect(await readOthers({ id: idOf('other', 'Elsewhere.'), document: 'other', version: 1 })).toEqual([]);
  });

  it('is no more of a long document than 48, whichever paragraph asks', async () => {
    const texts = Array.from({ length: 60 }, (_, at) => `Number ${at}.`);
    await taken('long', texts);
    const readOthers = othersOf(rows, tenant);
    for (const text of texts) {
      const others = await readOthers({ id: idOf('long', text), document: 'long', version: 1 });
      expect(others).toHaveLength(48);
      expect(others).not.toContain(text);
    }
  });
});
