import { dkk, eur, type MetadataDocument } from './metadata-document.js';

export const DANISH_INVOICES: readonly MetadataDocument[] = [
  {
    name: "a craftsman's invoice",
    language: 'da',
    text: `Murermester Bo Kjær ApS
Industrivej 9, 7400 Herning
CVR-nr. 31 77 54 20

FAKTURA

Faktureret til:
Lone Vestergaard
Kirkegade 14
7430 Ikast

Fakturanr.: 2026-0311
Fakturadato: 18. marts 2026
Forfaldsdato: 1. april 2026

Omfugning af gavl, 34 timer à 425,00        14.450,00
Materialer                                   3.180,50
Subtotal                                    17.630,50
Moms 25 %                                    4.407,63
I alt at betale                        22.038,13 kr.

Beløbet bedes overført til reg. 7611 konto 1002345.`,
    expected: {
      type: 'invoice',
      vendor: 'Murermester Bo Kjær ApS',
      customer: 'Lone Vestergaard',
      place: 'Industrivej 9, 7400 Herning',
      invoiceNumber: '2026-0311',
      date: '2026-03-18',
      dueDate: '2026-04-01',
      amount: dkk(2203813),
      tax: dkk(440763),
      paymentMethod: 'transfer',
    },
  },
  {
    name: 'an electricity bill paid by direct debit',
    language: 'da',
    heldOut: true,
    text: `Vestkraft Energi A/S
Regning for el

Kundenummer 5520091
Kunde: Ole Brandt, Skolevej 3, 6700 Esbjerg
Regningsnummer 88120457
Regningsdato 05-01-2026
Betalingsfrist 20-01-2026
Periode 01-10-2025 til 31-12-2025

Forbrug 1.012 kWh                 1.214,40 kr.
Elafgift                            881,20 kr.
Heraf moms                          419,12 kr.
Til betaling                      2.095,60 kr.

Beløbet trækkes via Betalingsservice.`,
    expected: {
      type: 'invoice',
      vendor: 'Vestkraft Energi A/S',
      customer: 'Ole Brandt',
      invoiceNumber: '88120457',
      date: '2026-01-05',
      dueDate: '2026-01-20',
      servicePeriod: { from: '2025-10-01', to: '2025-12-31' },
      amount: dkk(209560),
      tax: dkk(41912),
      paymentMethod: 'direct-debit',
    },
  },
  {
    name: 'an invoice that comes as a mail',
    language: 'da',
    headers: {
      from: 'Bogholderi <faktura@hjemmehost.example>',
      to: 'Kontoret <post@klinikken.example>',
      cc: 'Mia Skov <mia@klinikken.example>',
      messageId: '<f-90412@hjemmehost.example>',
      thread: '<f-90412@hjemmehost.example>',
    },
    sentAt: '2026-02-02T07:30:00.000Z',
    text: `Hej

Hermed faktura nr. 90412 fra Hjemmehost A/S.

Webhotel Plus, 1. februar 2026 - 31. januar 2027
Beløb ekskl. moms: DKK 1.188,00
Moms: DKK 297,00
Total: DKK 1.485,00

Fakturaen forfalder til betaling den 16. februar 2026. Betal med MobilePay eller kort via linket.

Venlig hilsen
Hjemmehost A/S`,
    expected: {
      type: 'invoice',
      sender: 'Bogholderi <faktura@hjemmehost.example>',
      recipients: ['Kontoret <post@klinikken.example>'],
      cc: ['Mia Skov <mia@klinikken.example>'],
      thread: '<f-90412@hjemmehost.example>',
      vendor: 'Hjemmehost A/S',
      invoiceNumber: '90412',
      date: '2026-02-02',
      dueDate: '2026-02-16',
      servicePeriod: { from: '2026-02-01', to: '2027-01-31' },
      amount: dkk(148500),
      tax: dkk(29700),
    },
  },
  {
    name: 'a kindergarten bill, without VAT',
    language: 'da',
    heldOut: true,
    text: `Odense Kommune
Opkrævning - daginstitution

Til
Freja og Mads Winther
Lærkevej 8
5230 Odense M

Opkrævningsnr. 44-1207-881
Udskrevet 12.08.2026
Sidste rettidige betalingsdag 01.09.2026

Børnehaveplads, august 2026          2.137,00
Søskenderabat                         -534,25
At betale kr.                        1.602,75

Kortart 71. Kan betales i netbank.`,
    expected: {
      type: 'invoice',
      vendor: 'Odense Kommune',
      customer: 'Freja og Mads Winther',
      invoiceNumber: '44-1207-881',
      date: '2026-08-12',
      dueDate: '2026-09-01',
      servicePeriod: { from: '2026-08-01', to: '2026-08-31' },
      amount: dkk(160275),
    },
  },
  {
    name: 'a credit note',
    language: 'da',
    text: `KREDITNOTA

Kontorgrossisten A/S
Transportvej 21, 2650 Hvidovre
CVR 20 11 90 33

Kunde: Tegnestuen Bredgade
Kreditnota nr. K-5510
Dato: 09.04.2026
Vedr. faktura 118830

Returneret kontorstol         -2.400,00
Moms 25%                        -600,00
I alt DKK                     -3.000,00`,
    expected: {
      type: 'invoice',
      vendor: 'Kontorgrossisten A/S',
      customer: 'Tegnestuen Bredgade',
      place: 'Transportvej 21, 2650 Hvidovre',
      invoiceNumber: 'K-5510',
      date: '2026-04-09',
      amount: dkk(-300000),
      tax: dkk(-60000),
    },
  },
  {
    name: 'a reminder of an unpaid invoice',
    language: 'da',
    text: `Rykker 1

Tandlægerne Søtorvet
Søtorvet 5, 8600 Silkeborg

Til Henrik Bach

Ifølge vores bogholderi har vi ikke modtaget betaling for faktura nr. 20817, dateret 03-05-2026, på 1.325,00 kr.

Rykkergebyr                100,00 kr.
Skyldigt beløb i alt     1.425,00 kr.

Vi beder dig betale senest den 30-06-2026.`,
    expected: {
      type: 'invoice',
      vendor: 'Tandlægerne Søtorvet',
      customer: 'Henrik Bach',
      place: 'Søtorvet 5, 8600 Silkeborg',
      invoiceNumber: '20817',
      date: '2026-05-03',
      dueDate: '2026-06-30',
      amount: dkk(142500),
    },
  },
  {
    name: 'an invoice in euro with Danish numbers',
    language: 'da',
    heldOut: true,
    text: `Sejlmagerværkstedet Kobæk
Kobækvej 88, 4230 Skælskør

Faktura nr. 554
Kunde: Segelclub Kappeln e.V.
Dato: 21/5 2026
Betalingsbetingelser: netto 8 dage
Forfald: 29/5 2026

1 stk. storsejl                  EUR 1.950,00
Moms 0 % (EU-salg)
Total                            EUR 1.950,00
IBAN DK50 0040 0440 1162 43`,
    expected: {
      type: 'invoice',
      vendor: 'Sejlmagerværkstedet Kobæk',
      customer: 'Segelclub Kappeln e.V.',
      place: 'Kobækvej 88, 4230 Skælskør',
      invoiceNumber: '554',
      date: '2026-05-21',
      dueDate: '2026-05-29',
      amount: eur(195000),
      paymentMethod: 'transfer',
    },
  },
];
