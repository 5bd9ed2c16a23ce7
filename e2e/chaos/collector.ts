import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenSpan {
  service: string;
  name: string;
  traceId: string;
  attributes: Record<string, string>;
}

export interface Collector {
  url: string;
  /** The spans of the last trace that has a span of this service and name. */
  traceOf(service: string, name: string): SeenSpan[];
  forget(): void;
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}
interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: { name: string; traceId: string; attributes: Attribute[] }[] }[];
  }[];
}

const recordOf = (attributes: Attribute[]): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? '']));

/** Takes traces as an OpenTelemetry collector does: OTLP over HTTP, in JSON. */
export const startCollector = async (): Promise<Collector> => {
  const spans: SeenSpan[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      for (const { resource, scopeSpans } of (JSON.parse(body) as Sent).resourceSpans) {
        const service = recordOf(resource.attributes)['service.name'] ?? '';
        for (const { name, traceId, attributes } of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ service, name, traceId, attributes: recordOf(attributes) });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server's address is an object
  return {
    url: `http://127.0.0.1:${port}`,
    traceOf: (service, name) => {
      const of = spans.findLast((span) => span.service === service && span.name === name)?.traceId;
      return spans.filter(({ traceId }) => traceId === of);
    },
    forget: () => void spans.splice(0),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
};
