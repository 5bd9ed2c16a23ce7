/**
 * What is taken from folders where nothing is said, by the ending of a file's name, in lower case: kinds of documents,
 * and nothing that is mostly made by and for programs, as JSON is.
 */
export const DOCUMENT_ENDINGS = [
  ...(['md', 'markdown', 'mdown', 'mkd', 'mdx', 'txt', 'text'] as const),
  ...(['html', 'htm', 'xhtml', 'pdf', 'docx', 'docm', 'dotx', 'doc', 'pptx', 'pptm', 'xlsx', 'xlsm'] as const),
  ...(['odt', 'epub', 'rtf', 'csv', 'tsv', 'eml', 'msg', 'zip'] as const),
  ...(['png', 'jpg', 'jpeg', 'tif', 'tiff', 'webp', 'bmp', 'gif'] as const), // text in them is recognised
] as const;
export type DocumentEnding = (typeof DOCUMENT_ENDINGS)[number];
