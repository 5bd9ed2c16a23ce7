import base from '../../jest.config.js';

/** The chaos tests, which need Postgres, nats-server and Qdrant or its stand-in: `npm run chaos`. */
export default { ...base, rootDir: '../..', roots: ['<rootDir>/e2e/chaos'], testMatch: ['**/*.chaos.ts'] };
