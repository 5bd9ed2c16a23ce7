import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { identitySeal, newId } from '@postmaster/contracts';
import type { IngestionUseCases } from '@postmaster/ingestion';
import { ingestionModule, ingestionTypeDefs } from '@postmaster/ingestion/nest';
import { createLog, startSubgraph } from '@postmaster/service';

export const SEAL = identitySeal(new TextEncoder().encode('a secret of at least 32 characters'));

/** The real ingestion subgraph on a port of its own. */
export const ingestionOverHttp = async (useCases: IngestionUseCases) => {
  const module = ingestionModule({ ...useCases, paused: async () => null, now: () => new Date(), seal: SEAL });
  const log = createLog({ name: `test-${newId()}`, level: 'silent', pretty: false });
  const subgraph = await startSubgraph({ name: 'ingestion', module, typeDefs: ingestionTypeDefs(), seal: SEAL, log });
  return { url: await subgraph.listen(0, '127.0.0.1'), close: () => subgraph.close() };
};

/** How many files a folder of blobs holds, whole and broken ones. */
export const storedIn = async (folder: string): Promise<{ whole: number; broken: number }> => {
  const incoming = await readdir(join(folder, '.incoming')).catch(() => []);
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).length;
  return { whole: files - incoming.length, broken: incoming.length };
};
