import { indexOf } from '@postmaster/embedding';
import { z } from 'zod';
import { check } from '../check.js';
import type { EncoderFacts } from '../examine-encoder.js';
import { fail, type Finding, isBad, ok, skipped, type Verdict, warn } from '../finding.js';
import { isAtLeast } from '../figures.js';
import { notSet, type Patient } from '../patient.js';
import { askQdrant, type QdrantAddress } from './ask-qdrant.js';
import { collectionsVerdict, indexVerdict } from './collections-verdict.js';
import { readCollections } from './read-collections.js';

const Welcome = z.object({ title: z.string(), version: z.string() });

/** Qdrant: reached, key, version, our collections; `encoder` is what they should hold vectors of. */
export const examineQdrant = async (
  patient: Patient,
  encoder: Promise<EncoderFacts | undefined>,
): Promise<Finding[]> => {
  const { config, limitMs } = patient;
  const url = config.QDRANT_URL;
  if (!url) return [await check('qdrant', limitMs, () => skipped(notSet(patient, 'QDRANT_URL')))];
  const address = { url, apiKey: config.QDRANT_API_KEY };
  const reached = await check(
    'qdrant',
    limitMs,
    (signal) => serverVerdict(address, signal),
    `Qdrant at ${new URL(url).host}`,
  );
  if (isBad(reached)) return [reached];
  const stopping = new AbortController();
  const states = readCollections(address, AbortSignal.any([stopping.signal, AbortSignal.timeout(limitMs)]));
  states.catch(() => undefined); // said by both checks
  const collections = check('qdrant collections', limitMs + 500, async () =>
    collectionsVerdict(await states, { shards: config.QDRANT_SHARDS, copies: config.QDRANT_REPLICATION }),
  );
  const facts = await encoder; // has a time limit of its own
  const index = check('qdrant index', limitMs + 500, async () =>
    facts
      ? indexVerdict(await states, facts, indexOf(facts).name)
      : skipped('The encoder does not answer, so its dimension is not known.'),
  );
  const found = await Promise.all([collections, index]);
  stopping.abort();
  return [reached, ...found];
};

const serverVerdict = async (address: QdrantAddress, signal: AbortSignal): Promise<Verdict> => {
  const { host } = new URL(address.url);
  const began = performance.now();
  const welcome = await askQdrant(address, '/', Welcome, signal);
  if (!welcome?.title.startsWith('qdrant'))
    return fail(`What answers at ${host} is not Qdrant.`, 'Correct QDRANT_URL: Qdrant’s REST port is 6333.');
  await askQdrant(address, '/aliases', z.unknown(), signal); // the first is answered without a key, too
  const ms = Math.round(performance.now() - began);
  const said = `Qdrant ${welcome.version} at ${host} accepts ${address.apiKey ? 'the key' : 'calls without a key'}, in ${ms} ms.`;
  const next = 'Bring Qdrant up to date, a minor version at a time.';
  if (!isAtLeast(welcome.version, 1, 18)) return fail(`${said} 1.18 or later is needed.`, next);
  return isAtLeast(welcome.version, 1, 19)
    ? ok(said)
    : warn(`${said} Before 1.19, how rare a word is counts over all tenants (docs/decisions/0006).`, next);
};
