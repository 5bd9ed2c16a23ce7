import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';

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
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const agent = (allowedHosts.includes(url.hostname.toLowerCase()) ? open : guarded)[url.protocol as 'http:']; // parsed as http or https
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const headers = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' };
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? https.request : http.request;
      const sent = send(url, { method: request.method, headers, agent, signal: request.signal }, (answer) => {
        const { statusCode: status = 500, headers } = answer;
        const said = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
        const stream = status === 204 || status === 304 ? null : (Readable.toWeb(answer) as ReadableStream); // of bytes
        resolve(new Response(stream, { status, headers: said as [string, string][] }));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  };
};

/** Whether the guard kept a connection from being made. */
export const isGuarded = (error: unknown): boolean =>
  error instanceof Error && /is not allowed\. Because/i.test(error.message);
