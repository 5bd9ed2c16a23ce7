import { describe, expect, it } from 'vitest';
import { ocrFromConfig } from './ocr-from-config.js';

describe('ocrFromConfig', () => {
  it('takes Danish and English, which are installed, and nothing where recognition is off', () => {
    const config = { OCR: 'on', OCR_LANGUAGES: 'dan+eng', OCR_MAX_PAGES: 9 } as const;
    expect(ocrFromConfig(config)).toEqual({ languages: ['dan', 'eng'], maxPages: 9 });
    expect(ocrFromConfig({ ...config, OCR: 'off' })).toBeUndefined();
  });

  it('refuses a language without data, and names the package that has them', () => {
    const wrong = { OCR: 'on', OCR_LANGUAGES: 'dan+xyz', OCR_MAX_PAGES: 9 } as const;
    expect(() => ocrFromConfig(wrong)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', next: expect.stringContaining('@tesseract.js-data/xyz') }),
    );
  });
});
