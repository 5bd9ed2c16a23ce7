import {
  ENTITY_REPLY_SCHEMA,
  type EntityModel,
  entityPrompt,
  entityPromptName,
  EntityReply,
} from '@postmaster/enrichment';
import { askChain } from './ask-chain.js';
import type { CallSettings } from './ask-in-form.js';
import type { ModelChain } from './model-chain.js';

const FORM = { name: 'entities', schema: ENTITY_REPLY_SCHEMA };

/** What paragraphs name, from the chat models of a chain; they wait behind what a person waits for. */
export const chatEntities = (chain: ModelChain, settings: CallSettings = {}): EntityModel => {
  const ask = askChain(chain, settings);
  return {
    id: chain.servers[0].id,
    promptVersion: entityPromptName(),
    readEntities: (asked, signal) =>
      ask({ prompt: entityPrompt(asked), form: FORM, schema: EntityReply, urgency: 'bulk' }, signal),
  };
};
