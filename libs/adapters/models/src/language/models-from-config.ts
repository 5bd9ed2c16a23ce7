import { CodedError, type Failure, failureOf, type ModelChoice } from '@postmaster/contracts';
import {
  type DocumentSummaryModel,
  type EntityModel,
  extractiveFacets,
  type FacetInput,
  type FacetModel,
  type MetadataModel,
} from '@postmaster/enrichment';
import type { AnswerModel, GradeModel, PlanModel, Reranker, SummaryModel } from '@postmaster/retrieval';
import { chatJudge } from '../rerankers/judge/chat-judge.js';
import { anthropicChat } from './anthropic-chat.js';
import { NEVER_AGAIN } from './ask-again.js';
import type { CallSettings } from './ask-in-form.js';
import { chatAnswers } from './chat-answers.js';
import { chatDocumentSummaries } from './chat-document-summaries.js';
import { chatEntities } from './chat-entities.js';
import { chatFacets, type FacetSettings } from './chat-facets.js';
import { chatGrades } from './chat-grades.js';
import { chatMetadata } from './chat-metadata.js';
import { chatPlans } from './chat-plans.js';
import type { ChatServer, ChatServerSettings } from './chat-server.js';
import { googleChat } from './google-chat.js';
import { ollamaChat } from './ollama-chat.js';
import { openAiChat } from './openai-chat.js';
import { type ChainSettings, type ModelChain, modelChain } from './model-chain.js';
import { isThisMachine } from './server-address.js';

/** The variables that name a language model. */
export const LANGUAGE_MODEL_VARIABLES = [
  'LLM_PROVIDER',
  'LLM_URL',
  'LLM_MODEL',
  'LLM_API_KEY',
  'LLM_CONCURRENCY',
  'LLM_TIMEOUT_MS',
  'LLM_WINDOW_TOKENS',
  'LLM_PARAGRAPHS_PER_CALL',
  'LLM_ENTITIES',
  'LLM_FALLBACK',
  'LLM_PRICES',
] as const;

/** The variables as they were read; none of them is needed where no provider is named. */
export interface LanguageModelConfig {
  LLM_PROVIDER?: Provider;
  LLM_URL?: string;
  LLM_MODEL?: string;
  LLM_API_KEY?: string;
  LLM_CONCURRENCY?: number;
  LLM_TIMEOUT_MS?: number;
  /** Of a prompt and its reply; what is known of the model unless set. */
  LLM_WINDOW_TOKENS?: number;
  /** Of one document, asked about together; 1 unless set. */
  LLM_PARAGRAPHS_PER_CALL?: number;
  /** Asked in this order where the first model fails. */
  LLM_FALLBACK?: readonly ModelChoice[];
}

export interface LanguageModels {
  facets: FacetModel;
  /** Absent with no model configured: rules read documents' metadata then. */
  metadata?: MetadataModel;
  /** Absent likewise: documents are summed up by their own sentences then. */
  summaries?: DocumentSummaryModel;
  /** Absent likewise: rules alone find entities then. */
  entities?: EntityModel;
  /** Absent with no model configured: answers are extracted then. */
  answers?: AnswerModel & SummaryModel;
  /** Absent likewise: grades are calibrated then. */
  grades?: GradeModel;
  /** Judges what a search found; absent with no model configured. */
  judge?: Reranker;
  /** Absent likewise: rules plan searches then. */
  plans?: PlanModel;
  tryOnce: TryOnce;
  /** Whom the others are asked in place of, in their order. */
  fallbacks: readonly { id: string; tryOnce: TryOnce }[];
}

/** One small real call of the first model, never repeated. */
export type TryOnce = (signal?: AbortSignal) => Promise<{ ok: true; tookMs: number } | { ok: false; failure: Failure }>;

/** How each provider is reached, by its name in configurations and before models' names. */
export const PROVIDERS = { openai: openAiChat, ollama: ollamaChat, anthropic: anthropicChat, google: googleChat };
export type Provider = keyof typeof PROVIDERS;

/** A model of a provider, with where and how it is reached. */
export type NamedModel = ChatServerSettings & { provider: Provider };

