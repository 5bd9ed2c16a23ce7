import { describe, expect, it } from 'vitest';
import { languageOf } from './language.js';

describe('languageOf', () => {
  it.each([
    ['da', 'Hvornår blev virksomheden grundlagt?'],
    ['da', 'Kan jeg få refunderet min rejse, hvis den bliver aflyst?'],
    ['no', 'Når ble selskapet grunnlagt?'],
    ['no', 'Hvem eier hytta på fjellet?'],
    ['sv', 'Vad heter huvudstaden i Sverige?'],
    ['en', 'How many people live there?'],
    ['de', 'Wie heißt die Hauptstadt von Österreich?'],
    ['fr', 'Quelle est la capitale de la France ?'],
    ['ru', 'Какой город столица России?'],
    ['zh', '东京是日本的首都'],
  ])('tells %s by a question: %s', (language, question) => {
    expect(languageOf(question)).toBe(language);
  });

  it.each(['', '42', 'INV-2024-0012', 'warfarin', 'Super Bowl XLIX', 'https://example.org/the/page'])(
    'does not guess: "%s"',
    (text) => {
      expect(languageOf(text)).toBeNull();
    },
  );

  it('is not led astray by names of another language', () => {
    expect(
      languageOf('Los Angeles og San Francisco er de største byer, men Sacramento blev hovedstad efter en afstemning.'),
    ).toBe('da');
  });
});
