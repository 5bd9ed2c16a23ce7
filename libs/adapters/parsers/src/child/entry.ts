import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The compiled entry of the child process. Run from source, as tests are, it is the build's: a child runs no TypeScript. */
export const childEntry = (): string => {
  const own = fileURLToPath(new URL('./main.js', import.meta.url));
  const entry = existsSync(own) ? own : fileURLToPath(new URL('../../dist/child/main.js', import.meta.url));
  if (!existsSync(entry)) {
    throw new Error(
      'The parser process is not built: run `npm run build` (libs/adapters/parsers/dist/child/main.js is missing).',
    );
  }
  return entry;
};
