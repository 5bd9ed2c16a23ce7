import { describe, expect, it } from 'vitest';
import { type CheckGround, checkSentence } from './check-sentence.js';
import { namesIn, weighedWords } from './question-words.js';
import { checkedSource } from './supports.js';

interface Text {
  title: string;
  text: string;
  language: string;
}

const ground = (question: string, language: string | null, ...texts: Text[]): CheckGround => ({
  language,
  languageOf: () => language,
  question: weighedWords(question),
  names: new Set([question, ...texts.map(({ text }) => text)].flatMap(namesIn)),
  sources: new Map(
    texts.map((text, i) => [i + 1, checkedSource({ marker: i + 1, trail: [], ...text }, text.language)]),
  ),
});

const ENGLISH: Text[] = [
  {
    title: 'Super Bowl 50',
    language: 'en',
    text: "The Panthers defense gave up just 308 points, ranking sixth in the league. Kawann Short led the team in sacks with 11. Jared Allen was the NFL's active career sack leader with 136.",
  },
  {
    title: 'Nikola Tesla',
    language: 'en',
    text: 'Tesla was born in the village of Smiljan on 10 July 1856. In 1884 he emigrated to New York City, where he worked for Thomas Edison. He died on 7 January 1943.',
  },
  {
    title: 'Warsaw',
    language: 'en',
    text: "Warsaw's population was 1,300,000 in 1939. Between 1945 and 1950 the old town was rebuilt after paintings by Canaletto.",
  },
];

const DANISH: Text[] = [
  {
    title: 'Super Bowl 50',
    language: 'da',
    text: "Panthers' forsvar lukkede kun 308 point ind, hvilket var ligaens sjettebedste. Kawann Short førte holdet i sacks med 11. Jared Allen havde karriererekorden med 136 sacks.",
  },
  {
    title: 'Nikola Tesla',
    language: 'da',
    text: 'Tesla blev født i landsbyen Smiljan den 10. juli 1856. I 1884 udvandrede han til New York, hvor han arbejdede for Thomas Edison. Han døde den 7. januar 1943.',
  },
  {
    title: 'Warszawa',
    language: 'da',
    text: 'Warszawa havde 1.300.000 indbyggere i 1939. Mellem 1945 og 1950 blev den gamle by genopbygget efter malerier af Canaletto.',
  },
];

const english = ground('What is known about the Panthers, Tesla and Warsaw?', 'en', ...ENGLISH);
const danish = ground('Hvad ved man om Panthers, Tesla og Warszawa?', 'da', ...DANISH);

