import { fileURLToPath } from 'node:url';

/** Where the build leaves the prepared database; found from src/ and dist/ alike. */
export const TEMPLATE = fileURLToPath(new URL('../dist/template.tar.gz', import.meta.url));
