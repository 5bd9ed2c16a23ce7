import type { Client } from '../client/client.js';
import { usage } from '../cli-error.js';
import type { ExitCode } from '../exit-codes.js';
import { followJob, jobResult } from '../follow-job.js';
import { approveCalls, expectCalls } from '../ingest/approve-calls.js';
import {
  entityCalls,
  type Estimate,
  facetCalls,
  lettersPerParagraph,
  metadataCalls,
  NO_CALLS,
  sumOf,
} from '../ingest/estimate.js';
import type { Session } from '../session.js';
import { type Chosen, chosenDocuments } from './chosen-documents.js';
import { type AddCommand, finish } from './command.js';
import { type FilterOptions, filterOf, withFilterOptions } from './documents.js';

interface Options extends FilterOptions {
  all?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** Those that have paragraphs, whatever became of their facets. */
const ENRICHABLE = ['PARSED', 'SEARCHABLE', 'READY'];

export const addEnrich: AddCommand = (program, run) => {
  const command = program
    .command('enrich')
    .description(
      'Make facets anew that another model or another prompt made than those of now, such as the extractive enricher, and read metadata and entities again.',
    )
    .argument('[id...]', 'as `postmaster documents` gives them')
    .option('-a, --all', 'every document')
    .option('-y, --yes', 'agree beforehand to the calls of a model that is not on this machine');
  finish(withFilterOptions(command), [
    'enrich --all',
    'enrich 0197a4c2-5c7e-7d0a-b6a0-3f1d5c0e9a11',
    'enrich --collection manuals --yes',
  ]).action((ids: string[], options: Options) => run(options, (session) => runEnrich(session, ids, options)));
};

const runEnrich = async (session: Session, ids: string[], options: Options): Promise<ExitCode> => {
  if (options.all && (ids.length > 0 || options.status || options.collection))
    throw usage('--all stands alone.', 'Leave out the ids and filters, or --all.');
  const client = await session.client();
  const chosen = await chosenDocuments(client, ids, options.all ? { status: ENRICHABLE } : filterOf(options));
  const paragraphs = await paragraphsOf(client, chosen);
  const expected = await expectCalls(client, (...tenants) => callsFor(paragraphs, ...tenants));
  await approveCalls(session, expected, options.yes ?? false);
  const job = await followJob(session, client, await client.beginJob('enrichDocuments', chosen.filter));
  const by = expected.model ? ` to ${expected.model.id}` : '';
  return jobResult(session, job, `given${by} for new facets; \`postmaster documents\` shows how far they are`);
};

/** Summaries stay as they are. `paragraphs`: how many each document has. */
const callsFor = (paragraphs: readonly number[], words: number, readsEntities: boolean): Estimate => {
  const facets = facetCalls(sum(paragraphs), words);
  const metadata = metadataCalls(paragraphs.map((many) => many * lettersPerParagraph(words)));
  const entities = readsEntities ? entityCalls(paragraphs, words) : NO_CALLS;
  return {
    ...sumOf([facets, metadata, entities]),
    tasks: { facets, metadata, summaries: NO_CALLS, entities },
    unknown: 0,
    how: `one call for each paragraph that there is, and one for the metadata of each document${readsEntities ? ', and one for the entities of each few paragraphs' : ''}`,
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const PAGE = 100;

const paragraphsOf = async (client: Client, { filter }: Chosen): Promise<number[]> => {
  const paragraphs: number[] = [];
  let after: string | undefined;
  do {
    const { nodes, pageInfo } = await client.documents(filter, PAGE, after);
    paragraphs.push(...nodes.map(({ progress }) => progress.total));
    after = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined;
  } while (after !== undefined);
  return paragraphs;
};
