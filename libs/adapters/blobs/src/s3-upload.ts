import { open, readFile } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

export interface S3Place {
  client: S3Client;
  bucket: string;
}

/** In memory while it is sent, so that the client can send it again. S3 takes 5 MB at least, and 10,000 parts. */
const PART = 8 * 1024 * 1024;

/** Sends a file: in one piece, or in parts where it is larger than one of them. Nothing is seen before all is there. */
export const uploadFile = async (place: S3Place, key: string, path: string, bytes: number): Promise<void> => {
  const { client, bucket: Bucket } = place;
  if (bytes > PART) return uploadParts(place, key, path, bytes);
  await client.send(new PutObjectCommand({ Bucket, Key: key, Body: await readFile(path), ContentLength: bytes }));
};

const uploadParts = async ({ client, bucket: Bucket }: S3Place, Key: string, path: string, bytes: number) => {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const upload = { Bucket, Key, UploadId };
  const file = await open(path);
  try {
    const size = Math.max(PART, Math.ceil(bytes / 10_000));
    const buffer = Buffer.allocUnsafe(size);
    const parts: { PartNumber: number; ETag?: string }[] = [];
    for (let position = 0; position < bytes; position += size) {
      const { bytesRead } = await file.read(buffer, 0, size, position);
      const part = { PartNumber: parts.length + 1, Body: buffer.subarray(0, bytesRead), ContentLength: bytesRead };
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, ...part }));
      parts.push({ PartNumber: part.PartNumber, ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {}); // or it is swept
    throw error;
  } finally {
    await file.close();
  }
};

/** Ends uploads that a killed process left begun before this time; gives how many. */
export const sweepUploads = async ({ client, bucket: Bucket }: S3Place, Prefix: string, before: Date) => {
  let swept = 0;
  let page: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (page) {
    const listed: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix, ...page }),
    );
    for (const { Key, UploadId, Initiated } of listed.Uploads ?? [])
      if (Initiated && Initiated < before) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        swept++;
      }
    const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = listed;
    page = IsTruncated ? { KeyMarker, UploadIdMarker } : undefined;
  }
  return swept;
};
