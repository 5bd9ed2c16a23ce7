import type { Format } from '../format.js';
import { writeBlocks, type NewBlock } from '../plain-text.js';
import { openArchive, type Archive } from './archive.js';
import { factsOfCore } from './core-facts.js';
import { mainPart, relationsOf } from './ooxml.js';
import { diagramBlocks, noteBlocks, slideBlocks } from './pptx/slide-blocks.js';
import { descendantsOf, prefixedAttribute } from './xml.js';

/** Presentations, shows and templates, with macros (which are not read) or without. */
const TYPE = /(presentationml|ms-powerpoint)\.(presentation|slideshow|template)\.(macroEnabled\.)?main\+xml$/;

export const pptx: Format = {
  contentType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  matches: ({ contained }) => TYPE.test(contained ?? ''),
  parse: async ({ zip }) => {
    const archive = openArchive(zip, 'presentation');
    const slides = slidesOf(archive);
    const { metadata, ...facts } = factsOfCore(archive);
    return {
      ...writeBlocks(slides.flatMap((slide, index) => blocksOf(archive, slide, index + 1))),
      ...facts,
      metadata: { ...metadata, slides: slides.length },
    };
  },
};

/** The parts of the slides in the order of the show. */
const slidesOf = (archive: Archive): string[] => {
  const main = mainPart(archive);
  const presentation = archive.readXml(main);
  if (!presentation) throw new Error('its list of slides is missing');
  const parts = new Map(relationsOf(archive, main).map(({ id, part }) => [id, part]));
  return descendantsOf(presentation, 'sldId').flatMap((slide) => parts.get(prefixedAttribute(slide, 'id') ?? '') ?? []);
};

const blocksOf = (archive: Archive, part: string, page: number): NewBlock[] => {
  const slide = archive.readXml(part);
  if (!slide) return [];
  const others = relationsOf(archive, part).flatMap((relation) => {
    const xml = /^(notesSlide|diagramData)$/.test(relation.type) ? archive.readXml(relation.part) : null;
    if (!xml) return [];
    return relation.type === 'notesSlide' ? noteBlocks(xml, page) : diagramBlocks(xml, page);
  });
  return [...slideBlocks(slide, page), ...others];
};
