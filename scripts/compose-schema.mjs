/**
 * Composes the subgraphs' SDL files, nothing booted, into libs/gateway/supergraph.graphql (what the gateway runs on)
 * and docs/schema.graphql (what clients see). `--check` writes nothing and fails where a file is stale; `--root DIR`
 * works on another checkout. A breaking change of docs/schema.graphql is refused unless CHANGELOG.md's section
 * "Unreleased" has a line `- Breaking: …` that names it.
 */
import { composeServices } from '@apollo/composition';
import { buildSchema, findBreakingChanges, lexicographicSortSchema, parse, printSchema } from 'graphql';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, root: { type: 'string' } } });
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));
const SUBGRAPHS = ['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'];

const read = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');
const fail = (...lines) => {
  for (const line of lines) console.error(line);
  process.exit(1);
};

const composed = composeServices(
  SUBGRAPHS.map((name) => ({
    name,
    url: `http://${name}/graphql`,
    typeDefs: parse(read(`libs/${name}/src/nest/schema.graphql`)),
  })),
);
if (composed.errors) fail('The subgraphs do not compose:', ...composed.errors.map((error) => `  ${error.message}`));

const api = composed.schema.toAPISchema().toGraphQLJSSchema();
const files = {
  'libs/gateway/supergraph.graphql': `${composed.supergraphSdl.trim()}\n`,
  'docs/schema.graphql': `${printSchema(lexicographicSortSchema(api))}\n`,
};

/** Lines of the changelog's section "Unreleased" that announce a breaking change. */
const announced = () => {
  const unreleased = /^## \[?Unreleased\]?.*$([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(read('CHANGELOG.md'))?.[1] ?? '';
  return unreleased.split('\n').filter((line) => line.startsWith('- Breaking:'));
};

/** `Type.field`, `Enum.VALUE`, `Union.Member` or `Type`: what a breaking change is announced by. */
const nameOf = ({ description }) => {
  const [, part, whole] =
    /^(\w+) was removed from (?:enum|union) type (\w+)/.exec(description) ??
    /^A required field (\w+) on input type (\w+)/.exec(description) ??
    [];
  return whole ? `${whole}.${part}` : /\w+\.\w+|\b[A-Z]\w+(?= (?:was|changed|no longer))/.exec(description)?.[0];
};

const published = read('docs/schema.graphql');
if (published) {
  const names = new Set(announced().flatMap((line) => line.match(/\w+(?:\.\w+)?/g)));
  const silent = findBreakingChanges(buildSchema(published), api).filter((change) => !names.has(nameOf(change)));
  if (silent.length > 0)
    fail(
      'Breaking changes of docs/schema.graphql that CHANGELOG.md does not announce:',
      ...silent.map((change) => `  ${nameOf(change)}: ${change.description}`),
      'Keep what clients use (add, and deprecate), or add "- Breaking: <Type.field> …" to the section "Unreleased".',
    );
}

const stale = Object.entries(files).filter(([file, text]) => read(file) !== text);
if (!values.check) for (const [file, text] of stale) writeFileSync(join(root, file), text);
else if (stale.length > 0) fail(...stale.map(([file]) => `${file} is stale: run \`node scripts/compose-schema.mjs\`.`));
