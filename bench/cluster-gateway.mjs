// What the gateway adds to a federated search over the same operation asked of the retrieval subgraph directly.
import { identitySeal, TenantId } from '@postmaster/contracts';
import { median, timed } from './figures.mjs';
import { questions } from './texts.mjs';

const ASKED = 100;
const SEARCH =
  'query($query: String!) { search(query: $query) { hits { score relevance paragraph { id text } why { leg score } } tookMs } }';

export const gatewayParts = async ({ url, key, addresses, identitySecret }) => {
  const seal = identitySeal(new TextEncoder().encode(identitySecret));
  const identity = { tenant: TenantId.parse('default'), subject: 'bench', scopes: ['read'] };
  const all = questions();
  const sides = {
    gateway: { url, token: () => key },
    subgraph: { url: addresses.retrieval, token: () => seal.sign(identity) },
  };
  const took = { gateway: [], subgraph: [] };
  const parts = new Map();
  for (let i = -10; i < ASKED; i++)
    for (const [name, side] of Object.entries(sides).toSorted(() => (i % 2 ? 1 : -1))) {
      const token = await side.token();
      const body = JSON.stringify({ query: SEARCH, variables: { query: all[((i + 10) * 7) % all.length] } });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const [ms, response] = await timed(async () => {
        const answer = await fetch(`${side.url}/graphql`, { method: 'POST', headers, body });
        const { errors } = await answer.json();
        if (errors) throw new Error(JSON.stringify(errors));
        return answer;
      });
      if (i < 0) continue; // warming up
      took[name].push(ms);
      if (name === 'gateway')
        for (const [, part, dur] of (response.headers.get('server-timing') ?? '').matchAll(/([\w-]+);dur=([\d.]+)/g))
          parts.set(part, [...(parts.get(part) ?? []), Number(dur)]);
    }
  const added = took.gateway.map((ms, i) => ms - took.subgraph[i]);
  return {
    asked: ASKED,
    p50Ms: { gateway: median(took.gateway), subgraph: median(took.subgraph) },
    addedP50Ms: median(took.gateway) - median(took.subgraph),
    medianOfDifferencesMs: median(added),
    targetMs: 4,
    serverTimingP50Ms: Object.fromEntries([...parts].map(([part, ms]) => [part, median(ms)])),
  };
};
