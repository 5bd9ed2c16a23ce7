import { mkdirSync, writeFileSync } from 'node:fs';
import { makeDocx } from './docx.mjs';
import { makePdf } from './pdf.mjs';
import { ALLOTMENTS, LIGHTHOUSE } from './texts.mjs';

/** Writes docs/samples from texts.mjs: `node scripts/samples/make.mjs`. */
const folder = new URL('../../docs/samples/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('greywater-lighthouse.pdf', folder), makePdf(LIGHTHOUSE));
writeFileSync(new URL('vedtaegter-laerkesvinget.docx', folder), makeDocx(ALLOTMENTS));
