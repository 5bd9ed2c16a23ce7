/** A check that reads what it knows, and complains of what has a wrong form. */
export type Validate = (this: object) => void;

/**
 * Complaints of a check about a value, and the places that it never looked at: fields that its schema does not have,
 * which such checks let pass. Seen by handing it the value behind a proxy that notes what is read.
 */
export const complaintsOf = (validate: Validate, value: object): string[] => {
  const read = new Set<string>();
  const complaints: string[] = [];
  try {
    validate.call(watched(value, '', read));
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error));
  }
  return [
    ...complaints,
    ...placesIn(value, '')
      .filter((place) => !read.has(place))
      .map((place) => `unknown: ${place}`),
  ];
};

const watched = <T extends object>(value: T, at: string, read: Set<string>): T =>
  new Proxy(value, {
    get: (target, key, receiver) => {
      const found: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return found;
      read.add(`${at}/${key}`);
      return typeof found === 'object' && found !== null ? watched(found, `${at}/${key}`, read) : found;
    },
  });

const placesIn = (value: object, at: string): string[] =>
  Object.entries(value).flatMap(([key, one]: [string, unknown]) => [
    `${at}/${key}`,
    ...(typeof one === 'object' && one !== null ? placesIn(one, `${at}/${key}`) : []),
  ]);
