import type { DocumentBytes, Uploads } from '../document-bytes.js';
import { ingestionConnection, type RemoteOptions } from './ingestion-connection.js';
import { remoteBytes } from './remote-bytes.js';
import { remoteUploads } from './remote-uploads.js';

export interface RemoteDocuments {
  uploads: Uploads;
  bytes: DocumentBytes;
  /** Lets what runs end, and the connections with it. */
  close(): Promise<void>;
}

/** Where uploads go and bytes come from while the ingestion service is another process. */
export const remoteDocuments = (options: RemoteOptions): RemoteDocuments => {
  const connection = ingestionConnection(options);
  return { uploads: remoteUploads(connection), bytes: remoteBytes(connection), close: () => connection.close() };
};
