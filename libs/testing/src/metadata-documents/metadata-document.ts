import type { DocumentMetadata } from '@postmaster/contracts';

/** A document with what a person reads in it. Written before the rules that are measured on it. */
export interface MetadataDocument {
  name: string;
  language: 'da' | 'en';
  /** Of a mail, as the parser gives them. */
  headers?: Readonly<Record<string, string>>;
  /** A mail's date, which is a header too. */
  sentAt?: string;
  text: string;
  expected: DocumentMetadata;
  /** Scored, and not looked at while rules are written. */
  heldOut?: true;
}

export const dkk = (minor: number) => ({ minor, currency: 'DKK' });
export const eur = (minor: number) => ({ minor, currency: 'EUR' });
export const gbp = (minor: number) => ({ minor, currency: 'GBP' });
export const usd = (minor: number) => ({ minor, currency: 'USD' });
export const sek = (minor: number) => ({ minor, currency: 'SEK' });
