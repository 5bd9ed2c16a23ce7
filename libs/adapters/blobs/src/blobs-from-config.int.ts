import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '@nats-io/transport-node';
import { TenantId } from '@postmaster/contracts';
import { startNats, startS3Server } from '@postmaster/testing';
import { blobsFromConfig } from './index.js';

const tenant = TenantId.parse('ours');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postmaster-blobs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const data = () => ({ POSTMASTER_DATA: folder });
const put = async (blobs: Awaited<ReturnType<typeof blobsFromConfig>>) => {
  await blobs.check();
  return blobs.put(tenant, Readable.from(['text']), { maxBytes: 10 });
};

describe('The configured blobs', () => {
  it('lie in the data folder unless told', async () => {
    await put(await blobsFromConfig(data()));
    expect(await readdir(join(folder, 'blobs'))).toContain('ours');
  });

  it('lie in the folder of a file: address', async () => {
    await put(await blobsFromConfig({ ...data(), BLOBS_URL: pathToFileURL(join(folder, 'shared')).href }));
    expect(await readdir(join(folder, 'shared'))).toContain('ours');
  });

  it('lie in the bucket and under the prefix of an s3: address', async () => {
    const { endpoint, accessKeyId, secretAccessKey, objects, close } = await startS3Server({ bucket: 'ours' });
    const { hash } = await put(
      await blobsFromConfig({
        ...data(),
        BLOBS_URL: 's3://ours/of/postmaster/',
        S3_ENDPOINT: endpoint,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
        S3_FORCE_PATH_STYLE: true,
      }),
    );
    expect([...objects.keys()]).toEqual([`of/postmaster/ours/${hash}`]);
    await close();
  });

  it('lie in the bucket of a nats: address, on the connection of the process', async () => {
    const nats = await startNats();
    const connection = await connect({ servers: nats.url });
    const first = await blobsFromConfig({ ...data(), BLOBS_URL: 'nats:ours' }, async () => connection);
    const { hash } = await put(first);
    const second = await blobsFromConfig({ ...data(), BLOBS_URL: 'nats://ours' }, async () => connection);
    expect(await second.has(tenant, hash)).toBe(true);
    const other = await blobsFromConfig({ ...data(), BLOBS_URL: 'nats:' }, async () => connection);
    expect(await other.has(tenant, hash)).toBe(false);
    await connection.close();
    await nats.stop();
  });

  it.each([
    [{ BLOBS_URL: 'nats:ours' }, 'NATS_URL'],
    [{ BLOBS_URL: 's3:' }, 'BLOBS_URL'],
    [{ BLOBS_URL: 's3://ours', S3_ACCESS_KEY_ID: 'only' }, 'S3_SECRET_ACCESS_KEY'],
  ])('are refused where what they need is not set: %j', async (config, named) => {
    await expect(blobsFromConfig({ ...data(), ...config })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(named),
    });
  });

  it('are refused at the start where their folder can not be made', async () => {
    const blobs = await blobsFromConfig({ ...data(), BLOBS_URL: 'file:///dev/null/blobs' });
    await expect(blobs.check()).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
