export { ENCODER_VARIABLES, type EncoderConfig, encoderFromConfig } from './encoders/encoder-from-config.js';
export type { HttpEncoderOptions } from './encoders/http-encoder.js';
export { miniLM } from './encoders/mini-lm.js';
export { ollamaEncoder } from './encoders/ollama-encoder.js';
export { openAiEncoder } from './encoders/openai-encoder.js';
export {
  type ChatSettings,
  LANGUAGE_MODEL_VARIABLES,
  type LanguageModelConfig,
  type LanguageModels,
  modelsAt,
  modelsFromConfig,
  type Provider,
} from './language/models-from-config.js';
export {
  entityModels,
  modelProbe,
  modelSettingsOf,
  modelsOfChoice,
  type SaidOfModels,
  tenantModels,
  type TenantModelSettings,
} from './language/tenant-models.js';
export {
  RERANKER_VARIABLES,
  type RerankerConfig,
  rerankerFromConfig,
  timedRerankers,
  tryReranker,
} from './rerankers/reranker-from-config.js';
