import { dkk, eur, gbp, type MetadataDocument, sek, usd } from './metadata-document.js';

export const RECEIPTS: readonly MetadataDocument[] = [
  {
    name: 'a pharmacy receipt',
    language: 'da',
    text: `Svane Apotek
Nørregade 41, 8000 Aarhus C
CVR 29 84 11 07   Tlf. 86 12 44 90

Bon nr. 004518          14-10-2026 16:22
Panodil 500 mg 20 stk.             42,95
Zendium tandpasta                  34,50
Næsespray 10 ml                    61,00

Total DKK                         138,45
Heraf moms 25%                     27,69
Dankort                           138,45
Tak for besøget`,
    expected: {
      type: 'receipt',
      vendor: 'Svane Apotek',
      place: 'Nørregade 41, 8000 Aarhus C',
      date: '2026-10-14',
      amount: dkk(13845),
      tax: dkk(2769),
      paymentMethod: 'card',
    },
  },
  {
    name: 'a supermarket receipt, printed in capitals',
    language: 'da',
    text: `BRUGSEN VESTERBRO
ENGHAVEVEJ 12
1674 KØBENHAVN V
CVR-NR. 38 01 22 45

SKUMMETMÆLK 1L              11,95
RUGBRØD SOLSIKKE            24,00
BANANER
  6 x 2,50                  15,00
RABAT MEDLEM                -3,00
PANT                         1,50

AT BETALE                   49,45
MOBILEPAY                   49,45
MOMS UDGØR                   9,59

KASSE 3  BON 88123  EKSP. 14
03.09.26 17:48`,
    expected: {
      type: 'receipt',
      vendor: 'BRUGSEN VESTERBRO',
      place: 'ENGHAVEVEJ 12, 1674 KØBENHAVN V',
      date: '2026-09-03',
      amount: dkk(4945),
      tax: dkk(959),
      paymentMethod: 'mobile',
    },
  },
  {
    name: 'a receipt for coffee, paid in cash',
    language: 'en',
    heldOut: true,
    text: `The Copper Kettle
18 Mill Road, Cambridge CB1 2AD
VAT Reg No GB 284 9913 02

Table 6                 21 Mar 2026 10:41
2 Flat white                        7.20
1 Cinnamon bun                      3.40
1 Toasted teacake                   2.95

Subtotal                           13.55
Total GBP                          13.55
VAT included @ 20%                  2.26
CASH                               20.00
Change                              6.45
Thank you, please come again`,
    expected: {
      type: 'receipt',
      vendor: 'The Copper Kettle',
      place: '18 Mill Road, Cambridge CB1 2AD',
      date: '2026-03-21',
      amount: gbp(1355),
      tax: gbp(226),
      paymentMethod: 'cash',
    },
  },
  {
    name: 'a taxi receipt with a tip',
    language: 'en',
    text: `RECEIPT
Harbour Cabs Inc.
Boston, MA
Trip 5591-22
Date: 07/04/2026   Start 22:14   End 22:37
Distance 6.1 mi

Fare                 $24.50
Airport fee           $3.25
Tip                   $5.00
Total                $32.75
Visa ending in 4417`,
    expected: {
      type: 'receipt',
      vendor: 'Harbour Cabs Inc.',
      place: 'Boston, MA',
      amount: usd(3275),
      paymentMethod: 'card',
      date: '2026-07-04',
    },
  },
  {
    name: 'a receipt as running text, of a gift to a charity',
    language: 'da',
    text: `Kvittering for gave

Kære Mette Lund

Tak for din gave til Foreningen Havets Venner. Vi har den 2. december 2025 modtaget 750 kr. via MobilePay. Gaven er indberettet til SKAT og giver fradrag efter ligningslovens § 8 A.

Med venlig hilsen
Foreningen Havets Venner
Strandvejen 3, 9990 Skagen`,
    expected: {
      type: 'receipt',
      vendor: 'Foreningen Havets Venner',
      customer: 'Mette Lund',
      place: 'Strandvejen 3, 9990 Skagen',
      date: '2025-12-02',
      amount: dkk(75000),
      paymentMethod: 'mobile',
    },
  },
  {
    name: 'a parking receipt without a total line',
    language: 'da',
    text: `P-BILLET
KVITTERING
Parkering Øst A/S
Zone 4410 Havnen, Svendborg
Start: 12.07.2026 11:05
Slut:  12.07.2026 14:05
Pris 54,00 DKK
Kort: Mastercard`,
    expected: {
      type: 'receipt',
      vendor: 'Parkering Øst A/S',
      place: 'Havnen, Svendborg',
      date: '2026-07-12',
      amount: dkk(5400),
      paymentMethod: 'card',
    },
  },
  {
    name: 'a receipt from Sweden in euro and kronor',
    language: 'en',
    heldOut: true,
    text: `Receipt no. 20931
Hotell Fyren AB
Strandgatan 8, 621 55 Visby, Sweden
Org.nr 556712-9981

Guest: Peter Dahl
Arrival 2026-08-02, departure 2026-08-05
3 nights, double room            SEK 4,350.00
Breakfast                        SEK   540.00
VAT 12 %                         SEK   523.93
Total                            SEK 4,890.00
(approx. EUR 428.10)
Paid by bank transfer 2026-08-05`,
    expected: {
      type: 'receipt',
      vendor: 'Hotell Fyren AB',
      customer: 'Peter Dahl',
      place: 'Strandgatan 8, 621 55 Visby, Sweden',
      date: '2026-08-05',
      servicePeriod: { from: '2026-08-02', to: '2026-08-05' },
      amount: sek(489000),
      tax: sek(52393),
      paymentMethod: 'transfer',
    },
  },
  {
    name: 'a return slip, where money goes back',
    language: 'da',
    text: `Bon - returvare
Sko & Støvler ApS
Algade 55, 4000 Roskilde
22/11-2025 kl. 12.40

1 par vinterstøvler str. 42      -899,00
I alt                            -899,00
Moms                             -179,80
Refunderet til Dankort
Gem bonen i 30 dage`,
    expected: {
      type: 'receipt',
      vendor: 'Sko & Støvler ApS',
      place: 'Algade 55, 4000 Roskilde',
      date: '2025-11-22',
      amount: dkk(-89900),
      tax: dkk(-17980),
      paymentMethod: 'card',
    },
  },
  {
    name: 'an app store receipt in euro, with a comma',
    language: 'en',
    text: `Your receipt from Pixelgarden GmbH

Invoice date        February 3, 2026
Order ID            PG-88-1204
Billed to           Lise Thorsen

Pixelgarden Pro (yearly)       €49,99
Includes VAT of                 €7,98

TOTAL                          €49,99
Payment method: Mastercard **** 0081`,
    expected: {
      type: 'receipt',
      vendor: 'Pixelgarden GmbH',
      customer: 'Lise Thorsen',
      date: '2026-02-03',
      amount: eur(4999),
      tax: eur(798),
      paymentMethod: 'card',
    },
  },
  {
    name: 'a receipt of a hairdresser, badly scanned',
    language: 'da',
    heldOut: true,
    text: `Klip  &  Krølle v/ Sanne Juul
Torvet 2 , 5700 Svendborg

dato 09 / 06 / 2026     kl 15:30

Dameklip                   425 , 00
Hårkur                     149,00
                        - - - - - -
Ialt  kr.                  574,00
heraf moms                 114,80
Betalt kontant`,
    expected: {
      type: 'receipt',
      vendor: 'Klip & Krølle v/ Sanne Juul',
      place: 'Torvet 2, 5700 Svendborg',
      date: '2026-06-09',
      amount: dkk(57400),
      tax: dkk(11480),
      paymentMethod: 'cash',
    },
  },
  {
    name: 'a fuel receipt with litres and a price per litre',
    language: 'da',
    text: `Q-Tank Horsens
Vejlevej 110, 8700 Horsens
Kvittering 112233
2026-01-30 07:12  Stander 5

Blyfri 95 E10
38,42 L  à 13,79 kr/L
Beløb          529,81 kr.
Moms 25 %      105,96 kr.
Visa Debit  XXXX 9913
GODKENDT`,
    expected: {
      type: 'receipt',
      vendor: 'Q-Tank Horsens',
      place: 'Vejlevej 110, 8700 Horsens',
      date: '2026-01-30',
      amount: dkk(52981),
      tax: dkk(10596),
      paymentMethod: 'card',
    },
  },
];
