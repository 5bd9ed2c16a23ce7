// The contract suites: apart from the other door, because they load only within tests.
export { blobContract } from './blob-contract.js';
export { busContract, busRows, type BusUnderTest } from './bus-contract.js';
export { type ChatPlace, type ChatServerUnderTest, describeChatServer } from './chat-server-contract.js';
export { describeWithNats } from './describe-with-nats.js';
export { encoderContract } from './encoder-contract.js';
export { pointStoreContract } from './point-store-contract.js';
export { pointWordsContract } from './point-words-contract.js';
export { requestsContract, type RequestsUnderTest } from './requests-contract.js';
