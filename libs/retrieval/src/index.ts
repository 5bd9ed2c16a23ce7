export type { Candidate, CandidateStore, Probe, Scored } from './candidate-store.js';
