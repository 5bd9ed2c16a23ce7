import { CodedError, type Facets } from '@postmaster/contracts';
import type { EntityModel } from '../entities/entity-model.js';
import type { FacetModel, TokenUsage } from '../facet-model.js';
import { gateGround } from '../gate/gate-ground.js';
import { judgeFacets } from '../gate/judge-facets.js';
import type { JudgePorts } from '../judge-reply.js';
import type { MetadataModel } from '../metadata/metadata-model.js';
import type { TaskPrompt } from '../prompt/compose-prompt.js';
import type { PromptLanguage, PromptTask } from '../prompt/prompt-tasks.js';
import { questionCounts } from '../prompt/question-counts.js';

/** Invented, short, and with facts enough for a question of each kind. */
const SAMPLES: Record<PromptLanguage, { title: string; text: string }> = {
  en: {
    title: 'Opening hours',
    text: 'The library in Aarhus opens at eight on weekdays and at ten on Saturdays, because fewer people work there at the weekend. It is closed on Sundays.',
  },
  da: {
    title: 'Åbningstider',
    text: 'Biblioteket i Aarhus åbner klokken otte på hverdage og klokken ti om lørdagen, fordi der er færre på arbejde i weekenden. Det holder lukket om søndagen.',
  },
};

export interface TryPorts {
  languageOf: JudgePorts['languageOf'];
  facets: FacetModel;
  /** Absent: rules read metadata, and no prompt of it is tried. */
  metadata?: MetadataModel;
  /** Absent: rules alone find entities, and no prompt of them is tried. */
  entities?: EntityModel;
}

export interface Tried {
  model: string;
  usage: TokenUsage;
  /** Of the sample, as far as they stand the checks; null for what makes none. */
  facets: Facets | null;
}

const WITHIN_MS = 20_000;

/**
 * Has the model answer once with a prompt, about a sample in its language; undefined where no model is configured.
 * Throws PROMPT_REFUSED where it answers in another form, or nothing of the answer stands the checks of facets; TIMED_OUT;
 * MODEL_UNREACHABLE and MODEL_REFUSED, which say nothing of the prompt.
 */
export const tryPrompt = async (
  { languageOf, facets, metadata, entities }: TryPorts,
  task: PromptTask,
  language: PromptLanguage,
  prompt: TaskPrompt,
): Promise<Tried | undefined> => {
  const sample = { ...SAMPLES[language], language, prompt };
  if (task === 'metadata') {
    if (!metadata) return undefined;
    const { usage } = await answering(metadata.id, (signal) => metadata.readMetadata(sample, signal));
    return { model: metadata.id, usage, facets: null };
  }
  if (task === 'entities') {
    if (!entities) return undefined;
    const asked = { ...sample, texts: [sample.text] };
    const { usage } = await answering(entities.id, (signal) => entities.readEntities(asked, signal));
    return { model: entities.id, usage, facets: null };
  }
  if (facets.id === 'extractive') return undefined;
  const input = { ...sample, trail: [], before: '', after: '' };
  const reply = await answering(facets.id, (signal) => facets.makeFacets(input, signal, 'interactive'));
  const verdict = judgeFacets(gateGround(input, [], languageOf), reply.facets, questionCounts(input.text));
  const { simpleQuestions, complexQuestions } = verdict.facets;
  if (simpleQuestions.length + complexQuestions.length === 0)
    throw refused(
      `With it, ${facets.id} wrote no question of a sample that stands the checks: ${verdict.rejected
        .map(({ reason, text }) => `${reason} "${text}"`)
        .slice(0, 3)
        .join(', ')}.`,
    );
  return { model: facets.id, usage: reply.usage, facets: verdict.facets };
};

const answering = async <T>(model: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const limit = new AbortController();
  const late = new CodedError('TIMED_OUT', `${model} did not answer about a sample within ${WITHIN_MS / 1000} s.`);
  const timer = setTimeout(() => limit.abort(late), WITHIN_MS);
  try {
    return await ask(limit.signal);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'MODEL_MALFORMED')
      throw refused(`With it, ${model} answers in another form than is asked for: ${error.message}`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

const refused = (message: string): CodedError => new CodedError('PROMPT_REFUSED', message, { field: 'instructions' });
