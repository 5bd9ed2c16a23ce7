import { describe, expect, it } from 'vitest';
import { readHocr } from './hocr.js';

const word = (text: string, box: string, percent: number): string =>
  `<span class='ocrx_word' id='w' title='bbox ${box}; x_wconf ${percent}'>${text}</span>`;

describe('hOCR', () => {
  it('is read as lines of words, each with its place, height and confidence', () => {
    const page = readHocr(
      `<div class='ocr_page' id='p' title='image "x"; bbox 0 0 1000 260; ppageno 0; scan_res 70 70'>
       <span class='ocr_header' id='l' title="bbox 40 44 640 74; baseline 0.01 -6; x_size 30; x_descenders 6; x_ascenders 9">
       ${word('Sild', '40 44 89 74', 96)} ${word('&amp;', '100 44 110 74', 30)} ${word(' ', '120 44 130 74', 95)}</span>`,
    );
    expect(page).toEqual({
      width: 1000,
      height: 260,
      lines: [
        {
          isVertical: false,
          baseline: 74 - 6 + 3, // half-way of a line that falls by 6
          size: 30,
          words: [
            { text: 'Sild', left: 40, right: 89, confidence: 0.96 },
            { text: '&', left: 100, right: 110, confidence: 0.3 },
          ],
        },
      ],
    });
  });

  it('has lines that run downwards, which are read as if the page lay turned', () => {
    const { lines } = readHocr(
      `<div class='ocr_page' id='p' title='bbox 0 0 260 1000'>
       <span class='ocr_line' id='l' title="bbox 186 40 216 616; x_size 30; x_descenders 6; x_ascenders 9">
       ${word('Åge', '186 40 216 89', 96)}</span>`,
    );
    expect(lines).toMatchObject([{ isVertical: true, baseline: 260 - 186 - 6, words: [{ left: 40, right: 89 }] }]);
  });
});
