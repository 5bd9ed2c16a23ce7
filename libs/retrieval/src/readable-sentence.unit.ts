import { describe, expect, it } from 'vitest';
import { isCode } from './readable-sentence.js';

describe('isCode', () => {
  it.each([
    'npx postmaster ingest docs # files, folders; npx postmaster search "lease" --why',
    'curl -H "authorization: Bearer $KEY" -F file=@docs/flow.md http://127.0.0.1:4000/api/v1/documents',
    'export const done = (): Outcome => ({ kind: "done" });',
  ])('knows %s', (text) => expect(isCode(text)).toBe(true));

  it.each([
    'The bytes stream into the blob store while they are hashed.',
    'Prisen er 1.250,00 kr. (inkl. moms), og fakturaen har nr. INV-2024-0012.',
    'It costs $5 at most.',
  ])('takes %s for prose', (text) => expect(isCode(text)).toBe(false));
});
