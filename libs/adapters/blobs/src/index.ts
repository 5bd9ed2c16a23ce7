export { folderBlobs } from './folder-blobs.js';
