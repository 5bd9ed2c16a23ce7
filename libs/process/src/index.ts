export { type ProcessConfig, PROCESS_VARIABLES, secretOf } from './process-config.js';
export { runProcess, type RunningProcess } from './run-process.js';
export { type Composed, type ServiceOptions, startService, type Surroundings } from './start-service.js';
