import { join } from 'node:path';
import type { CodedError } from '@postmaster/contracts';
import { tryReranker } from '@postmaster/models';
import type { StandaloneConfig } from './standalone-config.js';
import type { Standalone } from './start-standalone.js';

/** What a start prints to the terminal. The link goes nowhere else: not to a log, not to a file. */
export const sayStarted = async (running: Standalone, config: StandaloneConfig): Promise<void> => {
  const { url, folder, gateway, neighbours } = running;
  const { encoder, models, reranker } = neighbours;
  const lines = [
    '',
    `  Postmaster runs at ${url}   (GraphiQL: ${url}/graphql · REST: ${url}/api/v1/docs)`,
    process.stdout.isTTY
      ? `  Sign a browser in: ${gateway.newSignInLink()}   (once, within 10 minutes)`
      : `  Sign in with the key in ${join(folder, 'api-key')}   (a link is printed only to a terminal)`,
    `  Data: ${folder}`,
    `  Encoder: ${encoder.id}${config.ENCODER_PROVIDER && config.ENCODER_PROVIDER !== 'minilm' ? '' : '   (bundled; English. For other languages set ENCODER_PROVIDER)'}`,
    `  Model: ${models.facets.id}${config.LLM_PROVIDER ? '' : '   (none configured: facets and answers are extracted. Set LLM_PROVIDER for real ones)'}`,
    ...(reranker ? [`  Reranker: ${reranker.id}`] : []),
    '',
    '  Try:  npx postmaster ingest docs && npx postmaster ask "What is a facet?"',
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (config.LLM_PROVIDER) sayTried('model', await models.tryOnce());
  for (const { id, tryOnce } of models.fallbacks) sayTried(`fallback ${id}`, await tryOnce());
  if (reranker) sayTried('reranker', await tryReranker(reranker));
};

const sayTried = (what: string, tried: Awaited<ReturnType<typeof tryReranker>>): void => {
  process.stdout.write(
    tried.ok
      ? `  The ${what} answers (${Math.round(tried.tookMs)} ms).\n\n`
      : `  The ${what} does not work: ${tried.failure.code}: ${tried.failure.message}\n  → ${tried.failure.next}\n\n`,
  );
};

export const sayFailed = ({ code, message, next }: CodedError): void => {
  process.stderr.write(`\n  ${code}: ${message}\n  → ${next}\n\n`);
};
