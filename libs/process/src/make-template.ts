import { makeTemplate } from '@postmaster/database';
import { TEMPLATE } from './template-path.js';

/** Part of the build: the empty database that embedded rows begin with. */
await makeTemplate(TEMPLATE, []);
