import { fileURLToPath } from 'node:url';

/** Where the build leaves the prepared database. */
export const TEMPLATE = fileURLToPath(new URL('../dist/template.tar.gz', import.meta.url));
