export { type Encoder, TextTooLongError } from './encoder.js';
export type { PointPatch, PointStore, PointVectors } from './point-store.js';