/** What is wrong, the sentence, what is let out of it. */
const WRONG: [string, string, string, CheckGround][] = [
  ['a source that does not exist', 'The Panthers gave up 308 points [4].', 'The Panthers gave up 308 points.', english],
  ['a source numbered 0', 'The Panthers gave up 308 points [0].', 'The Panthers gave up 308 points.', english],
  ['a source of another subject', 'The Panthers gave up 308 points [2].', 'The Panthers gave up 308 points.', english],
  [
    'a number that is another',
    'The Panthers defense gave up 380 points [1].',
    'The Panthers defense gave up 380 points.',
    english,
  ],
  [
    'a number that was written out',
    'The Panthers defense ranked in the league, with seven sacks [1].',
    'The Panthers defense ranked in the league, with seven sacks.',
    english,
  ],
  ['a year with its digits turned', 'Tesla died in 1934 [2].', 'Tesla died in 1934.', english],
  [
    'a name that is another',
    'Luke Kuechly led the team in sacks with 11 [1].',
    'Luke Kuechly led the team in sacks with 11.',
    english,
  ],
  [
    'a first word that is a name known from elsewhere',
    'Edison was born in Smiljan in 1856 [1].',
    'Edison was born in Smiljan in 1856.',
    english,
  ],
  [
    'a name added',
    'Tesla worked in New York City for George Westinghouse [2].',
    'Tesla worked in New York City for George Westinghouse.',
    english,
  ],
  [
    'a place that is another',
    'Tesla was born in the village of Gospić [2].',
    'Tesla was born in the village of Gospić.',
    english,
  ],
  [
    'an acronym of its own',
    'Jared Allen was the active career sack leader of the AFC [1].',
    'Jared Allen was the active career sack leader of the AFC.',
    english,
  ],
  [
    'hardly any of its words',
    'The city later became an important hub of modern industry and railways [3].',
    'The city later became an important hub of modern industry and railways.',
    english,
  ],
  [
    'a decimal that is another',
    'The population of Warsaw was 1,300,000.5 in 1939 [3].',
    'The population of Warsaw was 1,300,000.5 in 1939.',
    english,
  ],
  [
    'a thousand too few',
    'The population of Warsaw was 1,300 in 1939 [3].',
    'The population of Warsaw was 1,300 in 1939.',
    english,
  ],
  [
    'a list with one right and one wrong',
    'Tesla died on 7 January 1943 [2, 3].',
    'Tesla died on 7 January 1943 [2].',
    english,
  ],
  [
    'a range that goes past the sources',
    'Tesla died on 7 January 1943 [2-5].',
    'Tesla died on 7 January 1943 [2].',
    english,
  ],
  [
    'a bracket of another form',
    'Warsaw was rebuilt by Canaletto in 1870【3】.',
    'Warsaw was rebuilt by Canaletto in 1870.',
    english,
  ],
  ['a citation after the full stop', 'Tesla moved to Paris in 1882. [2]', 'Tesla moved to Paris in 1882.', english],
  [
    'the first of two claims',
    'Tesla was born in 1860 [2], and he died in 1943 [2].',
    'Tesla was born in 1860, and he died in 1943 [2].',
    english,
  ],
  [
    'the second of two claims',
    'Tesla was born in 1856 [2] and the Panthers gave up 308 points [3].',
    'Tesla was born in 1856 [2] and the Panthers gave up 308 points.',
    english,
  ],
  [
    'two sources, neither of which holds it',
    'Tesla died on 7 January 1943 [1][3].',
    'Tesla died on 7 January 1943.',
    english,
  ],
  ['a bare number of another source', '308 [2].', '308.', english],
  ['et nummer, der ikke findes', 'Panthers lukkede 308 point ind [7].', 'Panthers lukkede 308 point ind.', danish],
  [
    'en kilde om noget andet',
    "Panthers' forsvar lukkede 308 point ind [3].",
    "Panthers' forsvar lukkede 308 point ind.",
    danish,
  ],
  ['et andet tal', "Panthers' forsvar lukkede 318 point ind [1].", "Panthers' forsvar lukkede 318 point ind.", danish],
  ['et andet navn', 'Josh Norman førte holdet i sacks med 11 [1].', 'Josh Norman førte holdet i sacks med 11.', danish],
  ['et andet sted', 'I 1884 udvandrede Tesla til Chicago [2].', 'I 1884 udvandrede Tesla til Chicago.', danish],
  [
    'et andet år',
    'Tesla blev født i landsbyen Smiljan i 1865 [2].',
    'Tesla blev født i landsbyen Smiljan i 1865.',
    danish,
  ],
  [
    'et tal med et nul for lidt',
    'Warszawa havde 130.000 indbyggere i 1939 [3].',
    'Warszawa havde 130.000 indbyggere i 1939.',
    danish,
  ],
  [
    'næsten ingen af dens ord',
    'Byen er i dag kendt for sine universiteter, museer og grønne parker [3].',
    'Byen er i dag kendt for sine universiteter, museer og grønne parker.',
    danish,
  ],
  ['to kilder, den ene forkert', 'Tesla døde den 7. januar 1943 [1][2].', 'Tesla døde den 7. januar 1943 [2].', danish],
];

