const NUMBER = /\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?/g;
const FRACTIONS: Readonly<Record<string, string>> = { '¼': '.25', '½': '.5', '¾': '.75' };

/** Small numbers written out; "one" is left out, being an article in half of these languages. */
const WRITTEN: Readonly<Record<string, string>> = {
  en: 'two three four five six seven eight nine ten eleven twelve',
  da: 'to tre fire fem seks syv otte ni ti elleve tolv',
  nb: 'to tre fire fem seks sju åtte ni ti elleve tolv',
  sv: 'två tre fyra fem sex sju åtta nio tio elva tolv',
  de: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf',
  fr: 'deux trois quatre cinq six sept huit neuf dix onze douze',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce',
};

/** A number's spellings as one: each of the values that it may stand for ("1.234" is 1234 or 1.234). */
export type NumberReading = readonly string[];

/** The numbers of a text, those written out in its language among them. */
export const numbersIn = (text: string, language: string | null): NumberReading[] => {
  const readings: NumberReading[] = [];
  const digits = text.replace(/(\d)\s?([¼½¾])/g, (_, digit: string, part: string) => `${digit}${FRACTIONS[part]}`);
  for (const [number] of digits.matchAll(NUMBER)) readings.push(readingsOf(number));
  const written = writtenNumbers(language);
  if (written.size > 0)
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
      const value = written.get(word);
      if (value !== undefined) readings.push([value]);
    }
  return readings;
};

const readingsOf = (number: string): NumberReading => {
  const grouped = /^\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?$/.test(number);
  const readings = new Set<string>();
  if (grouped) {
    const [whole = '', part] = splitDecimals(number);
    readings.add(plain(`${whole.replace(/\D/g, '')}${part === undefined ? '' : `.${part}`}`));
  }
  if (/^\d+(?:[.,]\d+)?$/.test(number)) readings.add(plain(number.replace(',', '.')));
  return [...readings];
};

/** Of a grouped number, what stands behind the last separator is decimals if it is not three digits long. */
const splitDecimals = (number: string): string[] => {
  const match = /^(.*)[.,](\d+)$/.exec(number);
  return match && match[2]!.length !== 3 ? [match[1]!, match[2]!] : [number];
};

const plain = (number: string): string => {
  const [whole = '', part = ''] = number.split('.');
  const decimals = part.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${decimals === '' ? '' : `.${decimals}`}`;
};

const writtenNumbers = (language: string | null): ReadonlyMap<string, string> => {
  const words = WRITTEN[language === 'no' ? 'nb' : (language ?? '')]?.split(' ') ?? [];
  return new Map(words.map((word, i) => [word, String(i + 2)]));
};
