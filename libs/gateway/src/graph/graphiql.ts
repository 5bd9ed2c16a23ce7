import { createHash } from 'node:crypto';

export interface GraphiqlPage {
  html: string;
  /** Allows the page's own script and nothing from another host. */
  policy: string;
}

const WELCOME = `# Signed in? Then this runs. Otherwise open "Headers" below: { "x-api-key": "…" }
{
  documents(first: 5) {
    totalCount
    nodes { id title status progress { total ready } }
  }
}
`;

let page: Promise<GraphiqlPage> | undefined;

/** GraphiQL, whole in one page from the installed package (9 MB: read when first asked for). */
export const graphiqlPage = (): Promise<GraphiqlPage> => (page ??= render());

const render = async (): Promise<GraphiqlPage> => {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const options = {
    title: 'Postmaster · GraphiQL',
    // not in the package's types, but what its code goes by, unless `endpoint` is given too (then that serves both)
    subscriptionsEndpoint: '/graphql/stream',
    subscriptionsProtocol: 'GRAPHQL_SSE' as const,
    defaultQuery: WELCOME,
  };
  const html = renderGraphiQL(options);
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
};
