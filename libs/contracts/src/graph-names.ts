type Underscored<N extends string> = N extends `${infer A}-${infer B}` ? `${A}_${Underscored<B>}` : N;
type Dashed<N extends string> = N extends `${infer A}_${infer B}` ? `${A}-${Dashed<B>}` : N;

/** The graph's name of one of the contracts': "sentence-windows" is SENTENCE_WINDOWS there. */
export type GraphName<N extends string> = Uppercase<Underscored<N>>;
export type ContractName<N extends string> = Lowercase<Dashed<N>>;

// TypeScript's own types of the methods forget the letters.
export const graphName = <N extends string>(name: N) => name.toUpperCase().replaceAll('-', '_') as GraphName<N>;

/** The inverse of `graphName`, for names without an underscore of their own. */
export const contractName = <N extends string>(name: N) => name.toLowerCase().replaceAll('_', '-') as ContractName<N>;
