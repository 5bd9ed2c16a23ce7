/** The bundled model. The id's last number goes up when the same text would get another vector. */
export const MINI_LM = {
  id: 'minilm:all-minilm-l6-v2-int8-1',
  dimension: 384,
  maxTokens: 256,
} as const;
