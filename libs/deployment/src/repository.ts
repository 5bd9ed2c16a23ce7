import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What YAML and JSON hold; the tests look at few of its places. */
export type Value = string | number | boolean | null | Value[] | Tree;
export interface Tree {
  [key: string]: Value | undefined;
}

export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
export const isThere = (path: string): boolean => existsSync(join(ROOT, path));
export const listFolder = (path: string): string[] => readdirSync(join(ROOT, path)).sort();

/** One document; its merge keys (`<<`) are resolved. */
export const readYaml = (path: string): Tree => parse(readText(path), { merge: true }) as Tree;

/** Every document of a file. Throws what the parser complains of. */
export const readDocuments = (path: string): Tree[] =>
  parseAllDocuments(readText(path)).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Tree;
  });

export const isTree = (value: Value | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What lies at a path of keys, where it is a tree; an empty one otherwise. */
export const treeAt = (tree: Tree, ...path: string[]): Tree =>
  path.reduce<Tree>((at, key) => {
    const next = at[key];
    return isTree(next) ? next : {};
  }, tree);

export const listAt = (tree: Tree, ...path: string[]): Tree[] => {
  const last = treeAt(tree, ...path.slice(0, -1))[path.at(-1) ?? ''];
  return Array.isArray(last) ? last.filter(isTree) : [];
};

/** Texts anywhere below, with the key that each stands under. */
export const textsIn = (value: Value | undefined, key = ''): { key: string; text: string }[] => {
  if (typeof value === 'string') return [{ key, text: value }];
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, key));
  return isTree(value) ? Object.entries(value).flatMap(([name, one]) => textsIn(one, name)) : [];
};
