import { CATEGORIES, DOCUMENT_TYPES, FIELDS_OF, PAYMENT_METHODS } from '@postmaster/contracts';
import { composePrompt, type OwnPrompt, promptName, type TaskPrompt } from '../prompt/compose-prompt.js';
import type { ChatPrompt } from '../prompt/facet-prompt.js';
import type { MetadataAsked } from './metadata-model.js';

/** What metadata are known to be read with where no language is at hand. */
export const metadataPromptName = (): string => promptName('metadata');

const VALUES = {
  types: DOCUMENT_TYPES.join(', '),
  fields: DOCUMENT_TYPES.map((type) => `- ${type}: ${FIELDS_OF[type].join(', ')}`).join('\n'),
  payment_methods: PAYMENT_METHODS.join(', '),
  categories: CATEGORIES.join(', '),
};

/** The instructions for documents of a language. */
export const metadataInstructions = (language: string | null, own?: OwnPrompt): TaskPrompt =>
  composePrompt('metadata', { language, own, values: VALUES });

/**
 * What a model is asked for the metadata of one document. It gives quotes and no values of its own: what it quotes is
 * looked for in the text. The text travels as one JSON object, so that none of it passes for an instruction.
 */
export const metadataPrompt = ({ title, text, language, prompt }: MetadataAsked): ChatPrompt => ({
  system: (prompt ?? metadataInstructions(language)).system,
  user: JSON.stringify({ title, language, text }),
});
