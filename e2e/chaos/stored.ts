import type { Cluster } from '@postmaster/cluster';
import pg from 'pg';

const SERVICES = ['ingestion', 'enrichment', 'embedding', 'retrieval'] as const;
const VECTORS = 5;

/** What the rows and the vector store hold of a cluster, looked at past all services. */
export interface Stored {
  /** Of the active versions. */
  paragraphs: number;
  enriched: number;
  /** Of paragraphs; a summary's is made when its turn comes. */
  points: number;
  /** Points that lack a vector. */
  incomplete: number;
  deadLetters: { service: string; name: string; failure: unknown }[];
}

/** Asks Postgres past all roles. */
export const rowsOf = async <R>(cluster: Cluster, statement: string): Promise<R[]> => {
  const { postgres } = cluster.neighbours;
  const client = new pg.Client({ connectionString: postgres.url.replace(/postgres$/, 'postmaster') });
  await client.connect();
  try {
    return (await client.query(statement)).rows as R[];
  } finally {
    await client.end();
  }
};

export const readStored = async (cluster: Cluster): Promise<Stored> => {
  const [counts] = await rowsOf<{ paragraphs: number; enriched: number }>(
    cluster,
    `select (select count(*) from ingestion.paragraphs)::int as paragraphs,
            (select count(*) from enrichment.paragraphs where facets is not null)::int as enriched`,
  );
  const deadLetters = await Promise.all(
    SERVICES.map(async (service) =>
      (
        await rowsOf<{ name: string; failure: unknown }>(cluster, `select name, failure from ${service}.dead_letters`)
      ).map((one) => ({ service, ...one })),
    ),
  );
  const points = await readPoints(cluster.neighbours.qdrant.url);
  return {
    paragraphs: counts?.paragraphs ?? 0,
    enriched: counts?.enriched ?? 0,
    points: points.length,
    incomplete: points.filter(({ vector }) => Object.keys(vector).filter((name) => name !== 'lexical').length < VECTORS)
      .length,
    deadLetters: deadLetters.flat(),
  };
};

/** The most attempts that a job which waits has spent. */
export const attemptsSpent = async (cluster: Cluster): Promise<number> => {
  const all = await Promise.all(
    SERVICES.map((service) =>
      rowsOf<{ most: number | null }>(
        cluster,
        `select max(attempts) as most from ${service}.jobs where state = 'ready'`,
      ),
    ),
  );
  return Math.max(0, ...all.flat().map(({ most }) => most ?? 0));
};

interface Point {
  id: string;
  payload: { position: number };
  vector: Record<string, unknown>;
}

const readPoints = async (url: string): Promise<Point[]> => {
  const ask = async <R>(path: string, body?: object): Promise<R> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${url}${path}`, init);
    return ((await response.json()) as { result: R }).result;
  };
  const { collections } = await ask<{ collections: { name: string }[] }>('/collections');
  const found: Point[] = [];
  for (const { name } of collections) {
    const { points } = await ask<{ points: Point[] }>(`/collections/${name}/points/scroll`, {
      ...{ limit: 20_000, with_vector: true, with_payload: ['position'] },
    });
    found.push(...points.filter(({ payload }) => payload.position >= 0));
  }
  return found;
};
