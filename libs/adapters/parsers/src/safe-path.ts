const CONTROL = /[\u0000-\u001f\u007f-\u009f\ufeff\ufffe\uffff\u2028\u2029]/g;
/** What turns the reading direction of what follows: "annexe\u202efdp.exe" is shown as "annexeexe.pdf". */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const MAX_PART = 120;
const MAX_PARTS = 20;

/**
 * A name from within a document as one to store and show: NFC, forward slashes, never absolute, never upwards, without
 * control characters and turns of direction. It may come out like another one's.
 */
export const safePath = (name: string): string => {
  const parts = name
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .replace(CONTROL, '')
    .replace(DIRECTION, '')
    .replaceAll('\\', '/')
    .replace(/^[a-z]:/i, '')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map(shortened);
  return parts.slice(-MAX_PARTS).join('/') || 'unnamed';
};

/** Shortened before its ending, which tells people what it is. */
const shortened = (part: string): string => {
  const points = [...part];
  if (points.length <= MAX_PART) return part;
  const ending = /\.[\w-]{1,10}$/.exec(part)?.[0] ?? '';
  return `${points.slice(0, MAX_PART - ending.length - 1).join('')}…${ending}`;
};
