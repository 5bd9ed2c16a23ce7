import { z } from 'zod';
import { STATUS } from '../client/operations.js';
import { FacetModel, Failure } from '../client/shapes.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Session } from '../session.js';
import { statusText } from '../terminal/status-text.js';
import { warn } from '../terminal/warn.js';
import { type AddCommand, finish } from './command.js';

const Counted = z.object({ totalCount: z.number() }).nullable();
const Answer = z.object({
  tenant: z.object({ id: z.string(), name: z.string(), paragraphWords: z.number() }).nullable(),
  facetModel: FacetModel.nullable(),
  encoder: z.object({ id: z.string(), dimension: z.number(), maxTokens: z.number() }).nullable(),
  accepted: Counted,
  parsed: Counted,
  searchable: Counted,
  ready: Counted,
  failed: Counted,
  underWay: z.object({ nodes: z.array(z.object({ progress: z.object({ paused: Failure.nullable() }) })) }).nullable(),
});
const OpenApi = z.object({ info: z.object({ version: z.string() }) });

export interface ServerStatus {
  url: string;
  data: string | null;
  version: string;
  tenant: z.infer<typeof Answer>['tenant'];
  facetModel: FacetModel | null;
  encoder: z.infer<typeof Answer>['encoder'];
  /** null where it could not be counted. */
  documents: Record<'accepted' | 'parsed' | 'searchable' | 'ready' | 'failed', number | null>;
  /** Why work waits. */
  paused: Failure[];
  missing: Failure[];
}

export const addStatus: AddCommand = (program, run) => {
  const command = program
    .command('status')
    .description('The server: its version, model, encoder, documents, and what waits for what.');
  finish(command, ['status', "status --json | jq '.documents.ready'"]).action((options: { json?: boolean }) =>
    run(options, runStatus),
  );
};

const runStatus = async (session: Session): Promise<ExitCode> => {
  const client = await session.client();
  const { info } = await client.get(OpenApi, 'api/v1/openapi.json');
  const { data, missing } = await client.query(Answer, STATUS);
  const { tenant, facetModel, encoder, underWay, ...counts } = data;
  const reasons = (underWay?.nodes ?? []).flatMap(({ progress }) => progress.paused ?? []);
  const status: ServerStatus = {
    url: client.place.url,
    data: client.place.data ?? null,
    version: info.version,
    tenant,
    facetModel,
    encoder,
    documents: {
      accepted: counts.accepted?.totalCount ?? null,
      parsed: counts.parsed?.totalCount ?? null,
      searchable: counts.searchable?.totalCount ?? null,
      ready: counts.ready?.totalCount ?? null,
      failed: counts.failed?.totalCount ?? null,
    },
    paused: [...new Map(reasons.map((why) => [`${why.code} ${why.message}`, why])).values()],
    missing,
  };
  session.screen.result(status, () => statusText(status, session.screen.paint));
  warn(session.screen, missing);
  return EXIT.ok;
};
