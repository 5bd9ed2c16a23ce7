import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { makeTemplate } from '@postmaster/database';
import { SERVICE_ROWS } from './migrations.js';
import { TEMPLATE } from './template-path.js';

/** Part of the build: the migrated database that a first start begins with. Made anew when the migrations changed. */
const stamp = createHash('sha256')
  .update(JSON.stringify(SERVICE_ROWS.map(({ schema, migrations }) => [schema, Object.entries(migrations).map(([name, { up }]) => [name, String(up)])])))
  .digest('hex');
const stampFile = `${TEMPLATE}.stamp`;
const made = await readFile(stampFile, 'utf8').catch(() => '');
if (made !== stamp) {
  await makeTemplate(TEMPLATE, SERVICE_ROWS);
  await writeFile(stampFile, stamp);
}
