/** Paragraphs of a document each, written for this. */
export const ENTITY_TEXTS = {
  da: [
    'Nordkajens Bageri ApS i Ribe blev stiftet af Anne Holm den 3. marts 2019, og hun leder det endnu.',
    'Bageriet indgik i foråret en aftale om melet stenrug fra Vestmel; for Nordkajens Bageri skrev Anne Holm under.',
  ],
  en: [
    'Thomas Reed has bought flour for Harbour Bakery since 2021, and answers for its stores in Whitby.',
    'Harbour Bakery sends a hundred loaves a day to Vestmel, whose canteen is run by somebody else.',
  ],
} as const;

/** What a model says of each of them, some of which does not count: names that no text has, relations of no known type, the wrong way round. */
export const RECORDED_ENTITIES: Readonly<Record<string, { entities: unknown[]; relations: unknown[] }>> = {
  [ENTITY_TEXTS.da[0]]: {
    entities: [
      { name: 'Nordkajens Bageri ApS', type: 'organisation' },
      { name: 'Ribe', type: 'place' },
      { name: 'Anne Holm', type: 'person' },
      { name: '3. marts 2019', type: 'date' },
      { name: 'Nordkajens Bagerier', type: 'organisation' },
    ],
    relations: [
      { from: 'Nordkajens Bageri ApS', type: 'located_in', to: 'Ribe' },
      { from: 'Anne Holm', type: 'founded', to: 'Nordkajens Bageri ApS' },
      { from: 'Anne Holm', type: 'leads', to: 'Nordkajens Bageri ApS' },
      { from: 'Nordkajens Bageri ApS', type: 'dated', to: '3. marts 2019' },
    ],
  },
  [ENTITY_TEXTS.da[1]]: {
    entities: [
      { name: 'Vestmel', type: 'organisation' },
      { name: 'stenrug', type: 'product' },
      { name: 'Nordkajens Bageri', type: 'organisation' },
      { name: 'Anne Holm', type: 'person' },
    ],
    relations: [
      { from: 'Vestmel', type: 'makes', to: 'stenrug' },
      { from: 'Nordkajens Bageri', type: 'agreed_with', to: 'Vestmel' },
      { from: 'Vestmel', type: 'works_for', to: 'Anne Holm' },
    ],
  },
  [ENTITY_TEXTS.en[0]]: {
    entities: [
      { name: 'Thomas Reed', type: 'person' },
      { name: 'Harbour Bakery', type: 'organisation' },
      { name: 'Whitby', type: 'place' },
    ],
    relations: [
      { from: 'Thomas Reed', type: 'works_for', to: 'Harbour Bakery' },
      { from: 'Thomas Reed', type: 'admires', to: 'Harbour Bakery' },
      { from: 'Thomas Reed', type: 'born_in', to: 'Leeds' },
    ],
  },
  [ENTITY_TEXTS.en[1]]: {
    entities: [
      { name: 'Harbour Bakery', type: 'organisation' },
      { name: 'Vestmel', type: 'organisation' },
    ],
    relations: [{ from: 'Harbour Bakery', type: 'supplies', to: 'Vestmel' }],
  },
};
