import { eur, gbp, type MetadataDocument, usd } from './metadata-document.js';

export const ENGLISH_INVOICES: readonly MetadataDocument[] = [
  {
    name: 'an invoice for consulting, in euro',
    language: 'en',
    text: `INVOICE

From: Northlight Consulting Ltd
      22 Wharf Lane, Bristol BS1 6UX
Bill to: Aarhus Marine Institute
         Havnegade 7, 8000 Aarhus C

Invoice number  NL-1048
Invoice date    30 June 2026
Due date        30 July 2026
Service period  1 June 2026 – 30 June 2026

Advisory work, 42 hours at EUR 110.00      EUR 4,620.00
VAT (reverse charge)                       EUR 0.00
Total due                                  EUR 4,620.00

Please pay by bank transfer, quoting the invoice number.`,
    expected: {
      type: 'invoice',
      vendor: 'Northlight Consulting Ltd',
      customer: 'Aarhus Marine Institute',
      place: '22 Wharf Lane, Bristol BS1 6UX',
      invoiceNumber: 'NL-1048',
      date: '2026-06-30',
      dueDate: '2026-07-30',
      servicePeriod: { from: '2026-06-01', to: '2026-06-30' },
      amount: eur(462000),
      tax: eur(0),
      paymentMethod: 'transfer',
    },
  },
  {
    name: 'an American invoice with month first',
    language: 'en',
    text: `Prairie Print & Sign LLC
1400 Main St, Lincoln, NE 68508

Invoice # 7731
Date: 11/05/2026
Due: 12/05/2026
Bill To: Cedar Valley School District

Qty  Description                Amount
200  Yard signs               $1,180.00
  1  Setup                       $45.00
Subtotal                      $1,225.00
Sales tax (7.25%)                $88.81
Amount due                    $1,313.81

Thank you for your business!`,
    expected: {
      type: 'invoice',
      vendor: 'Prairie Print & Sign LLC',
      customer: 'Cedar Valley School District',
      place: '1400 Main St, Lincoln, NE 68508',
      invoiceNumber: '7731',
      date: '2026-11-05',
      dueDate: '2026-12-05',
      amount: usd(131381),
      tax: usd(8881),
    },
  },
  {
    name: 'a freelance invoice with terms in days',
    language: 'en',
    text: `Invoice 2026/17
Anna Forsberg, illustrator
Rosenlundsgatan 4, Gothenburg

To: Little Fox Press
Date: 2 September 2026
Payment terms: 14 days, due 16 September 2026

Cover illustration "The Tide Clock"        £850.00
Two revisions                              £120.00
Total                                      £970.00

VAT not applicable.`,
    expected: {
      type: 'invoice',
      vendor: 'Anna Forsberg',
      customer: 'Little Fox Press',
      place: 'Rosenlundsgatan 4, Gothenburg',
      invoiceNumber: '2026/17',
      date: '2026-09-02',
      dueDate: '2026-09-16',
      amount: gbp(97000),
    },
  },
  {
    name: 'a phone bill whose total comes first',
    language: 'en',
    heldOut: true,
    text: `Larkspur Mobile
Your bill for October 2026

Amount to pay      £27.40
Pay by             14 November 2026
Bill number        LM-330918274
Bill date          31 October 2026
Account holder     Ms Carol Ng

Plan "Roam 20"      £20.00
Calls outside plan   £2.83
VAT at 20%           £4.57

You pay by Direct Debit.`,
    expected: {
      type: 'invoice',
      vendor: 'Larkspur Mobile',
      customer: 'Carol Ng',
      invoiceNumber: 'LM-330918274',
      date: '2026-10-31',
      dueDate: '2026-11-14',
      servicePeriod: { from: '2026-10-01', to: '2026-10-31' },
      amount: gbp(2740),
      tax: gbp(457),
      paymentMethod: 'direct-debit',
    },
  },
  {
    name: 'an invoice with columns run together',
    language: 'en',
    text: `Blue Heron Software Inc.    Invoice No: BH-2026-0077    Issue date: 2026-04-15
500 Lake Ave, Duluth MN      Customer: Fjordline Logistics A/S    Due date: 2026-05-15
Licence Heron Desk, 12 seats, 2026-04-15 to 2027-04-14    USD 2,880.00
Tax    USD 0.00
Grand total    USD 2,880.00
Credit card payments are accepted online.`,
    expected: {
      type: 'invoice',
      vendor: 'Blue Heron Software Inc.',
      customer: 'Fjordline Logistics A/S',
      place: '500 Lake Ave, Duluth MN',
      invoiceNumber: 'BH-2026-0077',
      date: '2026-04-15',
      dueDate: '2026-05-15',
      servicePeriod: { from: '2026-04-15', to: '2027-04-14' },
      amount: usd(288000),
      tax: usd(0),
    },
  },
];
