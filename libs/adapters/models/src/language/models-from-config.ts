import { CodedError, type Failure, failureOf } from '@postmaster/contracts';
import {
  type DocumentSummaryModel,
  extractiveFacets,
  type FacetInput,
  type FacetModel,
  type MetadataModel,
} from '@postmaster/enrichment';
import type { AnswerModel, GradeModel, PlanModel, Reranker, SummaryModel } from '@postmaster/retrieval';
import { chatJudge } from '../rerankers/judge/chat-judge.js';
import { NEVER_AGAIN } from './ask-again.js';
import type { CallSettings } from './ask-in-form.js';
import { chatAnswers } from './chat-answers.js';
import { chatDocumentSummaries } from './chat-document-summaries.js';
import { chatFacets } from './chat-facets.js';
import { chatGrades } from './chat-grades.js';
import { chatMetadata } from './chat-metadata.js';
import { chatPlans } from './chat-plans.js';
import type { ChatServer, ChatServerSettings } from './chat-server.js';
import { ollamaChat } from './ollama-chat.js';
import { openAiChat } from './openai-chat.js';
import { isThisMachine } from './server-address.js';

/** The variables that name a language model. */
export const LANGUAGE_MODEL_VARIABLES = [
  'LLM_PROVIDER',
  'LLM_URL',
  'LLM_MODEL',
  'LLM_API_KEY',
  'LLM_CONCURRENCY',
  'LLM_TIMEOUT_MS',
  'LLM_PRICES',
] as const;

/** The variables as they were read; none of them is needed where no provider is named. */
export interface LanguageModelConfig {
  LLM_PROVIDER?: 'openai' | 'ollama';
  LLM_URL?: string;
  LLM_MODEL?: string;
  LLM_API_KEY?: string;
  LLM_CONCURRENCY?: number;
  LLM_TIMEOUT_MS?: number;
}

export interface LanguageModels {
  facets: FacetModel;
  /** Absent with no model configured: rules read documents' metadata then. */
  metadata?: MetadataModel;
  /** Absent likewise: documents are summed up by their own sentences then. */
  summaries?: DocumentSummaryModel;
  /** Absent with no model configured: answers are extracted then. */
  answers?: AnswerModel & SummaryModel;
  /** Absent likewise: grades are calibrated then. */
  grades?: GradeModel;
  /** Judges what a search found; absent with no model configured. */
  judge?: Reranker;
  /** Absent likewise: rules plan searches then. */
  plans?: PlanModel;
  /** One small real call, never repeated. */
  tryOnce(signal?: AbortSignal): Promise<{ ok: true; tookMs: number } | { ok: false; failure: Failure }>;
}

export type ChatSettings = ChatServerSettings & CallSettings;

const SERVERS = { openai: openAiChat, ollama: ollamaChat };

/** The models that the configuration names; the extractive enricher alone where it names none. */
export const modelsFromConfig = (config: LanguageModelConfig): LanguageModels => {
  const { LLM_PROVIDER: provider, LLM_MODEL: model } = config;
  if (!provider) return { facets: extractiveFacets(), tryOnce: async () => ({ ok: true, tookMs: 0 }) };
  if (!model)
    throw new CodedError('CONFIG_INVALID', `LLM_MODEL is not set; with LLM_PROVIDER "${provider}" it names the model.`);
  const settings = { concurrency: config.LLM_CONCURRENCY, timeoutMs: config.LLM_TIMEOUT_MS };
  return languageModels(provider, { url: config.LLM_URL, model, apiKey: config.LLM_API_KEY }, settings);
};

/** The models of one server. */
export const languageModels = (
  provider: keyof typeof SERVERS,
  place: ChatServerSettings,
  settings: CallSettings,
): Required<LanguageModels> => {
  const server = SERVERS[provider](place);
  return {
    facets: facetsOf(server, settings),
    metadata: chatMetadata(server, settings),
    summaries: chatDocumentSummaries(server, settings),
    answers: chatAnswers(server, settings),
    grades: chatGrades(server, settings),
    judge: chatJudge(server, settings),
    plans: chatPlans(server, settings),
    tryOnce: async (signal) => {
      const began = performance.now();
      try {
        await facetsOf(server, { ...settings, again: NEVER_AGAIN }).makeFacets(SAMPLE, signal);
        return { ok: true, tookMs: performance.now() - began };
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return { ok: false, failure: failureOf(error) };
      }
    },
  };
};

export const openAiFacets = (settings: ChatSettings): FacetModel => facetsOf(openAiChat(settings), settings);
export const ollamaFacets = (settings: ChatSettings): FacetModel => facetsOf(ollamaChat(settings), settings);
export const openAiMetadata = (settings: ChatSettings): MetadataModel => chatMetadata(openAiChat(settings), settings);
export const openAiDocumentSummaries = (settings: ChatSettings): DocumentSummaryModel =>
  chatDocumentSummaries(openAiChat(settings), settings);
export const openAiAnswers = (settings: ChatSettings): AnswerModel & SummaryModel => chatAnswers(openAiChat(settings), settings);
export const openAiJudge = (settings: ChatSettings): Reranker => chatJudge(openAiChat(settings), settings);
export const ollamaJudge = (settings: ChatSettings): Reranker => chatJudge(ollamaChat(settings), settings);
export const openAiPlans = (settings: ChatSettings): PlanModel => chatPlans(openAiChat(settings), settings);
export const ollamaPlans = (settings: ChatSettings): PlanModel => chatPlans(ollamaChat(settings), settings);
export const ollamaAnswers = (settings: ChatSettings): AnswerModel & SummaryModel => chatAnswers(ollamaChat(settings), settings);
export const openAiGrades = (settings: ChatSettings): GradeModel => chatGrades(openAiChat(settings), settings);
export const ollamaGrades = (settings: ChatSettings): GradeModel => chatGrades(ollamaChat(settings), settings);

const facetsOf = (server: ChatServer, settings: CallSettings): FacetModel =>
  chatFacets(server, !isThisMachine(server.address), settings);

const SAMPLE: FacetInput = {
  title: 'Opening hours',
  trail: [],
  before: '',
  text: 'The library in Aarhus opens at eight on weekdays and at ten on Saturdays.',
  after: '',
  language: 'en',
};