/**
 * The models that the configuration names, each a chain with its fallbacks; the extractive enricher alone where it names
 * none.
 */
export const modelsFromConfig = (config: LanguageModelConfig, onFallback?: ChainSettings['onFallback']): LanguageModels => {
  const { LLM_PROVIDER: provider, LLM_MODEL: model, LLM_FALLBACK: fallbacks = [] } = config;
  if (!provider) {
    if (fallbacks.length === 0)
      return { facets: extractiveFacets(), fallbacks: [], tryOnce: async () => ({ ok: true, tookMs: 0 }) };
    throw new CodedError('CONFIG_INVALID', 'LLM_FALLBACK is set, and LLM_PROVIDER, which it stands behind, is not.');
  }
  if (!model)
    throw new CodedError('CONFIG_INVALID', `LLM_MODEL is not set; with LLM_PROVIDER "${provider}" it names the model.`);
  const settings = {
    ...{ concurrency: config.LLM_CONCURRENCY, timeoutMs: config.LLM_TIMEOUT_MS, onFallback },
    paragraphsPerCall: config.LLM_PARAGRAPHS_PER_CALL,
  };
  const first = { provider, url: config.LLM_URL, model, apiKey: config.LLM_API_KEY, windowTokens: config.LLM_WINDOW_TOKENS };
  const others = fallbacks.map(({ model, ...place }) => ({ ...place, ...namedModel(model) }));
  return languageModels([first, ...others], settings);
};

/** "google:gemini-2.5-flash" names its provider; others are at OpenAI's API or what speaks it. */
export const namedModel = (named: string): { provider: Provider; model: string } => {
  const [provider = '', ...rest] = named.split(':');
  const model = rest.join(':');
  return isProvider(provider) && model ? { provider, model } : { provider: 'openai', model: named };
};

const isProvider = (name: string): name is Provider => Object.hasOwn(PROVIDERS, name);

/** The models of the first place, with the others to fall back on. */
export const languageModels = (
  [first, ...others]: readonly [NamedModel, ...NamedModel[]],
  { onFallback, ...settings }: FacetSettings & ChainSettings = {},
): Required<LanguageModels> => {
  const server = serverOf(first);
  const fallbacks = others.map(serverOf);
  const chain = modelChain([server, ...fallbacks], { onFallback });
  const once = (server: ChatServer) => tryOnce(modelChain([server]), settings);
  return {
    facets: facetsOf(chain, settings),
    metadata: chatMetadata(chain, settings),
    summaries: chatDocumentSummaries(chain, settings),
    entities: chatEntities(chain, settings),
    answers: chatAnswers(chain, settings),
    grades: chatGrades(chain, settings),
    judge: chatJudge(chain, settings),
    plans: chatPlans(chain, settings),
    tryOnce: once(server),
    fallbacks: fallbacks.map((server) => ({ id: server.id, tryOnce: once(server) })),
  };
};

export type ChatSettings = ChatServerSettings & CallSettings & ChainSettings;

/** The models of one server. */
export const modelsAt = (
  provider: Provider,
  { concurrency, timeoutMs, again, ...place }: ChatSettings,
): Required<LanguageModels> => languageModels([{ provider, ...place }], { concurrency, timeoutMs, again });

const serverOf = ({ provider, ...place }: NamedModel): ChatServer => PROVIDERS[provider](place);

const tryOnce =
  (chain: ModelChain, settings: CallSettings): TryOnce =>
  async (signal) => {
    const began = performance.now();
    try {
      await facetsOf(chain, { ...settings, again: NEVER_AGAIN }).makeFacets(SAMPLE, signal);
      return { ok: true, tookMs: performance.now() - began };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { ok: false, failure: failureOf(error) };
    }
  };

const facetsOf = (chain: ModelChain, settings: FacetSettings): FacetModel =>
  chatFacets(chain, chain.servers.some(({ address }) => !isThisMachine(address)), settings);

const SAMPLE: FacetInput = {
  title: 'Opening hours',
  trail: [],
  before: '',
  text: 'The library in Aarhus opens at eight on weekdays and at ten on Saturdays.',
  after: '',
  language: 'en',
};
