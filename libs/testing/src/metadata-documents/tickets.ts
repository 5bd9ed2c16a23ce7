import { dkk, eur, gbp, type MetadataDocument, usd } from './metadata-document.js';

export const TICKETS: readonly MetadataDocument[] = [
  {
    name: 'a concert ticket',
    language: 'en',
    text: `E-TICKET

The Saltmarsh Quartet
Venue: Corn Exchange, Ely
Date: Saturday 19 September 2026, doors 7.00 pm
Seat: Stalls C14
Name: Miriam Cole
Price: £28.50 (incl. booking fee)
Order 99120-A`,
    expected: {
      type: 'ticket',
      event: 'The Saltmarsh Quartet',
      place: 'Corn Exchange, Ely',
      date: '2026-09-19',
      seat: 'Stalls C14',
      attendees: ['Miriam Cole'],
      amount: gbp(2850),
    },
  },
  {
    name: 'a train ticket',
    language: 'da',
    text: `BILLET - Standard
Togselskabet Nord

Fra: Aarhus H
Til: København H
Afgang: 23.06.2026 kl. 08:17
Vogn 31, plads 84 (vindue)
Rejsende: Astrid Bay
Pris: 399,00 DKK
Billetnr. 7781 2290`,
    expected: {
      type: 'ticket',
      vendor: 'Togselskabet Nord',
      place: 'Aarhus H',
      date: '2026-06-23',
      seat: 'Vogn 31, plads 84 (vindue)',
      attendees: ['Astrid Bay'],
      amount: dkk(39900),
    },
  },
  {
    name: 'a cinema ticket',
    language: 'da',
    heldOut: true,
    text: `Øst for Paradis Bio
Paradisgade 7, 8000 Aarhus C

BILLET
Film: Vinterbadet
Lørdag 17. januar 2026 kl. 21.15
Sal 4   Række 9   Sæde 3-4
2 x voksen   230,00 kr.`,
    expected: {
      type: 'ticket',
      vendor: 'Øst for Paradis Bio',
      event: 'Vinterbadet',
      place: 'Paradisgade 7, 8000 Aarhus C',
      date: '2026-01-17',
      seat: 'Sal 4 Række 9 Sæde 3-4',
      amount: dkk(23000),
    },
  },
  {
    name: 'a conference ticket for two',
    language: 'en',
    text: `Admission ticket

Event: Northern Retrieval Days 2026
Where: Katuaq, Nuuk
When: 3 November 2026 - 5 November 2026
Attendees: Lena Vik, Samir Haddad
Ticket type: Full pass
Total: €640.00`,
    expected: {
      type: 'ticket',
      event: 'Northern Retrieval Days 2026',
      place: 'Katuaq, Nuuk',
      date: '2026-11-03',
      attendees: ['Lena Vik', 'Samir Haddad'],
      amount: eur(64000),
    },
  },
  {
    name: 'a boarding pass',
    language: 'en',
    heldOut: true,
    text: `BOARDING PASS
Skerry Air

Passenger: HANSEN/KIM MR
Flight: SK 1412   From: BLL Billund   To: ABZ Aberdeen
Date: 02 MAY 2026   Boarding 06:35
Gate B7   Seat 14F`,
    expected: {
      type: 'ticket',
      vendor: 'Skerry Air',
      place: 'BLL Billund',
      date: '2026-05-02',
      seat: '14F',
      attendees: ['HANSEN/KIM MR'],
    },
  },
  {
    name: 'a season ticket of a museum',
    language: 'da',
    heldOut: true,
    text: `Årskort / adgangsbillet
Museet ved Søen
Gælder fra 01.02.2026 til 31.01.2027
Navn: Bente Kruse
Pris 295 kr.`,
    expected: {
      type: 'ticket',
      vendor: 'Museet ved Søen',
      servicePeriod: { from: '2026-02-01', to: '2027-01-31' },
      attendees: ['Bente Kruse'],
      amount: dkk(29500),
    },
  },
  {
    name: 'a football ticket',
    language: 'da',
    text: `Adgangsbillet

Kamp: FC Limfjorden - Boldklubben Marsk
Stadion: Limfjord Arena, Thisted
Søndag d. 26. april 2026 kl. 14:00
Afsnit B2 · Række 12 · Plads 105
Billettype: Barn
Pris kr. 90,-`,
    expected: {
      type: 'ticket',
      event: 'FC Limfjorden - Boldklubben Marsk',
      place: 'Limfjord Arena, Thisted',
      date: '2026-04-26',
      seat: 'Afsnit B2 · Række 12 · Plads 105',
      amount: dkk(9000),
    },
  },
  {
    name: 'a theatre ticket without labels',
    language: 'en',
    text: `THEATRE ROYAL, MARGATE
presents
A WINTER VOYAGE
Friday, December 11, 2026 at 7:30 PM
Dress Circle, Row D, Seat 22
1 Adult  GBP 35.00
This ticket admits one. No refunds.`,
    expected: {
      type: 'ticket',
      vendor: 'THEATRE ROYAL, MARGATE',
      event: 'A WINTER VOYAGE',
      date: '2026-12-11',
      seat: 'Dress Circle, Row D, Seat 22',
      amount: gbp(3500),
    },
  },
  {
    name: 'a ferry ticket with a car',
    language: 'da',
    heldOut: true,
    text: `Færgebillet
Sydhavsfærgen A/S

Afgang: Fynshav 10. juli 2026 kl. 11.00
Ankomst: Bøjden kl. 11.50
Passagerer: 2 voksne, 1 barn
Køretøj: personbil under 6 m
Navn: Kasper Lind
I alt: 312,00 kr. heraf moms 0,00`,
    expected: {
      type: 'ticket',
      vendor: 'Sydhavsfærgen A/S',
      place: 'Fynshav',
      date: '2026-07-10',
      attendees: ['Kasper Lind'],
      amount: dkk(31200),
      tax: dkk(0),
    },
  },
  {
    name: 'a coach ticket from the United States',
    language: 'en',
    text: `Bus Ticket - Ridgeline Coaches
Passenger: Dana Whitcomb
Depart: Asheville, NC  October 8, 2026 9:05 AM
Arrive: Knoxville, TN
Seat 3A
Fare $31.00
Confirmation RC77Q2`,
    expected: {
      type: 'ticket',
      vendor: 'Ridgeline Coaches',
      place: 'Asheville, NC',
      date: '2026-10-08',
      seat: '3A',
      attendees: ['Dana Whitcomb'],
      amount: usd(3100),
    },
  },
];
