#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
if (existsSync(fileURLToPath(main))) await import(main.href);
else {
  process.stderr.write(
    'NOT_BUILT: The command line was not built yet.\n→ Run `npm install` in the checkout; it builds everything. `npm run build` builds it again.\n',
  );
  process.exitCode = 1;
}
