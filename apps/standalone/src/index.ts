export { type StandaloneConfig, standaloneConfig } from './standalone-config.js';
export { type Standalone, startStandalone } from './start-standalone.js';
