import { CodedError, type IdentitySeal } from '@postmaster/contracts';
import { type RemoteDocuments, remoteDocuments } from '@postmaster/gateway';

/** Uploads and bytes by way of the ingestion service; where its address is not set, they are out of reach. */
export const documentsOf = (
  { INGESTION_URL: url, SUBGRAPH_CONNECT_TIMEOUT_MS: connectMs }: DocumentsConfig,
  seal: IdentitySeal,
): RemoteDocuments => {
  if (url) return remoteDocuments({ url, seal, timeouts: { connectMs } });
  return {
    uploads: { accept: outOfReach },
    bytes: { text: outOfReach, original: outOfReach },
    close: () => Promise.resolve(),
  };
};

interface DocumentsConfig {
  INGESTION_URL?: string;
  SUBGRAPH_CONNECT_TIMEOUT_MS: number;
}

const outOfReach = (): Promise<never> =>
  Promise.reject(
    new CodedError('SERVICE_UNAVAILABLE', 'The ingestion service is out of reach for bytes: INGESTION_URL is not set.'),
  );
