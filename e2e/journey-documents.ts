import {
  mixedPdf,
  sampleDoc,
  sampleDocx,
  sampleEpub,
  sampleMsg,
  sampleOdt,
  samplePdf,
  samplePicture,
  samplePptx,
  sampleXlsx,
  zipArchive,
} from '@postmaster/testing';

/** A document of one format, and a question that its paragraph answers. */
export interface JourneyDocument {
  name: string;
  bytes: () => Uint8Array | string;
  contentType: string;
  question: string;
  page?: number;
}

const SCAN = { width: 1000, height: 760 };

/** One of each format, those that come as mail by the webhook left aside (mail.e2e.ts). */
export const JOURNEY: readonly JourneyDocument[] = [
  {
    name: 'lighthouse.pdf',
    bytes: () =>
      samplePdf([
        ['The harbour of Skagen was opened in 1907 after three years of work.'],
        ['The lighthouse keeper Mathilde Bruun counted 412 ships in the winter of 1911.'],
      ]),
    contentType: 'application/pdf',
    question: 'Who counted ships in the winter of 1911?',
    page: 2,
  },
  {
    name: 'recipe.docx',
    bytes: () => sampleDocx(['The rye bread needs forty hours and a sourdough that has been fed twice.']),
    contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    question: 'How long does the rye bread take?',
  },
  {
    name: 'moss.html',
    bytes: () =>
      '<html><head><title>Moss</title></head><body><nav>Home Shop</nav><main><h1>Moss</h1><p>Sphagnum moss holds up to twenty times its own weight in water, and so it kept peat bogs wet.</p></main></body></html>',
    contentType: 'text/html',
    question: 'How much water does sphagnum moss hold?',
  },
  {
    name: 'æbler.md',
    bytes: () => '# Æbler\n\nGråsten blev kåret til Danmarks nationalæble i 2005. 🍏 Det modner i oktober.',
    contentType: 'text/markdown',
    question: 'Hvornår blev Gråsten nationalæble?',
  },
  {
    name: 'tollbook.doc',
    bytes: () => sampleDoc(['The toll collector Anders Krag was paid two barrels of rye for every quarter.']),
    contentType: 'application/msword',
    question: 'What was the toll collector Anders Krag paid?',
  },
  {
    name: 'pilots.pptx',
    bytes: () =>
      samplePptx([{ title: 'Safety' }, { title: 'Pilots', body: ['Every pilot must have sailed for nine years.'] }]),
    contentType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    question: 'How many years must a pilot have sailed?',
    page: 2,
  },
  {
    name: 'cranes.xlsx',
    bytes: () =>
      sampleXlsx({
        Cranes: [
          ['Crane', 'Lifts in tonnes'],
          ['Goliath crane', 85],
          ['Old Betsy', 12],
        ],
      }),
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    question: 'How many tonnes does the Goliath crane lift?',
  },
  {
    name: 'ropes.odt',
    bytes: () => sampleOdt(['Hemp ropes are tarred in May and dried for eleven days in the rope walk.']),
    contentType: 'application/vnd.oasis.opendocument.text',
    question: 'When are hemp ropes tarred?',
  },
  {
    name: 'whale.epub',
    bytes: () =>
      sampleEpub(['<h1>The whale</h1><p>The stranded whale of 1746 was boiled for lamp oil by the monks.</p>']),
    contentType: 'application/epub+zip',
    question: 'What became of the stranded whale of 1746?',
  },
  {
    name: 'bell.rtf',
    bytes: () => String.raw`{\rtf1\ansi The fog bell was cast in Lund from melted cannons.\par}`,
    contentType: 'application/rtf',
    question: 'What was the fog bell cast from?',
  },
  {
    name: 'ferries.csv',
    bytes: () => 'Ferry;Destination;Passengers\nDronningen;Helsingborg;340\nPrinsen;Malmö;120\n',
    contentType: 'text/csv',
    question: 'How many passengers does the ferry Dronningen take?',
  },
  {
    name: 'ice.png',
    bytes: () => samplePicture(['The ice breaker Thor freed nineteen', 'ships from the sound in 1924.']),
    contentType: 'image/png',
    question: 'What did the ice breaker Thor free in 1924?',
    page: 1,
  },
  {
    name: 'scanned.pdf',
    bytes: () =>
      mixedPdf([
        ['Minutes of the harbour council.'],
        { ...SCAN, jpeg: samplePicture(['The dredger Grete Hansen removed', 'nine thousand tonnes of mud.'], { ...SCAN, type: 'jpeg' }) }, // prettier-ignore
      ]),
    contentType: 'application/pdf',
    question: 'How much mud did the dredger Grete Hansen remove?',
    page: 2,
  },
  {
    name: 'kiosk.json',
    bytes: () => '{"kiosk":{"keeper":"Solveig Juhl","sells":["liquorice","postcards"]}}',
    contentType: 'application/json',
    question: 'Who is the keeper of the kiosk?',
  },
  {
    name: 'dyke.txt',
    bytes: () => Buffer.from('Digegreven målte højvandet fire gange i døgnet.', 'latin1'),
    contentType: 'text/plain',
    question: 'Hvor ofte målte digegreven højvandet?',
  },
  {
    name: 'pump.msg',
    bytes: () =>
      sampleMsg(
        { From: 'Inger Lund <inger@example.org>', Subject: 'The pump', Date: 'Tue, 3 Feb 2026 10:02:00 +0100' },
        'The bilge pump of the Havfruen was replaced by a smith from Ystad.',
      ),
    contentType: 'application/vnd.ms-outlook',
    question: 'Who replaced the bilge pump of the Havfruen?',
  },
  {
    name: 'sails.zip',
    bytes: () => zipArchive({ 'loft/topsails.md': 'The sail loft of Dragør sewed fourteen topsails in 1868.' }),
    contentType: 'application/zip',
    question: 'Where is loft/topsails.md?',
  },
];
