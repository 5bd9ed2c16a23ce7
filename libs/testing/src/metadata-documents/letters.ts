import { dkk, gbp, type MetadataDocument } from './metadata-document.js';

/** Letters, contracts, and two texts that are none of all these. */
export const LETTERS: readonly MetadataDocument[] = [
  {
    name: 'a letter from a municipality',
    language: 'da',
    text: `Svendborg Kommune
Ramsherred 5, 5700 Svendborg

Karl Emil Thuesen
Vindebyvej 12
5700 Svendborg

Svendborg, den 8. januar 2026

Afgørelse om tilskud til varmepumpe

Kære Karl Emil Thuesen

Vi har behandlet din ansøgning af 14. november 2025. Du får tilskud på 27.000 kr. Du kan klage inden fire uger.

Med venlig hilsen
Grethe Holm
Sagsbehandler`,
    expected: {
      type: 'letter',
      sender: 'Grethe Holm',
      recipients: ['Karl Emil Thuesen'],
      place: 'Svendborg',
      date: '2026-01-08',
    },
  },
  {
    name: 'a letter of application',
    language: 'en',
    text: `12 Orchard Close
Hereford HR4 9PT

3 February 2026

Dear Ms Whitfield,

I am writing to apply for the post of archivist that you advertised on 20 January. I have catalogued parish records for nine years.

Yours sincerely,

Owen Pritchard`,
    expected: {
      type: 'letter',
      sender: 'Owen Pritchard',
      recipients: ['Ms Whitfield'],
      date: '2026-02-03',
    },
  },
  {
    name: 'a private letter',
    language: 'da',
    heldOut: true,
    text: `Gudhjem, 2. juledag 2025

Kære Else

Tak for dit lange brev. Her har det blæst i tre dage, og røgeriet er lukket til marts. Vi ses forhåbentlig til din fødselsdag den 17. februar.

Kærlig hilsen
Poul`,
    expected: { type: 'letter', sender: 'Poul', recipients: ['Else'], place: 'Gudhjem', date: '2025-12-26' },
  },
  {
    name: "an insurer's letter",
    language: 'en',
    text: `Beacon Mutual Insurance
PO Box 88, Leeds LS1 4AP

17 August 2026
Our ref: CL-2026-5531

Dear Mr Okonkwo,

Your claim of 2 August has been accepted. We shall pay £1,240.00 to your account within ten days.

Yours faithfully,
Helen Strand
Claims Department`,
    expected: {
      type: 'letter',
      sender: 'Helen Strand',
      recipients: ['Mr Okonkwo'],
      date: '2026-08-17',
    },
  },
  {
    name: 'a notice to quit a job',
    language: 'da',
    text: `Opsigelse

Til Skovlund Maskinfabrik A/S

Jeg opsiger hermed min stilling som svejser med udgangen af marts 2026.

Randers, den 27. februar 2026

Venlig hilsen
Dorthe Mikkelsen`,
    expected: {
      type: 'letter',
      sender: 'Dorthe Mikkelsen',
      recipients: ['Skovlund Maskinfabrik A/S'],
      place: 'Randers',
      date: '2026-02-27',
    },
  },
  {
    name: 'a letter to several people',
    language: 'en',
    heldOut: true,
    text: `St Anne's Primary School
Glossop, 11 June 2026

Dear parents and carers,

The summer fair is on Saturday 27 June. Please return the slip by 19 June.

Kind regards
Mrs J. Aldous
Headteacher`,
    expected: {
      type: 'letter',
      sender: 'Mrs J. Aldous',
      recipients: ['parents and carers'],
      place: 'Glossop',
      date: '2026-06-11',
    },
  },
  {
    name: "a doctor's letter of referral",
    language: 'da',
    text: `Lægehuset Åparken
Dato: 03.11.2026

Til Ortopædkirurgisk Afdeling, Viborg

Henvisning af patient til undersøgelse af højre knæ. MR-scanning foretaget 12. oktober 2026.

Med venlig hilsen
Speciallæge Anne Dyhr`,
    expected: {
      type: 'letter',
      sender: 'Speciallæge Anne Dyhr',
      recipients: ['Ortopædkirurgisk Afdeling, Viborg'],
      date: '2026-11-03',
    },
  },
  {
    name: 'a letter that mentions an invoice',
    language: 'en',
    text: `Hollis & Wray Solicitors
9 Bank Street, Whitby

30 September 2026

Dear Mrs Petrie,

Thank you for settling our invoice of 1 September. Your file is now closed, and the deeds are enclosed.

Yours sincerely
Margaret Wray`,
    expected: {
      type: 'letter',
      sender: 'Margaret Wray',
      recipients: ['Mrs Petrie'],
      date: '2026-09-30',
    },
  },
  {
    name: 'a lease',
    language: 'da',
    heldOut: true,
    text: `LEJEKONTRAKT

Mellem
Udlejer: Ejendomsselskabet Søgaard ApS
Lejer: Maria Winkel

Lejemålet: Fredensgade 19, 2. tv., 8000 Aarhus C
Lejeforholdet begynder den 1. august 2026 og løber til 31. juli 2028.
Den månedlige husleje er 8.450,00 kr.

Aarhus, den 20. juni 2026

Underskrift udlejer          Underskrift lejer`,
    expected: {
      type: 'contract',
      parties: ['Ejendomsselskabet Søgaard ApS', 'Maria Winkel'],
      place: 'Aarhus',
      date: '2026-06-20',
      servicePeriod: { from: '2026-08-01', to: '2028-07-31' },
      amount: dkk(845000),
    },
  },
  {
    name: 'a contract of employment',
    language: 'en',
    text: `EMPLOYMENT AGREEMENT

This agreement is made on 4 May 2026 between Thornbury Dairies Ltd (the Employer) and Jacob Styles (the Employee).

1. The employment begins on 1 June 2026.
2. The salary is £2,350.00 a month.
3. Either party may give four weeks' notice.

Signed for the Employer          Signed by the Employee`,
    expected: {
      type: 'contract',
      parties: ['Thornbury Dairies Ltd', 'Jacob Styles'],
      date: '2026-05-04',
      amount: gbp(235000),
    },
  },
  {
    name: 'an agreement on the care of a dog',
    language: 'da',
    text: `Aftale om pasning

Denne aftale er indgået den 12. maj 2026 mellem Hundepension Bakken og Rikke Damsgaard.

Periode: 4. juli 2026 - 18. juli 2026
Pris i alt 2.800 kr., som betales kontant ved aflevering.

Begge parter underskriver aftalen.`,
    expected: {
      type: 'contract',
      parties: ['Hundepension Bakken', 'Rikke Damsgaard'],
      date: '2026-05-12',
      servicePeriod: { from: '2026-07-04', to: '2026-07-18' },
      amount: dkk(280000),
      paymentMethod: 'cash',
    },
  },
  {
    name: 'an encyclopedia article',
    language: 'en',
    heldOut: true,
    text: `The Limfjord

The Limfjord is a shallow sound in the north of Denmark. On 3 February 1825 the North Sea broke through at Agger. A canal worth 1.2 million rigsdaler was opened in 1861, and from 1875 ships paid a toll of 2 kroner.`,
    expected: { type: 'other' },
  },
  {
    name: 'a recipe with prices in it',
    language: 'da',
    text: `Grønlangkål

Skyl kålen, og kog den i 20 minutter. Til seks personer skal der bruges 2 kg kål, som koster omkring 40 kr. om vinteren. Retten er beskrevet allerede den 4. december 1768 i en dagbog.`,
    expected: { type: 'other' },
  },
];
