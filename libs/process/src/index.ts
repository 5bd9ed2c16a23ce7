export { checkNeighbour, connectionOf } from './check-neighbour.js';
export { type Frame, openProcess } from './open-process.js';
export { FRAME_VARIABLES, type ProcessConfig, PROCESS_VARIABLES, secretOf } from './process-config.js';
export { runProcess, type RunningProcess } from './run-process.js';
export { type Composed, type ServiceOptions, startService, type Surroundings } from './start-service.js';
export { VERSION } from './version.js';
