// The other stores have doors of their own, ./nats and ./s3: their clients take a while to load.
export { type BlobsConfig, blobsFromConfig } from './blobs-from-config.js';
export { folderBlobs } from './folder-blobs.js';
