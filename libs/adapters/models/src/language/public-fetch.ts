import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { fetchBy } from './patient-fetch.js';

/**
 * A fetch for addresses that tenants give: its connections reach the public internet and `allowedHosts`, which is looked
 * at when the name has been resolved, and it follows no redirect.
 */
export const publicFetch = (allowedHosts: readonly string[]): typeof fetch => {
  const agents = (allowPrivateIPAddress: boolean) => ({
    'http:': new RequestFilteringHttpAgent({ allowPrivateIPAddress }),
    'https:': new RequestFilteringHttpsAgent({ allowPrivateIPAddress }),
  });
  const [open, guarded] = [agents(true), agents(false)];
  return fetchBy(
    ({ hostname, protocol }) =>
      (allowedHosts.includes(hostname.toLowerCase()) ? open : guarded)[protocol as 'http:'], // parsed as http or https
  );
};

/** Whether the guard kept a connection from being made. */
export const isGuarded = (error: unknown): boolean =>
  error instanceof Error && /is not allowed\. Because/i.test(error.message);
