import { readFileSync } from 'node:fs';

/** Of this software, as its packages say: found from src/ and dist/ alike. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
