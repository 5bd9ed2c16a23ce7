import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escapePath, glob } from 'tinyglobby';
import { usage } from '../cli-error.js';
import { EXTENSIONS, extensionOf } from './formats.js';
import { isMaildir, mailboxSources, maildirSources } from './mail/mail-sources.js';
import { isMailbox } from './mail/mailbox.js';
import { fileSource, type Source } from './source.js';

export interface Collected {
  /** Each once, in the order of the arguments, and of names within one. */
  sources: Source[];
  /** Files in folders that are of kinds that are not read, by their endings. */
  leftOut: Record<string, number>;
  /** Message-IDs of mails that came again, once for each time: the first one counts. */
  repeated: string[];
}

/** Files, folders, globs and addresses as sources; each mail of a mailbox (mbox) or a Maildir is one. Hidden files, node_modules and .git are left alone. */
export const collectSources = async (args: readonly string[], cwd: string): Promise<Collected> => {
  const sources = new Map<string, Source>();
  const leftOut: Record<string, number> = {};
  const repeated: string[] = [];
  for (const argument of args)
    for (const source of await sourcesOf(argument, cwd, leftOut))
      if (!sources.has(source.sourceId)) sources.set(source.sourceId, source);
      else if (source.kind === 'file' && source.sourceType === 'mail') repeated.push(source.sourceId);
  return { sources: [...sources.values()], leftOut, repeated };
};

const sourcesOf = async (argument: string, cwd: string, leftOut: Record<string, number>): Promise<Source[]> => {
  if (/^https?:\/\//i.test(argument)) return [{ kind: 'url', sourceId: addressOf(argument) }];
  const path = resolve(cwd, /^file:\/\//i.test(argument) ? fileURLToPath(argument) : argument);
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile()) return fileSources(path, facts.size);
  if (facts && !facts.isDirectory())
    throw usage(`"${argument}" is neither a file nor a folder.`, 'Give files, folders, globs or http(s) addresses.');
  if (facts && (await isMaildir(path))) return maildirSources(path);
  const pattern = facts ? `${escapePath(path.replaceAll('\\', '/'))}/**` : argument;
  const found = await filesOf(pattern, cwd);
  if (found.length === 0 && !facts)
    throw usage(
      `There is no file or folder "${argument}", and as a glob it matches none.`,
      'Check the path; put globs in quotes.',
    );
  // a glob that names the ending means all that it matches
  const all = !facts && /\.[\w-]+$/.test(argument);
  const taken = found.filter((file) => all || EXTENSIONS.includes(extensionOf(file)) || note(leftOut, file));
  const sources: Source[] = [];
  for (const file of taken) sources.push(...(await fileSources(file, (await stat(file)).size)));
  return sources;
};

const fileSources = async (path: string, bytes: number): Promise<Source[]> => {
  const source = fileSource(path, bytes);
  const isBox = (source.extension === 'mbox' || source.extension === '') && (await isMailbox(path));
  return isBox ? mailboxSources(path) : [source];
};

const filesOf = async (pattern: string, cwd: string): Promise<string[]> => {
  const files = await glob(pattern, {
    cwd,
    absolute: true,
    onlyFiles: true,
    dot: false,
    ignore: ['**/node_modules/**', '**/.git/**'],
    followSymbolicLinks: false, // a link to a folder above would never end
  });
  return files.sort();
};

const note = (leftOut: Record<string, number>, file: string): false => {
  const extension = extensionOf(file);
  const kind = extension === '' ? 'no ending' : `.${extension}`;
  leftOut[kind] = (leftOut[kind] ?? 0) + 1;
  return false;
};

const addressOf = (argument: string): string => {
  if (URL.canParse(argument)) return new URL(argument).href;
  throw usage(`"${argument}" is no http(s) address.`, 'Check it for spaces and missing parts.');
};
