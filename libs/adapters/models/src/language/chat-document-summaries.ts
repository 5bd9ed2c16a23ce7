import {
  type DocumentSummaryModel,
  SUMMARY_PROMPT_VERSION,
  SUMMARY_REPLY_SCHEMA,
  summaryPrompt,
  SummaryReply,
} from '@postmaster/enrichment';
import { askChain } from './ask-chain.js';
import type { CallSettings } from './ask-in-form.js';
import type { ModelChain } from './model-chain.js';

const FORM = { name: 'document_summary', schema: SUMMARY_REPLY_SCHEMA };

/** The summaries of documents from the chat models of a chain; they wait behind what a person waits for. */
export const chatDocumentSummaries = (chain: ModelChain, settings: CallSettings = {}): DocumentSummaryModel => {
  const ask = askChain(chain, settings);
  return {
    id: chain.servers[0].id,
    promptVersion: SUMMARY_PROMPT_VERSION,
    summarizeDocument: (input, signal) =>
      ask({ prompt: summaryPrompt(input), form: FORM, schema: SummaryReply, urgency: 'bulk' }, signal),
  };
};
