import { describe } from 'vitest';
import { natsServerBinary } from './nats-server.js';

/** Tests against a real nats-server: skipped, and said so, only where none is installed. */
export const describeWithNats = (name: string, suite: () => void): void => {
  if (natsServerBinary()) describe(name, suite);
  else describe.skip(`${name} (skipped: nats-server is not installed)`, suite);
};
