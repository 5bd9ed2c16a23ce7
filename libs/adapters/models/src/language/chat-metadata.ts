import {
  METADATA_REPLY_SCHEMA,
  type MetadataModel,
  metadataPrompt,
  metadataPromptName,
  MetadataReply,
} from '@postmaster/enrichment';
import { askInForm, type CallSettings } from './ask-in-form.js';
import type { ChatServer } from './chat-server.js';

const FORM = { name: 'document_metadata', schema: METADATA_REPLY_SCHEMA };

/** The metadata of documents from a chat model. */
export const chatMetadata = (server: ChatServer, settings: CallSettings = {}): MetadataModel => {
  const ask = askInForm(server, settings);
  return {
    id: server.id,
    promptVersion: metadataPromptName(),
    readMetadata: (document, signal) =>
      ask({ prompt: metadataPrompt(document), form: FORM, schema: MetadataReply }, signal),
  };
};
