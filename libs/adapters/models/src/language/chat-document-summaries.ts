import {
  type DocumentSummaryModel,
  SUMMARY_PROMPT_VERSION,
  SUMMARY_REPLY_SCHEMA,
  summaryPrompt,
  SummaryReply,
} from '@postmaster/enrichment';
import { askInForm, type CallSettings } from './ask-in-form.js';
import type { ChatServer } from './chat-server.js';

const FORM = { name: 'document_summary', schema: SUMMARY_REPLY_SCHEMA };

/** The summaries of documents from a chat model; they wait behind what a person waits for. */
export const chatDocumentSummaries = (server: ChatServer, settings: CallSettings = {}): DocumentSummaryModel => {
  const ask = askInForm(server, settings);
  return {
    id: server.id,
    promptVersion: SUMMARY_PROMPT_VERSION,
    summarizeDocument: (input, signal) =>
      ask({ prompt: summaryPrompt(input), form: FORM, schema: SummaryReply, urgency: 'bulk' }, signal),
  };
};
