/** Sets a key as the newest of a map that holds `most` at once, and drops the oldest beyond them. */
export const setWithin = <K, V>(map: Map<K, V>, most: number, key: K, value: V): void => {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
};
