import { dkk, gbp, type MetadataDocument } from './metadata-document.js';

export const MAILED_RECEIPTS: readonly MetadataDocument[] = [
  {
    name: 'an order confirmation by mail',
    language: 'en',
    heldOut: true,
    headers: {
      from: 'Fern & Fable Books <orders@fernandfable.example>',
      to: 'Jonas Holm <jonas@holm.example>',
      messageId: '<o-77102@fernandfable.example>',
      thread: '<o-77102@fernandfable.example>',
    },
    sentAt: '2026-05-11T08:03:00.000Z',
    text: `Hi Jonas,

Thanks for your purchase! This is your receipt for order 77102, placed on 11 May 2026.

The Peat Cutters (hardback)   £18.99
Postage and packing            £3.20
Total paid                    £22.19
Paid with PayPal

Fern & Fable Books, 4 Castle Street, Ludlow SY8 1AS`,
    expected: {
      type: 'receipt',
      sender: 'Fern & Fable Books <orders@fernandfable.example>',
      recipients: ['Jonas Holm <jonas@holm.example>'],
      thread: '<o-77102@fernandfable.example>',
      vendor: 'Fern & Fable Books',
      customer: 'Jonas',
      place: '4 Castle Street, Ludlow SY8 1AS',
      date: '2026-05-11',
      amount: gbp(2219),
      paymentMethod: 'online',
    },
  },
  {
    name: 'a mailed receipt for a subscription',
    language: 'da',
    headers: {
      from: 'Lydhylden <kvittering@lydhylden.example>',
      to: 'anna.krogh@post.example',
      messageId: '<sub-2026-10@lydhylden.example>',
      thread: '<sub-2026-10@lydhylden.example>',
    },
    sentAt: '2026-10-01T05:00:00.000Z',
    text: `Kvittering

Hej Anna
Vi har trukket betalingen for dit abonnement hos Lydhylden.

Betalingsdato: 1. oktober 2026
Periode: 01.10.2026 - 31.10.2026
Beløb: 79,00 kr. (heraf moms 15,80 kr.)
Betalt med: VISA/Dankort **** 2207
Ordrenummer: LH-5523018`,
    expected: {
      type: 'receipt',
      sender: 'Lydhylden <kvittering@lydhylden.example>',
      recipients: ['anna.krogh@post.example'],
      thread: '<sub-2026-10@lydhylden.example>',
      vendor: 'Lydhylden',
      customer: 'Anna',
      date: '2026-10-01',
      servicePeriod: { from: '2026-10-01', to: '2026-10-31' },
      amount: dkk(7900),
      tax: dkk(1580),
      paymentMethod: 'card',
    },
  },
];
