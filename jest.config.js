/**
 * Unit, contract and end-to-end tests in one run; files say their kind: .unit.ts, .int.ts, .e2e.ts. `npm test` gives V8
 * room for young objects (the semi-space): each file loads its modules anew, and a tenth of all the work was collecting.
 */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/e2e'],
  testMatch: ['**/*.unit.ts', '**/*.int.ts', '**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testEnvironmentOptions: { customExportConditions: ['@postmaster/source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
      },
    ],
  },
  // E2E_SERVER=cluster: files of e2e/ share a cluster, each with a tenant of its own
  ...(process.env.E2E_SERVER === 'cluster' && {
    globalSetup: './e2e/start-cluster.mjs',
    globalTeardown: './e2e/stop-cluster.mjs',
  }),
  testTimeout: 60_000,
  testSequencer: '<rootDir>/jest.sequencer.js',
  // Three files at once, also on two cores: many wait for servers. A worker that has grown is replaced, for what a file
  // has loaded is never given back.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
};
