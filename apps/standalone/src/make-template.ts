import { makeTemplate } from '@postmaster/database';
import { SERVICE_ROWS } from './migrations.js';
import { TEMPLATE } from './template-path.js';

/** Part of the build: the migrated database that a first start begins with. */
await makeTemplate(TEMPLATE, SERVICE_ROWS);
