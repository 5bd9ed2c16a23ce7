import { randomBytes } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { blobsFromConfig } from '@postmaster/blobs';
import type { Nats } from '@postmaster/bus';
import { TenantId } from '@postmaster/contracts';
import type { BlobStore } from '@postmaster/ingestion';
import { check } from './check.js';
import { closeSoon } from './close-soon.js';
import { fail, type Finding, ok, skipped, type Verdict, warn } from './finding.js';
import { connectionOf, connectToNats } from './nats/examine-nats.js';
import { managerOf } from './nats/streams.js';
import { notSet, type Patient } from './patient.js';

/** Of no customer: what is stored under it is ours, and random. */
const TENANT = TenantId.parse('postmaster-doctor');
const BUCKET = 'postmaster-blobs';

/** Where documents' bytes lie. Makes nothing, unless a try of writing was asked for. */
export const examineBlobs = async (patient: Patient): Promise<Finding[]> => {
  const limitMs = 2 * patient.limitMs; // a connection, then calls
  return [
    await check('blobs', limitMs, async (signal) => {
      if (patient.wrong.has('BLOBS_URL')) return skipped(notSet(patient, 'BLOBS_URL'));
      const url = patient.config.BLOBS_URL;
      if (url?.startsWith('nats:')) return bucketVerdict(patient, new URL(url), signal);
      if (url?.startsWith('s3:')) return storeVerdict(patient, `The bucket ${url}`, signal);
      return folderVerdict(patient, url ? fileURLToPath(url) : join(patient.data, 'blobs'), signal);
    }),
  ];
};

const bucketVerdict = async (patient: Patient, url: URL, signal: AbortSignal): Promise<Verdict> => {
  if (!patient.config.NATS_URL)
    return fail('BLOBS_URL names a bucket in NATS, and NATS_URL is not set.', 'Set NATS_URL, or another BLOBS_URL.');
  const bucket = (url.host || url.pathname).replaceAll('/', '') || BUCKET;
  let nats: Nats | undefined;
  try {
    const connected = (nats = await connectToNats(patient.config, signal));
    const { streams } = await managerOf(await connectionOf(connected));
    const names = await streams.names(`$O.${bucket}.M.>`).next();
    const what = `The bucket ${bucket} in NATS`;
    if (names.length === 0 && !patient.write)
      return ok(`${what} is not there yet: ingestion makes it at its first start.`);
    return await storeVerdict(patient, what, signal, connected);
  } finally {
    await closeSoon(nats?.drain());
  }
};

const folderVerdict = async (patient: Patient, folder: string, signal: AbortSignal): Promise<Verdict> => {
  const what = `The folder ${folder}`;
  const there = await stat(folder).catch(() => undefined);
  if (!there && !patient.write) return ok(`${what} is not there yet: the first start makes it.`);
  if (there && !there.isDirectory()) return fail(`${what} is a file.`, 'Correct BLOBS_URL.');
  if (there)
    try {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      return fail(
        `${what} can not be written by this user.`,
        'Give the user of the services the right, or correct BLOBS_URL.',
      );
    }
  return storeVerdict(patient, what, signal);
};

const storeVerdict = async (patient: Patient, what: string, signal: AbortSignal, nats?: Nats): Promise<Verdict> => {
  const config = { ...patient.config, POSTMASTER_DATA: patient.data };
  const blobs = await blobsFromConfig(config, nats && (() => connectionOf(nats)));
  await blobs.check();
  return patient.write
    ? writeVerdict(blobs, what, signal)
    : ok(`${what} answers; nothing was written (--write tries that).`);
};

const writeVerdict = async (blobs: BlobStore, what: string, signal: AbortSignal): Promise<Verdict> => {
  const bytes = randomBytes(16);
  const { hash } = await blobs.put(TENANT, Readable.from([bytes]), { maxBytes: 1_000, signal });
  try {
    const read = await buffer(await blobs.open(TENANT, hash));
    if (!read.equals(bytes))
      return fail(`${what} gave other bytes back than were stored.`, 'See its log and its disks.');
  } finally {
    await blobs.remove(TENANT, hash);
  }
  return (await blobs.has(TENANT, hash))
    ? warn(`${what} stores and reads, but removed nothing.`, 'See what the login may do there.')
    : ok(`${what} stores, reads and removes.`);
};
