import { documentTexts, type Requests, type TenantId } from '@postmaster/contracts';
import { PART, summaryParts } from './summary-parts.js';

/** A document as it is summed up. */
export interface WholeText {
  version: number;
  title: string;
  /** ISO 639-1. */
  language: string | null;
  /** Of the whole text, in code points. */
  length: number;
  /** As `summaryParts` cuts it. */
  parts: string[];
}

/** Reads the parts of documents from ingestion, of one version; a document that gets another meanwhile is left for its own job. */
export const readWhole =
  (requests: Requests, tokenOf: (tenant: TenantId) => Promise<string>) =>
  async (tenant: TenantId, document: string): Promise<WholeText | undefined> => {
    const page = async (from: number, most: number) => {
      const asked = { documents: [document], from, most };
      return (await requests.ask(documentTexts, await tokenOf(tenant), asked)).documents[0];
    };
    const first = await page(0, PART);
    if (!first || first.text.trim() === '') return undefined;
    const { version, title, language, length = [...first.text].length } = first;
    const { starts, size } = summaryParts(length);
    if (starts.length === 1) return { version, title, language, length, parts: [first.text] };
    const parts: string[] = [];
    for (const start of starts) {
      const part = await page(start, size);
      if (part?.version !== version) return undefined;
      parts.push(part.text);
    }
    return { version, title, language, length, parts };
  };
