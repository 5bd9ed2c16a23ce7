export { EXIT, type ExitCode } from './exit-codes.js';
export { runCli } from './run-cli.js';
export type { Output, Surroundings } from './surroundings.js';
