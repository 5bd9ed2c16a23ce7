/** A line as the engine saw it, in dots from the upper left corner of the picture as the line is read. */
export interface SeenLine {
  /** It runs from the picture's top to its foot, its letters turned a quarter clockwise. */
  isVertical: boolean;
  baseline: number;
  /** Height of its letters, ascenders and descenders included. */
  size: number;
  words: SeenWord[];
}
export interface SeenWord {
  text: string;
  left: number;
  right: number;
  /** 0…1, the engine's own. */
  confidence: number;
}
export interface SeenPage {
  width: number;
  height: number;
  lines: SeenLine[];
}

const ELEMENT =
  /<(?:div|span) class='(ocr_page|ocr_line|ocr_header|ocr_caption|ocr_textfloat|ocrx_word)'[^>]*? title=(?:"([^"]*)"|'([^']*)')[^>]*>([^<]*)/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Tesseract's hOCR (kba.github.io/hocr-spec): pages, lines and words with their places in `title`. */
export const readHocr = (hocr: string): SeenPage => {
  const page: SeenPage = { width: 0, height: 0, lines: [] };
  for (const [, kind, quoted, apostrophed, inside = ''] of hocr.matchAll(ELEMENT)) {
    const title = quoted ?? apostrophed ?? '';
    const [left = 0, top = 0, right = 0, foot = 0] = numbersOf('bbox', title);
    const line = page.lines.at(-1);
    if (kind === 'ocr_page') Object.assign(page, { width: right, height: foot });
    else if (kind === 'ocrx_word') {
      const text = inside.replace(/&(\w+|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity).trim();
      const [percent = 0] = numbersOf('x_wconf', title);
      const [from, to] = line?.isVertical ? [top, foot] : [left, right];
      if (text !== '') line?.words.push({ text, left: from, right: to, confidence: percent / 100 });
    } else {
      const [slope, above = 0] = numbersOf('baseline', title);
      const [size = 0] = numbersOf('x_size', title);
      const [below = 0] = numbersOf('x_descenders', title);
      const isVertical = slope === undefined; // such lines have no baseline in hOCR
      const baseline = isVertical ? page.width - left - below : foot + above + (slope * (right - left)) / 2;
      page.lines.push({ isVertical, baseline, size, words: [] });
    }
  }
  return page;
};

const numbersOf = (property: string, title: string): number[] =>
  new RegExp(`(?:^|; )${property}((?: -?[\\d.]+)+)`).exec(title)?.[1]?.trim().split(' ').map(Number) ?? [];
