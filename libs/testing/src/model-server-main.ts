import { parseArgs } from 'node:util';
import { startModelServer } from './model-server.js';

/** node model-server-main.js [--port 0] [--latency 200]: prints its address, then serves until it is ended. */
const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, latency: { type: 'string', default: '0' } },
});
const server = await startModelServer({ port: Number(values.port), latencyMs: Number(values.latency) });
process.stdout.write(`${server.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
