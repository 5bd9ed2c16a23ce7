export { type Counts, DEFAULT_POOLS, DEFAULT_REPLICAS, parseCounts, type ProcessName, PROCESSES } from './counts.js';
export { examine } from './examine.js';
export type { Finding, State } from './finding.js';
export type { ExamineOptions } from './patient.js';
