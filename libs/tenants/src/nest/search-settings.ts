import { type Fusion, type Leg, LEGS, type SearchSettings } from '@postmaster/contracts';
import type { UpdateTenant } from '../tenant.js';

type Camel<N extends string> = N extends `${infer A}_${infer B}` ? `${A}${Capitalize<B>}` : N;
type GraphWeights = Partial<Record<Camel<Leg>, number | null>>;

type GraphFusion = Uppercase<
  Fusion extends infer F ? (F extends `${infer A}-${infer B}` ? `${A}_${B}` : F & string) : never
>;

// Capitals and underscores there and back are exact for these names; TypeScript's own types of the methods forget it.
const graphFusion = (fusion: Fusion) => fusion.toUpperCase().replaceAll('-', '_') as GraphFusion;
const fusionOf = (fusion: GraphFusion) => fusion.toLowerCase().replaceAll('_', '-') as Fusion;
const camel = (leg: Leg) => leg.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Leg>;

export interface GraphSearchSettings {
  fusion?: GraphFusion | null;
  rrfK?: number | null;
  temperature?: number | null;
  weights?: GraphWeights | null;
  minRelevance?: number | null;
}

/** Settings in the words of the SDL, where what is null is the product's. */
export const graphSettings = ({ fusion, weights, k, ...rest }: SearchSettings): GraphSearchSettings => ({
  ...rest,
  rrfK: k,
  fusion: fusion && graphFusion(fusion),
  weights: weights && Object.fromEntries(LEGS.map((leg) => [camel(leg), weights[leg]])),
});

/** The inverse of `graphSettings`; undefined stays as it is, null goes. */
export const settingsOf = ({ fusion, weights, rrfK, ...rest }: GraphSearchSettings): UpdateTenant['search'] => ({
  temperature: rest.temperature,
  minRelevance: rest.minRelevance,
  k: rrfK,
  fusion: fusion && fusionOf(fusion),
  weights: weights && weightsOf(weights),
});

const weightsOf = (weights: GraphWeights): SearchSettings['weights'] =>
  Object.fromEntries(LEGS.map((leg) => [leg, weights[camel(leg)]]).filter(([, weight]) => typeof weight === 'number'));
