/** Writes docs/errors.md from libs/contracts/src/error-codes.ts; `--check` fails where it is stale instead. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import ts from 'typescript';

const { values } = parseArgs({ options: { check: { type: 'boolean' }, root: { type: 'string' } } });
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));
const target = `${root}/docs/errors.md`;
const source = readFileSync(`${root}/libs/contracts/src/error-codes.ts`, 'utf8');

const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } });
const { CODES } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

const cell = (text) => text.replaceAll('|', '\\|');
const row = (code) =>
  `| \`${code}\` | ${CODES[code].status} | ${cell(CODES[code].meaning)} | ${cell(CODES[code].next)} |`;

/** The list's own comments part it: each line is a heading or a code. */
const body = source.split('\n').flatMap((line) => {
  const heading = /^ {2}\/\/ (.+)/.exec(line)?.[1];
  if (heading)
    return [
      '',
      `## ${heading[0].toUpperCase()}${heading.slice(1)}`,
      '',
      '| code | status | meaning | next step |',
      '|---|---|---|---|',
    ];
  const code = /^ {2}([A-Z_]+):/.exec(line)?.[1];
  return code ? [row(code)] : [];
});

const page = `# Errors

Every code that leaves the API. REST answers with an RFC 9457 problem (\`code\`, \`detail\`, \`next\`, \`requestId\`) and the
status; GraphQL queries carry \`extensions.code\`, \`next\` and \`requestId\`; mutations return \`Refused\`; a document's
\`failure\` has \`code\`, \`message\` and \`next\`. A code is never renamed, only retired.

This page is made from \`libs/contracts/src/error-codes.ts\` by \`node scripts/write-errors.mjs\`.
${body.join('\n')}
`;

const text = await prettier.format(page, { ...(await prettier.resolveConfig(target)), parser: 'markdown' });
const current = (() => {
  try {
    return readFileSync(target, 'utf8');
  } catch {
    return '';
  }
})();
if (text !== current) {
  if (values.check) {
    console.error('docs/errors.md is stale: run `node scripts/write-errors.mjs`.');
    process.exit(1);
  }
  writeFileSync(target, text);
}
