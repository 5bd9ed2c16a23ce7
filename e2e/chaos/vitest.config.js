import base from '../../vitest.config.js';

/** The chaos tests, which need Postgres, nats-server and Qdrant or its stand-in: `npm run chaos`. */
export default { ...base, test: { ...base.test, include: ['e2e/chaos/**/*.chaos.ts'] } };
