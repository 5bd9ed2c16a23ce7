import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { isTree, readText, type Tree, treeAt } from './repository.js';

export interface ComposeService {
  name: string;
  environment: Record<string, string>;
  command: string[];
  networks: string[];
  /** As written: "127.0.0.1:4000:4000". */
  ports: string[];
  /** What it waits for, and until when. */
  after: Record<string, string>;
  raw: Tree;
}

export const exampleEnvironment = (): Record<string, string> =>
  parseEnv(readText('deploy/example.env')) as Record<string, string>;

/** The variables that the file takes from `.env`; `needed` are those without which compose refuses to start. */
export const composeVariables = (): { name: string; needed: boolean }[] =>
  [...readText('docker-compose.yml').matchAll(/\$\{([A-Z_]+)(:[-?])?[^}]*\}/g)].map(([, name = '', mark]) => ({
    name,
    needed: mark !== ':-',
  }));

/** The compose file with the example's values in it. */
export const composeFile = (): Tree => {
  const values = exampleEnvironment();
  const filled = readText('docker-compose.yml').replace(
    /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)?\}/g,
    (_all, name: string, otherwise?: string) => values[name] || otherwise || '',
  );
  return parse(filled, { merge: true }) as Tree;
};

export const composeServices = (): ComposeService[] =>
  Object.entries(treeAt(composeFile(), 'services')).map(([name, service]) => {
    const raw = isTree(service) ? service : {};
    return {
      ...{ name, raw },
      environment: Object.fromEntries(
        Object.entries(treeAt(raw, 'environment')).map(([key, value]) => [key, String(value ?? '')]),
      ),
      command: texts(raw.command),
      networks: texts(raw.networks),
      ports: texts(raw.ports),
      after: Object.fromEntries(
        Object.entries(treeAt(raw, 'depends_on')).map(([other, when]) => [
          other,
          String(isTree(when) && when.condition),
        ]),
      ),
    };
  });

const texts = (value: Tree[string]): string[] => (Array.isArray(value) ? value.map(String) : []);
