const FOLDER = `id path mode watch include exclude collection metadata onGone addedAt scannedAt failure { code message next } removing
  files { taken refused gone }`;

const RESULT = `__typename ... on Folder { ${FOLDER} } ... on Refused { code message next field }`;

export const LIST_FOLDERS = `query { folders { ${FOLDER} } }`;

export const ADD_FOLDER = `mutation ($input: AddFolderInput!) { folder: addFolder(input: $input) { ${RESULT} } }`;

export const SCAN_FOLDER = `mutation ($id: ID!) { folder: scanFolder(id: $id) { ${RESULT} } }`;

export const REMOVE_FOLDER = `mutation ($id: ID!, $keepDocuments: Boolean) {
  folder: removeFolder(id: $id, keepDocuments: $keepDocuments) { ${RESULT} }
}`;

export const FOLDER_OPERATIONS: readonly string[] = [LIST_FOLDERS, ADD_FOLDER, SCAN_FOLDER, REMOVE_FOLDER];
