/** The code that Node gives an error of a file or a connection: "ENOENT", "ECONNREFUSED". */
export const errorCodeOf = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // of several addresses of one name
  return 'errors' in error && Array.isArray(error.errors) ? errorCodeOf(error.errors[0]) : undefined;
};
