import {
  METADATA_REPLY_SCHEMA,
  type MetadataModel,
  metadataPrompt,
  metadataPromptName,
  MetadataReply,
} from '@postmaster/enrichment';
import { askChain } from './ask-chain.js';
import type { CallSettings } from './ask-in-form.js';
import type { ChatPrompt } from './chat-server.js';
import type { ModelChain } from './model-chain.js';

const FORM = { name: 'document_metadata', schema: METADATA_REPLY_SCHEMA };

/** Of a window that holds less than all that is read, the document's beginning counts most. */
const promptsFor = ({ text, ...document }: Parameters<MetadataModel['readMetadata']>[0]): ChatPrompt[] =>
  [1, 1 / 2, 1 / 4].map((part) => metadataPrompt({ ...document, text: text.slice(0, Math.ceil(text.length * part)) }));

/** The metadata of documents from a chat model. */
export const chatMetadata = (chain: ModelChain, settings: CallSettings = {}): MetadataModel => {
  const ask = askChain(chain, settings);
  return {
    id: chain.servers[0].id,
    promptVersion: metadataPromptName(),
    readMetadata: (document, signal) =>
      ask({ prompt: promptsFor(document), form: FORM, schema: MetadataReply }, signal),
  };
};
