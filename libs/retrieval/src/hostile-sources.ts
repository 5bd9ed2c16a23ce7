import { saidByInstructions, withoutInstructions, withoutLinks } from '@postmaster/contracts';

interface Told {
  title: string;
  trail: readonly string[];
  text: string;
}

/** What of a source models are shown: what tells a model what to do is blanked, so that places in the text hold. */
export const shownSource = <S extends Told>(source: S): S => ({
  ...source,
  title: withoutInstructions(source.title).trim(),
  trail: source.trail.map((heading) => withoutInstructions(heading).trim()).filter(Boolean),
  text: withoutInstructions(source.text),
});

/** What a model says of sources, judged a sentence at a time. Pure. */
export interface SaidOfSources {
  /** It has a word that stands in the sources' instructions to models alone, and not in `known`. */
  isTold: (said: string) => boolean;
  /** Without links and markup; an address that a source names itself stays, as code. */
  plain: (said: string) => string;
}

export const saidOfSources = (sources: readonly Told[], known: readonly string[] = []): SaidOfSources => {
  const texts = sources.flatMap(({ title, trail, text }) => [title, ...trail, text]);
  const shown = texts.map(withoutInstructions);
  return {
    isTold: saidByInstructions(texts, known),
    plain: (said) => withoutLinks(said, (address) => shown.some((text) => text.includes(address))),
  };
};
