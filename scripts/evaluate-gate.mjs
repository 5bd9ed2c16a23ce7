// Shows what the gate before facets does on the recorded facets of the evaluation sets, which are taken as good, and on
// 300 bad questions planted among each set's: exit code 1 where it rejects more than 3 % of the one, or catches less
// than 95 % of the other. `--missed` lists both.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { embedWhole } from '@postmaster/embedding';
import { readSet } from '@postmaster/evaluation';
import { miniLM } from '@postmaster/models';
import { languageOf } from '@postmaster/parsers';
import { measureGate, recordedParagraphs } from '@postmaster/testing';

const DATA = join(import.meta.dirname, '..', '..', 'shared', 'data');
const SETS = { en: 'xquad-en', da: 'xquad-da' };
const MOST_WRONGLY = 0.03;
const LEAST_CAUGHT = 0.95;
const listed = process.argv.includes('--missed');

const missing = Object.values(SETS).filter((name) => !existsSync(join(DATA, name)));
if (missing.length > 0) {
  console.log(`Skipped: ${missing.join(' and ')} not found in ${DATA}.`);
  process.exit(0);
}

const encoder = process.argv.includes('--words') ? undefined : await miniLM();
const encode = encoder && (async (texts) => (await embedWhole(encoder, texts, 'passage')).map(({ vector }) => vector));
let failed = false;
try {
  const sets = {};
  for (const [language, name] of Object.entries(SETS))
    sets[language] = recordedParagraphs(await readSet(join(DATA, name)));
  for (const language of Object.keys(SETS)) {
    const began = performance.now();
    const foreign = sets[language === 'en' ? 'da' : 'en'];
    report(
      language,
      await measureGate(language, sets[language], foreign, { languageOf, encode }),
      performance.now() - began,
    );
  }
} finally {
  await encoder?.close();
}
process.exitCode = failed ? 1 : 0;

function report(language, { questions, wrongly, pieces, emptied, planted, encoded, qualities }, ms) {
  const share = (part, whole) => `${part}/${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  console.log(`\n${SETS[language]}: ${encoded} texts encoded, ${(ms / 1000).toFixed(1)} s`);
  console.log(
    `  good questions rejected            ${share(wrongly.length, questions)} ${JSON.stringify(counted(wrongly))}`,
  );
  console.log(
    `  pieces of context, scope rejected  ${pieces.length} ${JSON.stringify(counted(pieces))}, ${emptied} left empty`,
  );
  const mean = qualities.reduce((sum, one) => sum + one, 0) / qualities.length;
  console.log(`  quality of paragraphs              mean ${mean.toFixed(2)}, least ${Math.min(...qualities)}`);
  let [all, caught] = [0, 0];
  for (const [fault, one] of Object.entries(planted)) {
    console.log(`  caught: ${fault.padEnd(34)} ${share(one.caught, one.planted)}`);
    all += one.planted;
    caught += one.caught;
    if (listed) for (const text of one.missed) console.log(`    missed ${text}`);
  }
  console.log(`  caught of all planted              ${share(caught, all)}`);
  if (listed) for (const { reason, text } of [...wrongly, ...pieces]) console.log(`    ${reason} ${text}`);
  failed ||= wrongly.length > MOST_WRONGLY * questions || caught < LEAST_CAUGHT * all;
}

function counted(rejections) {
  const counts = {};
  for (const { reason } of rejections) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
