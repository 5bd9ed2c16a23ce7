import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';

/**
 * A fetch by Node's own HTTP client: it follows no redirect and has no time limit of its own. The global one gives up
 * on a reply that has not begun after 300 s, which a large model on a small machine may take.
 */
export const fetchBy =
  (agentFor: (url: URL) => http.Agent | undefined): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const agent = agentFor(url);
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

export const patientFetch = fetchBy(() => undefined);
