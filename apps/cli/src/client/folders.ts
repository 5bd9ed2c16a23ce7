import { z } from 'zod';
import type { Client } from './client.js';
import { Failure } from './shapes.js';

/** What the command line reads of a folder of the server's machine. */
export const Folder = z.object({
  id: z.string(),
  path: z.string(),
  mode: z.enum(['CONTENT', 'REFERENCE']),
  watch: z.boolean(),
  collection: z.string().nullable(),
  scannedAt: z.string().nullable(),
  failure: Failure.nullable(),
  removing: z.boolean(),
  files: z.object({ taken: z.number(), refused: z.number(), gone: z.number() }),
});
export type Folder = z.infer<typeof Folder>;

export interface AddFolder {
  path: string;
  include?: readonly string[];
  exclude?: readonly string[];
  collection?: string;
  metadata?: Record<string, unknown>;
  mode: 'CONTENT' | 'REFERENCE';
  watch: boolean;
  onGone: 'KEEP' | 'DELETE';
}

const PATH = 'api/v1/folders';

export const listFolders = async (client: Client): Promise<Folder[]> =>
  (await client.get(z.object({ folders: z.array(Folder) }), PATH)).folders;

export const addFolder = (client: Client, folder: AddFolder): Promise<Folder> =>
  client.send(Folder, 'POST', PATH, { ...folder });

export const scanFolder = (client: Client, id: string): Promise<Folder> =>
  client.send(Folder, 'POST', `${PATH}/${encodeURIComponent(id)}/scan`);

export const removeFolder = (client: Client, id: string, keepDocuments: boolean): Promise<Folder> =>
  client.send(Folder, 'DELETE', `${PATH}/${encodeURIComponent(id)}?keepDocuments=${keepDocuments}`);
