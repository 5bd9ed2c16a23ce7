export { checkNeighbour, connectionOf } from './check-neighbour.js';
export { type BusConfig, connectBus, type ProcessBus } from './connect-bus.js';
export { BUS_VARIABLES, type ProcessConfig, PROCESS_VARIABLES, secretOf } from './process-config.js';
export { runProcess, type RunningProcess } from './run-process.js';
export { type Composed, type ServiceOptions, startService, type Surroundings } from './start-service.js';
export { VERSION } from './version.js';
