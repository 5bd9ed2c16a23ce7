/** Text of documents may hold what a terminal obeys: control characters go, but for line ends and tabs. */
export const printable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '');

/** The same on one line. */
export const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim();
