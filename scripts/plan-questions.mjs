// Says what the rules make of the questions of evaluation sets: none of them asks for a document, so none may be searched
// for otherwise than by its own words. Fails where a plan has a condition, another search text, or factors on legs.
//   node scripts/plan-questions.mjs [FOLDER …]     (xquad-en and xquad-da beside the project where none is given)
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicalText, readByRules } from '@postmaster/retrieval';

const DATA = join(import.meta.dirname, '..', '..', 'shared', 'data');
const folders =
  process.argv.length > 2 ? process.argv.slice(2) : ['xquad-en', 'xquad-da'].map((set) => join(DATA, set));
const NOW = new Date('2026-11-21T10:00:00Z');

let moved = 0;
for (const folder of folders.filter((folder) => existsSync(folder))) {
  const questions = readFileSync(join(folder, 'queries.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).text.normalize('NFC').trim());
  const kinds = {};
  const times = [];
  const otherwise = questions.filter((question) => {
    const began = performance.now();
    const { reading, settle } = readByRules(question, NOW);
    times.push(performance.now() - began);
    kinds[reading.kind] = (kinds[reading.kind] ?? 0) + 1;
    const same = reading.searchText === question && lexicalText(reading) === question;
    return settle !== undefined || !same || Object.keys(reading.favour).length > 0;
  });
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  console.log(`${folder}: ${questions.length} questions, ${otherwise.length} planned otherwise than by their words`);
  console.log(`  kinds ${JSON.stringify(kinds)}; ${median.toFixed(3)} ms a question (median)`);
  for (const question of otherwise) console.log(`  ! ${question}`);
  moved += otherwise.length;
}
process.exitCode = moved > 0 ? 1 : 0;
