import type { MetadataDocument } from './metadata-document.js';

const headersOf = (from: string, to: string, id: string, more: Record<string, string> = {}) => ({
  from,
  to,
  messageId: id,
  thread: id,
  ...more,
});

export const MAILS: readonly MetadataDocument[] = [
  {
    name: 'a mail about a meeting',
    language: 'da',
    headers: headersOf(
      'Karen Friis <karen@vaerftet.example>',
      'Bestyrelsen <best@vaerftet.example>',
      '<1@vaerftet.example>',
    ),
    sentAt: '2026-09-14T11:20:00.000Z',
    text: `Hej alle

Næste bestyrelsesmøde er tirsdag den 6. oktober kl. 19 i klubhuset. Regnskabet viser et overskud på 12.400 kr., så vi kan tale om ny mast.

Mvh Karen`,
    expected: {
      type: 'mail',
      sender: 'Karen Friis <karen@vaerftet.example>',
      recipients: ['Bestyrelsen <best@vaerftet.example>'],
      thread: '<1@vaerftet.example>',
      date: '2026-09-14',
    },
  },
  {
    name: 'an answer in a thread, with several recipients',
    language: 'en',
    headers: headersOf(
      '"Okafor, Ben" <ben@quill.example>',
      '"Marsh, Tilda" <tilda@quill.example>, Dev List <dev@quill.example>',
      '<77@quill.example>',
      {
        cc: 'ops@quill.example, "Lee, Ann" <ann@quill.example>',
        inReplyTo: '<75@quill.example>',
        thread: '<70@quill.example>',
      },
    ),
    sentAt: '2026-03-02T16:45:10.000Z',
    text: `Tilda, the invoice import fails because the vendor sends dates as 03/04/2026. I suggest we ask them for ISO dates.

Ben`,
    expected: {
      type: 'mail',
      sender: '"Okafor, Ben" <ben@quill.example>',
      recipients: ['"Marsh, Tilda" <tilda@quill.example>', 'Dev List <dev@quill.example>'],
      cc: ['ops@quill.example', '"Lee, Ann" <ann@quill.example>'],
      thread: '<70@quill.example>',
      date: '2026-03-02',
    },
  },
  {
    name: 'a mail that talks of a receipt and is none',
    language: 'da',
    heldOut: true,
    headers: headersOf('Pia Noer <pia@noer.example>', 'Jens <jens@noer.example>', '<k1@noer.example>'),
    sentAt: '2026-10-19T18:02:00.000Z',
    text: `Hej Jens

Kan du finde kvitteringen fra apoteket? Jeg skal bruge den til forsikringen. Den er vist på 138 kr. og fra midten af oktober.

Kh Pia`,
    expected: {
      type: 'mail',
      sender: 'Pia Noer <pia@noer.example>',
      recipients: ['Jens <jens@noer.example>'],
      thread: '<k1@noer.example>',
      date: '2026-10-19',
    },
  },
  {
    name: 'a newsletter with prices',
    language: 'en',
    headers: headersOf(
      'Garden Weekly <news@gardenweekly.example>',
      'readers@gardenweekly.example',
      '<n26-17@gardenweekly.example>',
      {
        bcc: 'archive@gardenweekly.example',
      },
    ),
    sentAt: '2026-04-24T06:00:00.000Z',
    text: `This week in the garden

Sow beans now. Our seed boxes are down from £24.00 to £18.50 until 1 May, and tickets for the spring fair are £6 at the gate.

Unsubscribe at any time.`,
    expected: {
      type: 'mail',
      sender: 'Garden Weekly <news@gardenweekly.example>',
      recipients: ['readers@gardenweekly.example'],
      bcc: ['archive@gardenweekly.example'],
      thread: '<n26-17@gardenweekly.example>',
      date: '2026-04-24',
    },
  },
  {
    name: 'a complaint by mail',
    language: 'da',
    headers: headersOf('Torben Riis <torben@riis.example>', 'kundeservice@togliv.example', '<kl-2@riis.example>'),
    sentAt: '2026-01-12T20:10:00.000Z',
    text: `Til kundeservice

Toget fra Odense den 9. januar 2026 var 94 minutter forsinket. Jeg beder om refusion af min billet på 298 kr. efter jeres rejsetidsgaranti. Billetnummeret er 55-1209.

Venlig hilsen
Torben Riis`,
    expected: {
      type: 'mail',
      sender: 'Torben Riis <torben@riis.example>',
      recipients: ['kundeservice@togliv.example'],
      thread: '<kl-2@riis.example>',
      date: '2026-01-12',
    },
  },
  {
    name: 'a mail without a recipient header',
    language: 'en',
    heldOut: true,
    headers: { from: 'reception@dental.example', messageId: '<r9@dental.example>', thread: '<r9@dental.example>' },
    sentAt: '2026-07-08T09:00:00.000Z',
    text: `Reminder: your check-up is on Thursday 16 July 2026 at 10.15. Reply to this mail to change it.`,
    expected: {
      type: 'mail',
      sender: 'reception@dental.example',
      thread: '<r9@dental.example>',
      date: '2026-07-08',
    },
  },
  {
    name: 'a mail about a contract',
    language: 'da',
    headers: headersOf(
      'Advokat Lise Holt <lh@holtadv.example>',
      'Nina Bergs <nina@bergs.example>',
      '<adv-8@holtadv.example>',
    ),
    sentAt: '2026-05-29T13:33:00.000Z',
    text: `Kære Nina

Vedhæftet er udkast til lejekontrakten. Depositum er sat til 21.000 kr. Sig til, hvis paragraf 11 skal ændres, inden vi sender den til underskrift.

De bedste hilsner
Lise Holt`,
    expected: {
      type: 'mail',
      sender: 'Advokat Lise Holt <lh@holtadv.example>',
      recipients: ['Nina Bergs <nina@bergs.example>'],
      thread: '<adv-8@holtadv.example>',
      date: '2026-05-29',
    },
  },
  {
    name: 'a mail that asks for an invoice',
    language: 'en',
    headers: headersOf('accounts@tallpine.example', 'Rhys Morgan <rhys@morgan.example>', '<a31@tallpine.example>'),
    sentAt: '2026-11-03T10:12:00.000Z',
    text: `Hello Rhys,

Could you send us your invoice for October before the 10th? Please put our purchase order number PO-5512 on it. The total we have noted is €1,400.

Thanks, Accounts`,
    expected: {
      type: 'mail',
      sender: 'accounts@tallpine.example',
      recipients: ['Rhys Morgan <rhys@morgan.example>'],
      thread: '<a31@tallpine.example>',
      date: '2026-11-03',
    },
  },
  {
    name: 'a mail with a concert ticket in it',
    language: 'da',
    heldOut: true,
    headers: headersOf(
      'Billetlugen Fjorden <billet@fjorden.example>',
      'Emil Toft <emil@toft.example>',
      '<b-3301@fjorden.example>',
    ),
    sentAt: '2026-02-20T12:00:00.000Z',
    text: `Din billet

Arrangement: Nordlys Kammerorkester
Sted: Musikhuset, Aarhus
Dato: 14. marts 2026 kl. 20.00
Række 7, plads 12
Navn: Emil Toft
Pris: 345,00 kr.

Vis billetten ved indgangen.`,
    expected: {
      type: 'ticket',
      sender: 'Billetlugen Fjorden <billet@fjorden.example>',
      recipients: ['Emil Toft <emil@toft.example>'],
      thread: '<b-3301@fjorden.example>',
      event: 'Nordlys Kammerorkester',
      place: 'Musikhuset, Aarhus',
      date: '2026-03-14',
      seat: 'Række 7, plads 12',
      attendees: ['Emil Toft'],
      amount: { minor: 34500, currency: 'DKK' },
    },
  },
  {
    name: 'minutes sent as a mail',
    language: 'en',
    headers: headersOf(
      'Sue Park <sue@allotment.example>',
      'Committee <all@allotment.example>',
      '<m4@allotment.example>',
    ),
    sentAt: '2026-06-01T19:00:00.000Z',
    text: `Minutes of the meeting of 28 May 2026

Present: Sue, Omar, Priya. The water bill of £212.60 was approved. Next meeting 25 June.`,
    expected: {
      type: 'mail',
      sender: 'Sue Park <sue@allotment.example>',
      recipients: ['Committee <all@allotment.example>'],
      thread: '<m4@allotment.example>',
      date: '2026-06-01',
    },
  },
  {
    name: 'a shipping notice',
    language: 'da',
    headers: headersOf('Pakkeposten <info@pakkeposten.example>', 'Ida <ida@hede.example>', '<p-1@pakkeposten.example>'),
    sentAt: '2026-12-04T04:40:00.000Z',
    text: `Din pakke er på vej

Pakkenummer 00370712345 leveres lørdag den 5. december 2026 mellem kl. 9 og 12 på Hedevej 2, 7190 Billund.`,
    expected: {
      type: 'mail',
      sender: 'Pakkeposten <info@pakkeposten.example>',
      recipients: ['Ida <ida@hede.example>'],
      thread: '<p-1@pakkeposten.example>',
      date: '2026-12-04',
    },
  },
  {
    name: 'a mail that forwards a refund, in two lines',
    language: 'en',
    heldOut: true,
    headers: headersOf('Tom Ash <tom@ash.example>', 'Ruth Ash <ruth@ash.example>', '<f1@ash.example>'),
    sentAt: '2026-08-15T15:15:00.000Z',
    text: `They finally refunded the hotel! $212 back on the card.

Tom`,
    expected: {
      type: 'mail',
      sender: 'Tom Ash <tom@ash.example>',
      recipients: ['Ruth Ash <ruth@ash.example>'],
      thread: '<f1@ash.example>',
      date: '2026-08-15',
    },
  },
];
