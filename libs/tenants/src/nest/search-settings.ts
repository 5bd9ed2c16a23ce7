import {
  contractName,
  type Fusion,
  graphName,
  type GraphName,
  SCORED_LEGS,
  type ScoredLeg,
  type SearchSettings,
} from '@postmaster/contracts';
import type { UpdateTenant } from '../tenant.js';

type Camel<N extends string> = N extends `${infer A}_${infer B}` ? `${A}${Capitalize<B>}` : N;
type GraphWeights = Partial<Record<Camel<ScoredLeg>, number | null>>;

// TypeScript's own type of the method forgets the letters.
const camel = (leg: ScoredLeg) => leg.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<ScoredLeg>;

export interface GraphSearchSettings {
  fusion?: GraphName<Fusion> | null;
  rrfK?: number | null;
  temperature?: number | null;
  weights?: GraphWeights | null;
  minRelevance?: number | null;
}

/** Settings in the words of the SDL, where what is null is the product's. */
export const graphSettings = ({ fusion, weights, k, ...rest }: SearchSettings): GraphSearchSettings => ({
  ...rest,
  rrfK: k,
  fusion: fusion && graphName(fusion),
  weights: weights && Object.fromEntries(SCORED_LEGS.map((leg) => [camel(leg), weights[leg]])),
});

/** The inverse of `graphSettings`; undefined stays as it is, null goes. */
export const settingsOf = ({ fusion, weights, rrfK, ...rest }: GraphSearchSettings): UpdateTenant['search'] => ({
  temperature: rest.temperature,
  minRelevance: rest.minRelevance,
  k: rrfK,
  fusion: fusion && contractName(fusion),
  weights: weights && weightsOf(weights),
});

const weightsOf = (weights: GraphWeights): SearchSettings['weights'] =>
  Object.fromEntries(
    SCORED_LEGS.map((leg) => [leg, weights[camel(leg)]]).filter(([, weight]) => typeof weight === 'number'),
  );
