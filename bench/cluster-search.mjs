// A search by the use case on Qdrant, against one encoding and one bare batch query; and all vectors' lists against one.
import { localRequests } from '@postmaster/bus';
import { encodeQuestion, identitySeal, LEGS, livingParagraphs, TenantId } from '@postmaster/contracts';
import { miniLM } from '@postmaster/models';
import { languageOf } from '@postmaster/parsers';
import { retrievalService } from '@postmaster/retrieval';
import { qdrantStore } from '@postmaster/vectors';
import { median, timed } from './figures.mjs';
import { questions } from './texts.mjs';

const ASKED = 60;
const PER_LEG = 50;
const TENANT = TenantId.parse('default');

/** In this process, on the index that the cluster has filled: both sides share encoder, store and questions. */
export const searchParts = async (running) => {
  const { url } = running.neighbours.qdrant;
  const store = qdrantStore({ url });
  const encoder = await miniLM({ threads: 1 });
  const seal = identitySeal(new TextEncoder().encode(running.identitySecret));
  const requests = localRequests(seal);
  const index = await indexIn(url);
  requests.answer(encodeQuestion, async (_identity, { text }) => {
    const [vector] = await encoder.embed([text], 'query');
    return { index, encoder: 'minilm', vector };
  });
  requests.answer(livingParagraphs, async (_identity, { ids }) => ({ living: ids }));
  const { search } = retrievalService({ requests, store, languageOf, onFault: () => {} });
  const sign = () => seal.sign({ tenant: TENANT, subject: 'bench', scopes: ['read'] });
  const of = { useCase: [], encoding: [], batch: [], five: [], one: [] };
  const keep = async (name, work) => {
    const [ms, result] = await timed(work);
    of[name].push(ms);
    return result;
  };
  const all = questions();
  const vectors = LEGS.filter((leg) => leg !== 'lexical');
  const lists = (probe) => store.candidates(TENANT, index, probe, PER_LEG);
  for (let i = -5; i < ASKED; i++) {
    const text = all[((i + 5) * 7) % all.length];
    const token = await sign(); // good for a minute
    await keep('useCase', () => search(TENANT, token, { query: text }));
    const [vector] = await keep('encoding', () => encoder.embed([text], 'query'));
    await keep('batch', () => lists({ vector, text, legs: LEGS }));
    await keep('five', () => lists({ vector, text, legs: vectors }));
    await keep('one', () => lists({ vector, text, legs: ['paragraph'] }));
    if (i < 0) for (const name of Object.keys(of)) of[name].length = 0; // warming up
  }
  await encoder.close();
  await store.close();
  const p50 = Object.fromEntries(Object.entries(of).map(([name, ms]) => [name, median(ms)]));
  return {
    questions: ASKED,
    p50Ms: p50,
    ratio: p50.useCase / (p50.encoding + p50.batch),
    target: 1.3,
    fiveNames: { ratio: p50.five / p50.one, target: 2.5 },
    note: "Qdrant's stand-in is exact and slow: absolute times say nothing of a server's",
  };
};

const indexIn = async (url) => {
  const { result } = await (await fetch(`${url}/aliases`)).json();
  return result.aliases[0].alias_name.replace(/^postmaster-/, '');
};
