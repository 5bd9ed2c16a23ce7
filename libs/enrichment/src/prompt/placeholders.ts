const PLACEHOLDER = /\{\{\s*([^{}\n]*?)\s*\}\}/g;

/** Which placeholders a text has to have, and which it may have beside them. */
export interface PlaceholderRule {
  needs: readonly string[];
  may?: readonly string[];
}

export const placeholdersOf = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name)),
];

/** What is wrong with a text's placeholders, for a person; empty where nothing is. */
export const placeholderFaults = (text: string, { needs, may = [] }: PlaceholderRule): string[] => {
  const found = placeholdersOf(text);
  const known = [...needs, ...may];
  const allowed = known.length > 0 ? `allowed: ${known.map(shown).join(', ')}` : 'none is allowed here';
  return [
    ...found.filter((name) => !known.includes(name)).map((name) => `unknown placeholder ${shown(name)} (${allowed})`),
    ...needs.filter((name) => !found.includes(name)).map((name) => `the placeholder ${shown(name)} is missing`),
  ];
};

/** A placeholder that stands on lines of its own and comes to nothing takes its empty lines along. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text
    .replace(PLACEHOLDER, (_, name: string) => values[name] ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

const shown = (name: string): string => `{{${name}}}`;
