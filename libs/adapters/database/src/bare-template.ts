import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the build leaves the prepared database; found from src/ and dist/ alike. */
export const BARE_TEMPLATE = fileURLToPath(new URL('../dist/template.tar.gz', import.meta.url));

/** For openPglite: a database with nothing in it but roles. Without it, a first start makes one in some seconds. */
export const bareTemplate = (): string | undefined => (existsSync(BARE_TEMPLATE) ? BARE_TEMPLATE : undefined);
