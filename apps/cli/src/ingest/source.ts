import { resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extensionOf } from './formats.js';

export interface FileSource {
  kind: 'file';
  /** As this file system writes it. */
  path: string;
  sourceType: 'file' | 'mail';
  /** The document's identity: the absolute path with forward slashes, NFC; a mail's Message-ID. */
  sourceId: string;
  sourceUri: string;
  name: string;
  extension: string;
  bytes: number;
  /** Of a mail in a mailbox file: which bytes are it, both ends included. */
  range?: { start: number; end: number };
}

export interface UrlSource {
  kind: 'url';
  sourceId: string;
}

export type Source = FileSource | UrlSource;

export const fileSource = (path: string, bytes: number): FileSource => {
  const absolute = resolve(path);
  const sourceId = absolute.split(sep).join('/').normalize('NFC');
  return {
    kind: 'file',
    sourceType: 'file',
    path: absolute,
    sourceId,
    sourceUri: pathToFileURL(absolute).href,
    name: sourceId.slice(sourceId.lastIndexOf('/') + 1),
    extension: extensionOf(sourceId),
    bytes,
  };
};
