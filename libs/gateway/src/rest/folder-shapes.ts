import { z } from 'zod';
import { FailureShape } from './shapes.js';

const one = z.string().min(1);
const MODES = ['CONTENT', 'REFERENCE'] as const;
const WHEN_GONE = ['KEEP', 'DELETE'] as const;
const upper = <T extends readonly [string, ...string[]]>(values: T) => z.string().toUpperCase().pipe(z.enum(values));

export const AddFolderBody = z.strictObject({
  path: one.describe('Absolute, of the machine that the server runs on; below one of FOLDER_ROOTS.'),
  include: z.array(one).optional().describe('Globs of paths within it; all kinds of documents where absent.'),
  exclude: z.array(one).optional(),
  collection: one.optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Of each document that is taken in from now on; its scalars can be filtered on.'),
  mode: upper(MODES)
    .default('CONTENT')
    .describe('With REFERENCE nothing of the content is stored: it is read from the file when it is needed.'),
  watch: z.boolean().default(false).describe('Whether changes are taken in from now on.'),
  onGone: upper(WHEN_GONE).default('KEEP').describe('What becomes of a document whose file is gone.'),
});

export const RemoveFolderQuery = z.strictObject({
  keepDocuments: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Not of a folder in the mode REFERENCE, of which there is nothing to keep.'),
});

export const FolderShape = z.object({
  id: z.string(),
  path: z.string(),
  mode: z.enum(MODES),
  watch: z.boolean(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  collection: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  onGone: z.enum(WHEN_GONE),
  addedAt: z.string(),
  scannedAt: z.string().nullable().describe('When all of it was last looked at.'),
  failure: FailureShape.nullable().describe("Why it, or what of it, can't be read."),
  removing: z.boolean(),
  files: z.object({ taken: z.number().int(), refused: z.number().int(), gone: z.number().int() }),
});

export const FoldersShape = z.object({ folders: z.array(FolderShape) });
