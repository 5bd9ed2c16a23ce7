import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NatsConnection } from '@nats-io/nats-core';
import { CodedError } from '@postmaster/contracts';
import type { BlobStore } from '@postmaster/ingestion';
import { folderBlobs, INCOMING } from './folder-blobs.js';

/** As libs/service reads it. */
export interface BlobsConfig {
  POSTMASTER_DATA: string;
  /** `file:///folder`, `nats:bucket`, `s3://bucket/prefix`; absent: the folder `blobs` of the data. */
  BLOBS_URL?: string;
  NATS_REPLICAS?: number;
  S3_ENDPOINT?: string;
  S3_REGION?: string;
  S3_ACCESS_KEY_ID?: string;
  S3_SECRET_ACCESS_KEY?: string;
  S3_FORCE_PATH_STYLE?: boolean;
}

const BUCKET = 'postmaster-blobs';

/**
 * The configured blob store; nothing is asked of it yet, `check()` does that. `nats` gives the process's connection, where
 * it has one. Only the clients of the configured store are loaded. Throws CONFIG_INVALID.
 */
export const blobsFromConfig = async (
  config: BlobsConfig,
  nats?: () => Promise<NatsConnection>,
): Promise<BlobStore> => {
  const own = resolve(config.POSTMASTER_DATA, 'blobs');
  const spool = join(own, INCOMING);
  if (!config.BLOBS_URL) return folderBlobs(own);
  const url = new URL(config.BLOBS_URL);
  if (url.protocol === 'file:') return folderBlobs(fileURLToPath(url));
  if (url.protocol === 'nats:') {
    if (!nats) throw wrong('BLOBS_URL names a bucket in NATS, and NATS_URL is not set.');
    const bucket = (url.host || url.pathname).replaceAll('/', '') || BUCKET;
    if (!/^[-\w]+$/.test(bucket)) throw wrong('BLOBS_URL should be nats:<bucket>, of letters, digits, - and _.');
    const { natsBlobs } = await import('./nats-blobs.js');
    return natsBlobs({ connect: nats, bucket, replicas: config.NATS_REPLICAS, spool });
  }
  if (url.protocol !== 's3:' || !url.host) throw wrong('BLOBS_URL should be a file:, nats: or s3://<bucket> address.');
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (!accessKeyId !== !secretAccessKey)
    throw wrong('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY should both be set, or neither.');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  const { s3Blobs } = await import('./s3-blobs.js');
  return s3Blobs({
    endpoint: config.S3_ENDPOINT,
    region: config.S3_REGION ?? 'us-east-1',
    bucket: url.host,
    prefix: prefix && `${prefix}/`,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    spool,
  });
};

const wrong = (message: string): CodedError => new CodedError('CONFIG_INVALID', message);
