import { isAbsolute, resolve } from 'node:path';
import { CodedError, TenantId } from '@postmaster/contracts';
import type { FolderRoot } from './folder-files.js';

interface FolderConfig {
  FOLDER_ROOTS?: string;
  /** What the operator configures is allowed to its tenant. */
  FOLDERS?: readonly { path: string; tenant: string }[];
}

/** The folders that the operator allows. Throws CONFIG_INVALID. */
export const folderRoots = ({ FOLDER_ROOTS = '', FOLDERS = [] }: FolderConfig): FolderRoot[] => [
  ...FOLDER_ROOTS.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [, tenant, path = ''] = /^(?:([a-z0-9-]{1,40})=)?(.*)$/.exec(one) ?? [];
      return rootOf('FOLDER_ROOTS', path, tenant);
    }),
  ...FOLDERS.map(({ path, tenant }) => rootOf('FOLDERS', path, tenant)),
];

const rootOf = (variable: string, path: string, tenant: string | undefined): FolderRoot => {
  if (!isAbsolute(path))
    throw new CodedError('CONFIG_INVALID', `${variable} names "${path}", which is no absolute path.`);
  if (tenant === undefined) return { path: resolve(path) };
  const id = TenantId.safeParse(tenant);
  if (!id.success) throw new CodedError('CONFIG_INVALID', `${variable} names "${tenant}", which is no tenant's id.`);
  return { path: resolve(path), tenant: id.data };
};
