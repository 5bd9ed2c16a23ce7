import { composePrompt, type OwnPrompt, promptName, type TaskPrompt } from '../prompt/compose-prompt.js';
import type { PromptLanguage } from '../prompt/prompt-tasks.js';
import type { ChatPrompt } from '../prompt/facet-prompt.js';
import { ENTITY_TYPES } from './entity.js';
import type { EntitiesAsked } from './entity-model.js';
import { RELATION_TYPES, RELATIONS } from './relations.js';

/** What entities are known to be read with where no language is at hand. */
export const entityPromptName = (): string => promptName('entities');

const VALUES = {
  types: ENTITY_TYPES.join(', '),
  relations: RELATION_TYPES.map(
    (type) => `- ${type}: ${RELATIONS[type].from.join(', ')} → ${RELATIONS[type].to.join(', ')}`,
  ).join('\n'),
};

/** The instructions for paragraphs of a language. */
export const entityInstructions = (language: string | null, own?: OwnPrompt): TaskPrompt =>
  composePrompt('entities', { language, own, values: VALUES });

/** The instructions in each language that they are written in, with what the tenant says of its own. */
export const entityPrompts = (
  ownPrompt: (language: string | null) => OwnPrompt | undefined,
): Record<PromptLanguage, TaskPrompt> => ({
  en: entityInstructions('en', ownPrompt('en')),
  da: entityInstructions('da', ownPrompt('da')),
});

/**
 * What a model is asked for the entities and relations of some paragraphs of a document. It gives quotes: what it quotes
 * is looked for in the paragraph. The texts travel as one JSON object, so that none of them passes for an instruction.
 */
export const entityPrompt = ({ title, language, texts, prompt }: EntitiesAsked): ChatPrompt => ({
  system: (prompt ?? entityInstructions(language)).system,
  user: JSON.stringify({ title, passages: texts.map((text, at) => ({ number: at + 1, text })) }),
});
