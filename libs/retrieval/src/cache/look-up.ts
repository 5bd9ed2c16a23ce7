/** How a look-up ended: from the cache, from what another had under way, or by doing it. */
export type LookUp = 'hit' | 'joined' | 'miss';
