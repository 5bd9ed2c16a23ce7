import { describe, expect, it } from 'vitest';
import { failedPlaces } from './failed-places.js';

describe('the places of a fetch that failed', () => {
  it('are its fields, by the names that the answer would have', () => {
    const query = 'query Q__a__0($id:ID!){mine:document(id:$id){id}documents{totalCount}}';
    expect(failedPlaces(query, undefined)).toEqual([['mine'], ['documents']]);
  });

  it('are of references the fields of each, by its type', () => {
    const query =
      '{_entities(representations:$representations){...on Paragraph{__typename document{id} facets{scope}}...on Document{title}}}';
    const references = [{ __typename: 'Paragraph' }, { __typename: 'Document' }, {}];
    expect(failedPlaces(query, references)).toEqual([
      ['_entities', 0, 'document'],
      ['_entities', 0, 'facets'],
      ['_entities', 1, 'title'],
    ]);
  });

  it('are no more than those of 100 references', () => {
    const query = '{_entities(representations:$representations){...on Document{title}}}';
    expect(failedPlaces(query, Array(500).fill({ __typename: 'Document' }))).toHaveLength(100);
  });
});
