const PROVIDERS = new Set(['openai', 'ollama', 'anthropic', 'google', 'minilm']);
/** The prefixes that an encoder is asked with. */
const PREFIXES = /\+[\w-]+$/;
/** How the bundled model was made smaller. */
const QUANTIZED = /-int8-\d+$/;

/** Whether a name that a person writes ("BAAI/bge-m3", "openai:bge-m3") is that of an id ("openai:bge-m3"). */
export const sameModel = (given: string, id: string): boolean => {
  const [one, other] = [partsOf(given), partsOf(id)];
  if (one.provider !== undefined && other.provider !== undefined && one.provider !== other.provider) return false;
  return one.name === other.name || (other.provider === 'minilm' && one.name === other.name.replace(QUANTIZED, ''));
};

const partsOf = (text: string): { provider?: string; name: string } => {
  const lower = text.trim().toLowerCase();
  const [first = '', ...rest] = lower.split(':');
  const provider = rest.length > 0 && PROVIDERS.has(first) ? first : undefined;
  const name = (provider === undefined ? lower : rest.join(':')).replace(PREFIXES, '');
  return { provider, name: name.slice(name.lastIndexOf('/') + 1) };
};