const RIGHT: [string, string, CheckGround][] = [
  ['the source itself', 'The Panthers defense gave up just 308 points [1].', english],
  ['other words', 'With 11 sacks, Kawann Short led his team [1].', english],
  ['a thousands sign of another kind', 'Warsaw had a population of 1.300.000 in 1939 [3].', english],
  ['a citation after the full stop', 'Tesla died on 7 January 1943. [2]', english],
  [
    'two sources that only together hold it',
    'Tesla was born in 1856, and 308 points were given up by the Panthers [1][2].',
    english,
  ],
  ['a claim each', 'Tesla died in 1943 [2], and Jared Allen had 136 sacks in his career [1].', english],
  ['a source that is named first', 'According to [2], Tesla worked for Thomas Edison.', english],
  ['a list item', '2. The old town of Warsaw was rebuilt between 1945 and 1950 [3]', english],
  ['bold print', '**Kawann Short** led the team in sacks [1].', english],
  ['a short answer that fits the question', '1943 [2].', ground('When did Tesla die?', 'en', ...ENGLISH)],
  ['kilden selv', "Panthers' forsvar lukkede kun 308 point ind [1].", danish],
  ['andre ord', 'Jared Allen har rekorden for karrieren: 136 sacks [1].', danish],
  ['et andet tusindtegn', 'I 1939 havde Warszawa 1,300,000 indbyggere [3].', danish],
  ['en liste', '- Den gamle by blev genopbygget efter Canalettos malerier [3]', danish],
  ['en samlet henvisning', 'Tesla døde i 1943 [kilde 2].', danish],
];

describe('checkSentence', () => {
  it.each(WRONG)('removes a wrong citation: %s', (_, sentence, expected, sources) => {
    expect(checkSentence(sentence, '', sources).text).toBe(expected);
  });

  it.each(RIGHT)('keeps a right citation: %s', (_, sentence, sources) => {
    const { removed, kept } = checkSentence(sentence, '', sources);
    expect(removed).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
  });

  it('takes a removed citation out with the space before it, and leaves the rest as it is', () => {
    expect(checkSentence('Tesla died in 1943 [2][9] and not in 1950 [3].\n', '', english).text).toBe(
      'Tesla died in 1943 [2] and not in 1950.\n',
    );
  });

  it('keeps of a list what holds, each number in brackets of its own', () => {
    expect(checkSentence('Tesla died on 7 January 1943 [2, 3].', '', english)).toMatchObject({
      text: 'Tesla died on 7 January 1943 [2].',
      removed: [3],
    });
  });

  it('quotes the sentence of the source that supports the claim best', () => {
    const { kept } = checkSentence('Tesla worked for Edison in New York City [2].', '', english);
    expect(kept[0]!.quote!.text).toBe('In 1884 he emigrated to New York City, where he worked for Thomas Edison.');
    const { start, end, text } = kept[0]!.quote!;
    expect(ENGLISH[1]!.text.slice(start, end)).toBe(text);
  });

  it('reads citations that stand alone as those of the sentence before', () => {
    expect(checkSentence('[2]\n', 'Tesla died in 1943.', english)).toMatchObject({ removed: [] });
    expect(checkSentence('[1]\n', 'Tesla died in 1943.', english)).toMatchObject({ removed: [1], text: '\n' });
  });

  describe('where answer and source are in different languages', () => {
    const abroad = ground('Hvad ved man om Tesla?', 'da', ...ENGLISH);

    it('compares names and numbers only', () => {
      expect(checkSentence('Tesla døde den 7. januar 1943 [2].', '', abroad).removed).toEqual([]);
      expect(checkSentence('Som ung udvandrede han for at arbejde [2].', '', abroad).removed).toEqual([]);
    });

    it('still removes a wrong number, or names that are elsewhere', () => {
      expect(checkSentence('Tesla døde den 7. januar 1953 [2].', '', abroad).removed).toEqual([2]);
      expect(checkSentence('I Berlin traf han Marie Curie [2].', '', abroad).removed).toEqual([2]);
    });
  });

  it('leaves a sentence without citations alone', () => {
    expect(checkSentence('Nothing is cited here [sic].', '', english)).toEqual({
      text: 'Nothing is cited here [sic].',
      kept: [],
      removed: [],
    });
  });
});
