/** A file's name from a Content-Disposition header (RFC 6266), else from the address; never a path, never empty. */
export const documentName = (url: URL, disposition: string | undefined): string => {
  const extended = /filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '');
  const suggested = extended === undefined ? (plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2]) : decode(extended);
  const last = decode(url.pathname.split('/').findLast((part) => part !== '') ?? '');
  return safe(suggested ?? '') || safe(last) || url.hostname;
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const safe = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .replace(/\p{Cc}/gu, '')
    .normalize('NFC')
    .trim()
    .slice(0, 255);
