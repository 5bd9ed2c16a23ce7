import { KEYS } from './stand-in-services.js';

export interface Told {
  status: number;
  headers: Headers;
  body: { data?: Record<string, unknown> | null; errors?: ToldError[] };
}

export interface ToldError {
  message: string;
  path?: (string | number)[];
  extensions: Record<string, unknown>;
}

/** A GraphQL request as a client sends it. */
export const ask = async (
  url: string,
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): Promise<Told> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEYS.acme, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Told['body'] };
};

/** The events of an SSE response as they come; leaving the loop ends the request. */
export async function* eventsOf(response: Response): AsyncGenerator<{ event: string; data: unknown }> {
  let text = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      if (event) yield { event, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] || 'null') };
    }
  }
}
