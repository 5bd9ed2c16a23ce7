const NUMBER = /\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?/gu;
const FRACTIONS: Readonly<Record<string, string>> = { '¼': '.25', '½': '.5', '¾': '.75', '⅓': '.333', '⅔': '.667' };

const ENGLISH =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const DANISH =
  'nul en to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten';
const DANISH_TENS = 'tyve tredive fyrre halvtreds tres halvfjerds firs halvfems';
const ORDINALS: Readonly<Record<string, number>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10 },
  ...{ første: 1, anden: 2, tredje: 3, fjerde: 4, femte: 5, sjette: 6, syvende: 7, ottende: 8, niende: 9, tiende: 10 },
};
const TIMES: Readonly<Record<string, number>> = {
  ...{
    hundred: 1e2,
    hundrede: 1e2,
    thousand: 1e3,
    tusind: 1e3,
    tusinde: 1e3,
    tusinder: 1e3,
    million: 1e6,
    millions: 1e6,
  },
  ...{
    millioner: 1e6,
    mio: 1e6,
    billion: 1e9,
    milliard: 1e9,
    milliarder: 1e9,
    mia: 1e9,
    trillion: 1e12,
    bn: 1e9,
    m: 1e6,
  },
};

/** Danish and English numbers as words, up to 99. */
const WRITTEN: ReadonlyMap<string, number> = (() => {
  const words = new Map<string, number>(Object.entries(ORDINALS));
  for (const list of [ENGLISH, DANISH]) list.split(' ').forEach((word, value) => words.set(word, value));
  ENGLISH_TENS.split(' ').forEach((ten, at) => {
    words.set(ten, (at + 2) * 10);
    ENGLISH.split(' ')
      .slice(1, 10)
      .forEach((one, unit) => words.set(`${ten}-${one}`, (at + 2) * 10 + unit + 1));
  });
  DANISH_TENS.split(' ').forEach((ten, at) => {
    words.set(ten, (at + 2) * 10);
    DANISH.split(' ')
      .slice(1, 10)
      .forEach((one, unit) => words.set(`${one}og${ten}`, (at + 2) * 10 + unit + 1));
  });
  words.set('et', 1);
  return words;
})();

/** Smaller ones written out are counts that follow from a text without standing in it: "the two linebackers". */
const LEAST_WRITTEN = 13;

/** A number with all that it may stand for: "1.234" is 1234 or 1.234, "1,5 mio." is 1500000 too. */
export interface NumberRead {
  text: string;
  readings: readonly string[];
}

/** The numbers of a text that are written in digits, and those above twelve that are written out. */
export const numbersIn = (text: string): NumberRead[] => {
  const whole = text
    .replace(/(\d)\s?([¼½¾⅓⅔])/gu, (_, digit: string, part: string) => `${digit}${FRACTIONS[part]}`)
    .replace(
      /\b((?:1\d|20)(\d\d))\s?[-–/]\s?(\d\d)\b(?![-–/.]?\d)/gu,
      (_, year: string, _of: string, end: string) => `${year} ${year.slice(0, 2)}${end}`,
    );
  const digits = [...whole.matchAll(NUMBER)].map((match) => ({
    text: match[0],
    readings: withTimes(readingsOf(match[0]), whole.slice(match.index + match[0].length)),
  }));
  const written = [...whole.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)?/gu)].flatMap((match) => {
    const value = WRITTEN.get(match[0]);
    return value !== undefined && value >= LEAST_WRITTEN
      ? [{ text: match[0], readings: withTimes([String(value)], whole.slice(match.index + match[0].length)) }]
      : [];
  });
  return [...digits, ...written];
};

/** Every reading of every number of a text, small ones written out among them, and centuries and decades by their years. */
export const numbersHeldBy = (text: string): ((number: NumberRead) => boolean) => {
  const held = new Set(numbersIn(text).flatMap(({ readings }) => readings));
  for (const match of text.toLowerCase().matchAll(/\p{L}+(?:-\p{L}+)?/gu)) {
    const value = WRITTEN.get(match[0]);
    if (value === undefined) continue;
    for (const reading of withTimes([String(value)], text.slice(match.index + match[0].length))) held.add(reading);
  }
  for (const reading of [...held]) {
    const year = /^(1\d|20)(\d)\d$/.exec(reading);
    if (!year) continue;
    held.add(`${year[1]}${year[2]}0`).add(`${year[1]}00`); // the 1990s, 1900-tallet
    held.add(String(Number(year[1]) + 1)); // the 20th century
  }
  for (const match of text.matchAll(/\b(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(?:century|centuries|århundrede)/giu))
    held.add(`${Number(match[1]) - 1}00`);
  return ({ readings }) => readings.some((reading) => held.has(reading));
};

const withTimes = (readings: readonly string[], after: string): string[] => {
  const times = TIMES[/^[\s-]?(\p{L}+)/u.exec(after)?.[1]?.toLowerCase() ?? ''];
  return times
    ? [...readings, ...readings.map((one) => plain(String(Number((Number(one) * times).toPrecision(12)))))]
    : [...readings];
};

const readingsOf = (number: string): string[] => {
  const readings = new Set<string>();
  if (/^\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?$/u.test(number)) {
    const decimals = /^(.*)[.,](\d{1,2}|\d{4,})$/u.exec(number);
    const grouped = (decimals?.[1] ?? number).replace(/\D/gu, '');
    readings.add(plain(decimals ? `${grouped}.${decimals[2]}` : grouped));
  }
  if (/^\d+(?:[.,]\d+)?$/u.test(number)) readings.add(plain(number.replace(',', '.')));
  return [...readings];
};

const plain = (number: string): string => {
  const [whole = '', part = ''] = number.split('.');
  const decimals = part.replace(/0+$/u, '');
  return `${whole.replace(/^0+(?=\d)/u, '')}${decimals && `.${decimals}`}`;
};
