// The contract suites: apart from the other door, because they load only within jest.
export { blobContract } from './blob-contract.js';
export { encoderContract } from './encoder-contract.js';
export { pointStoreContract } from './point-store-contract.js';
