import { withoutInstructions } from './instructions.js';

const WORD = /[\p{L}\p{M}\p{N}]+(?:[-_.'’&/][\p{L}\p{M}\p{N}]+)*/gu;
/** A word this long is known again where it is spelt out, with other signs between its letters. */
const KNOWN_AGAIN = 6;
/** What instructions are made of says nothing of what they want said. */
const OF_INSTRUCTIONS: ReadonlySet<string> = new Set(
  `a all also always an and answer answers any append are as assistant assistants at be before begin by call content context
   data developer disregard do document documents each end every everything exactly facet facets first following follow for
   forget from function given guidelines here highest human if ignore image important in include insert instruction
   instructions into is it language link list markdown mention message model models must new no not note nothing now of
   only or other our output paragraph phrase previous print prior prompt question questions relevant repeat replies reply
   respond response rules safety say search sentence should source sources start state summary system task tell text that
   the then these they this those to token tool user verbatim what when which will with word words write you your
   ai afsnit afslut aldrig alle alt altid anvisning anvisninger assistent assistenten at begynd besked billede billedet
   bort brug bruger brugeren de dem den denne der det dette dine dit dokument dokumentet du eller en er et ethvert for
   foregående forrige fra følg følgende glem gentag hvert hvis i ignorer ikke indsæt instruks instrukser instruktioner
   intet kald karakteren kilde kilder kun link linket med medtag mest model modellen må ny nye nævn nøjagtigt og
   opgave opsummering ord ordet ovenstående præcis på regler relevant resumé se sig skal skriv slut som spørgsmål
   sprogmodel sprogmodeller start svar svaret system sætningen tekst teksten tidligere til tilføj tilsidesæt udelukkende
   udskriv venligst vigtigt vis værktøj værktøjet`.split(/\s+/u),
);

/**
 * Whether something says what only instructions in these texts say: it has a word that stands in them and nowhere else
 * in the texts, nor in `known`. Pure; false for every text where there are no instructions.
 */
export const saidByInstructions = (
  texts: readonly string[],
  known: readonly string[] = [],
): ((said: string) => boolean) => {
  const rests = texts.map(withoutInstructions);
  const hostile = texts.filter((text, at) => text !== rests[at]);
  if (hostile.length === 0) return () => false;
  const plain = new Set([...rests, ...known].flatMap(wordsOf));
  const wanted = new Set(hostile.flatMap(wordsOf).filter((word) => !plain.has(word) && !OF_INSTRUCTIONS.has(word)));
  const spelt = [...wanted].map(squeezed).filter((word) => word.length >= KNOWN_AGAIN);
  return (said) => {
    if (wordsOf(said).some((word) => wanted.has(word))) return true;
    const letters = squeezed(said);
    return spelt.some((word) => letters.includes(word));
  };
};

/** Whole words and, of those with a sign within, their parts. */
const wordsOf = (text: string): string[] =>
  (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).flatMap((word) =>
    /[^\p{L}\p{M}\p{N}]/u.test(word) ? [word, ...word.split(/[^\p{L}\p{M}\p{N}]+/u)] : [word],
  );

const squeezed = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
