import { createRequire } from 'node:module';
import { BaseSequencer } from 'vitest/node';
import { defineConfig } from 'vitest/config';

const KINDS = ['.e2e.ts', '.int.ts', '.unit.ts'];
const kindOf = ({ moduleId }) => KINDS.findIndex((kind) => moduleId.endsWith(kind));

/** What waits for servers and outages starts first, so that no worker is left alone with it at the end. */
class WaitingFirst extends BaseSequencer {
  async sort(files) {
    return (await super.sort(files)).toSorted((one, other) => kindOf(one) - kindOf(other));
  }
}

// Our own packages are read from their sources. Node's own loader takes graphql's CommonJS, Vite its ES modules: one of
// them for both, for a schema of the one is none for the other.
const conditions = ['@postmaster/source', 'node', 'node-addons'];
const graphql = { find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') };

/** Unit, contract and end-to-end tests in one run; files say their kind: .unit.ts, .int.ts, .e2e.ts. */
export default defineConfig({
  oxc: { target: 'es2022', decorator: { legacy: true, emitDecoratorMetadata: true } },
  resolve: { conditions, alias: [graphql] },
  ssr: { resolve: { conditions } },
  test: {
    include: ['{libs,apps,e2e}/**/*.{unit,int,e2e}.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Files share the modules of their worker: to load Nest and Apollo for each anew was a third of all the work. Three
    // at once, also on two cores, for many wait for servers.
    ...{ pool: 'forks', isolate: false, maxWorkers: 3 },
    sequence: { sequencer: WaitingFirst },
    ...{ testTimeout: 60_000, hookTimeout: 60_000 },
    // Files of e2e/ that need no server of their own share one, each with a tenant of its own; it may be a cluster
    globalSetup: process.env.E2E_SERVER === 'cluster' ? './e2e/shared-cluster.mjs' : './e2e/shared-server.mjs',
  },
});
