interface Place {
  length: number;
  closers: string;
}

/** No more places are looked at where an object might begin. */
const MOST_STARTS = 20;

/**
 * The JSON objects in a text, in order, also where prose stands around them, one breaks off, a comma is too many, a
 * bracket at the end is missing or a string holds a bare line break. Of an object that breaks off, a value that may go
 * on is left out with its key: nothing half is believed.
 */
export function* jsonObjects(text: string): Generator<unknown, void> {
  let from = 0;
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    const start = text.indexOf('{', from);
    if (start < 0) return;
    const { json, end } = objectAt(text, start);
    from = start + 1;
    try {
      yield JSON.parse(json);
      from = end;
    } catch {
      continue; // no object: the next bracket may begin one
    }
  }
}

/** What of an object is whole, closed; and where in the text it ends. */
const objectAt = (text: string, start: number): { json: string; end: number } => {
  let out = '';
  let closers = ''; // the next one first
  let before = ''; // the last character that is no space, outside of strings
  let inString = false;
  let isKey = false;
  let whole: Place = { length: 0, closers: '' };
  const isWhole = () => (whole = { length: out.length, closers });
  const close = () => {
    out = out.replace(/,\s*$/, '') + closers[0];
    closers = closers.slice(1);
    isWhole();
  };

  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (inString) {
      if (character === '\\') out += character + text.charAt(++at);
      else if (character < ' ') out += ESCAPES[character] ?? ' ';
      else out += character;
      if (character !== '"') continue;
      inString = false;
      if (!isKey) isWhole();
    } else if (character === '"') {
      inString = true;
      isKey = closers[0] === '}' && before !== ':';
      out += character;
    } else if (character === '{' || character === '[') {
      out += character;
      closers = (character === '{' ? '}' : ']') + closers;
      isWhole();
    } else if (character === '}' || character === ']') {
      while (closers.includes(character) && closers[0] !== character) close();
      if (closers[0] === character) close();
      if (closers === '') return { json: out, end: at + 1 };
    } else {
      if (character === ',') isWhole();
      out += character;
    }
    if (character.trim() !== '') before = character;
  }
  return { json: out.slice(0, whole.length) + whole.closers, end: text.length };
};

const ESCAPES: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
