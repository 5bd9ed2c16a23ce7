import { AddFolderBody, FolderShape, FoldersShape, RemoveFolderQuery } from '../folder-shapes.js';
import { type Operations, schemaOf } from './operation.js';

export const FOLDER_OPERATIONS: Operations = {
  '/api/v1/folders': {
    post: {
      tag: 'folders',
      summary: "Have a folder of the server's machine read, once or from now on",
      description: 'The same path again changes how. It goes on after the answer; the list tells how far.',
      body: { 'application/json': { schema: schemaOf(AddFolderBody, 'input') } },
      status: 202,
      answer: FolderShape,
    },
    get: { tag: 'folders', summary: 'The folders, and what became of their files', answer: FoldersShape },
  },
  '/api/v1/folders/{id}/scan': {
    post: { tag: 'folders', summary: 'Look at a folder now', id: 'folder', status: 202, answer: FolderShape },
  },
  '/api/v1/folders/{id}': {
    delete: {
      tag: 'folders',
      summary: 'Read a folder no longer, and delete its documents; not its files',
      id: 'folder',
      query: RemoveFolderQuery,
      status: 202,
      answer: FolderShape,
    },
  },
};
