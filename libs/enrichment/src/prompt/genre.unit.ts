import { describe, expect, it } from 'vitest';
import { type Genre, type GenreFacts, genreOf } from './genre.js';

const facts = (given: Partial<GenreFacts>): GenreFacts => ({
  ...{ title: 'scan 0417', contentType: 'application/pdf', sourceType: 'upload', sourceId: 'a1', metadata: {} },
  ...given,
});
const titled = (title: string): GenreFacts => facts({ title });

describe('genreOf', () => {
  it.each<[string, GenreFacts, Genre | undefined]>([
    ['what its uploader says', facts({ metadata: { docType: 'Lejekontrakt' }, title: 'Faktura 12' }), 'contract'],
    ['its genre by name', facts({ metadata: { type: 'minutes' } }), 'minutes'],
    ['a type of metadata', facts({ metadata: { type: 'invoice' } }), 'receipt'],
    ['nothing, of a type that is no word', facts({ metadata: { type: 7, kind: 'x' } }), undefined],
    ['its format: a mail', facts({ contentType: 'message/rfc822', title: 'Faktura 12' }), 'mail'],
    ['where it came from: a mail', facts({ sourceType: 'imap' }), 'mail'],
    ['its name: code', titled('retry-job.ts'), 'code'],
    ['its path: code', facts({ sourceId: 'src/main.py' }), 'code'],
    ['its path: the words of its name', facts({ sourceId: 'arkiv/kontrakter/referat_2024.docx' }), 'minutes'],
    ['no code, of a text of a name like it', titled('notes.txt'), undefined],
    ['its source', facts({ sourceType: 'github-issue 12' }), 'issue'],
    ['nothing, where nothing tells', titled('Quarterly figures'), undefined],
    ['its title, in Danish', titled('Bestyrelsesmødereferat 12. marts'), 'minutes'],
    ...(
      [
        ['Brugervejledning til opvaskemaskine', 'manual'],
        ['Medarbejderhåndbogen', 'manual'],
        ['Samarbejdsaftale', 'contract'],
        ['Faktura_1042', 'receipt'],
        ['Fejlrapport: appen lukker', 'issue'],
        ['Systemdokumentation', 'documentation'],
        ['Minutes of the annual meeting', 'minutes'],
        ['Employment agreement', 'contract'],
        ['Receipt 3 March', 'receipt'],
        ['Bug report: crash on start', 'issue'],
        ['User guide', 'manual'],
        ['README', 'documentation'],
        ['Newspaper article on dikes', 'article'],
        ['Contractions in physics', undefined],
        ['Code of conduct', undefined],
      ] as const
    ).map(([title, genre]): [string, GenreFacts, Genre | undefined] => [`the title "${title}"`, titled(title), genre]),
  ])('goes by %s', (_, given, genre) => expect(genreOf(given)).toBe(genre));

  it('believes a person before the uploader, and the uploader before extraction', () => {
    const given = facts({ metadata: { type: 'manual' } });
    expect(genreOf(given, { type: 'contract', byPerson: true })).toBe('contract');
    expect(genreOf(given, { type: 'contract', byPerson: false })).toBe('manual');
    expect(genreOf(titled('Brugervejledning'), { type: 'contract', byPerson: false })).toBe('contract');
    expect(genreOf(titled('Brugervejledning'), { type: 'other', byPerson: false })).toBe('manual');
  });
});
