import tseslint from 'typescript-eslint';

const SERVICES = ['tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'];
const TESTS = ['**/*.unit.ts', '**/*.int.ts', '**/*.e2e.ts'];

/** Of our own libraries, these files may import only `allowed`; and none of `never`. */
const mayImport = (files, ignores, allowed, never = []) => ({
  files,
  ignores: [...TESTS, ...ignores],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: ['@postmaster/*', ...allowed.map((name) => `!@postmaster/${name}`)],
            message: `Imports go one way here; of our libraries, only ${allowed.join(', ') || 'none'}.`,
          },
          ...never,
        ],
      },
    ],
  },
});
const FRAMEWORK = [
  { group: ['@nestjs/*', '**/nest/*'], message: 'A use case knows no framework; that is what its nest/ is for.' },
];

/** apps → a service's nest → its use cases → durable → contracts, and adapters → the ports they fill. */
const directions = [
  mayImport(['libs/contracts/src/**/*.ts'], [], [], FRAMEWORK),
  mayImport(['libs/durable/src/**/*.ts'], [], ['contracts'], FRAMEWORK),
  mayImport(['libs/service/src/**/*.ts'], [], ['contracts']),
  ...SERVICES.flatMap((name) => [
    mayImport(
      [`libs/${name}/src/**/*.ts`],
      [`libs/${name}/src/nest/**`],
      ['contracts', 'durable', ...(['retrieval', 'enrichment'].includes(name) ? ['evaluation'] : [])], // arithmetic alone: metrics and BM25
      FRAMEWORK,
    ),
    mayImport([`libs/${name}/src/nest/**/*.ts`], [], ['contracts', 'durable', 'service']),
  ]),
  mayImport(['libs/process/src/**/*.ts'], [], ['contracts', 'durable', 'service', 'database', 'bus']),
  mayImport(['libs/gateway/src/**/*.ts'], [], ['contracts', 'service']),
  mayImport(
    ['libs/doctor/src/**/*.ts'],
    [],
    [
      ...['contracts', 'durable', 'service', 'tenants', 'ingestion', 'enrichment', 'embedding', 'retrieval'],
      ...['blobs', 'bus', 'database', 'models'],
    ],
    FRAMEWORK,
  ),
  mayImport(['libs/evaluation/src/**/*.ts'], [], ['contracts'], FRAMEWORK),
  mayImport(['libs/adapters/bus/src/**/*.ts'], [], ['contracts', 'durable'], FRAMEWORK),
  mayImport(['libs/adapters/database/src/**/*.ts'], [], ['contracts', 'durable'], FRAMEWORK),
  mayImport(
    ['libs/adapters/blobs/src/**/*.ts', 'libs/adapters/parsers/src/**/*.ts'],
    [],
    ['contracts', 'ingestion'],
    FRAMEWORK,
  ),
  mayImport(['libs/adapters/vectors/src/**/*.ts'], [], ['contracts', 'embedding', 'retrieval'], FRAMEWORK),
  mayImport(['libs/adapters/models/src/**/*.ts'], [], ['contracts', 'embedding', 'enrichment', 'retrieval'], FRAMEWORK),
  mayImport(['apps/cli/src/**/*.ts'], [], ['contracts', 'doctor', 'evaluation'], FRAMEWORK),
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', 'models/**', 'libs/gateway/page/**'] },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off', // indexes in loops are known to be there
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['libs/contracts/src/error-codes.ts'], rules: { 'max-lines': 'off' } }, // a table
  ...directions,
);
