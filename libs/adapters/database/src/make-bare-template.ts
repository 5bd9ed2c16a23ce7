import { BARE_TEMPLATE } from './bare-template.js';
import { makeTemplate } from './template.js';

/** Part of the build. */
await makeTemplate(BARE_TEMPLATE, []);
