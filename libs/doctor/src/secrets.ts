/** Names of variables whose whole value is a secret; paths of files are none. */
const SECRET = /KEY$|SECRET|PASSWORD|TOKEN/;
const ANYWHERE = 8; // so long, a secret stands in no text by chance

/**
 * Takes every secret of the environment out of a text: keys, passwords, and what addresses hold of them, as it is
 * written there and as it is read. Our own words never hold one; other programs' messages may.
 */
export const withoutSecrets = (environment: Readonly<Record<string, string>>): ((text: string) => string) => {
  const secrets = [...new Set(Object.entries(environment).flatMap(([name, value]) => secretsIn(name, value)))]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length);
  const forms = secrets.map((secret) => {
    const literal = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(secret.length >= ANYWHERE ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
  });
  return (text) => forms.reduce((left, form) => left.replace(form, '…'), text);
};

/** All secrets in one variable's value, in each form that it may be repeated in. */
export const secretsIn = (name: string, value: string): string[] =>
  SECRET.test(name)
    ? [value]
    : [...keysInJson(value), ...[value, ...value.split(',')].flatMap((one) => secretsInAddress(one.trim()))];

/** Of LLM_FALLBACK. */
const keysInJson = (value: string): string[] =>
  Array.from(value.matchAll(/"apiKey"\s*:\s*"([^"]+)"/g), ([, key = '']) => key);

const secretsInAddress = (address: string): string[] => {
  const login = /^(\w+):\/\/([^/?#]*)@/.exec(address);
  if (!login) return [];
  const [, protocol, written = ''] = login;
  const parts = written.split(':');
  // nats://token@host: alone, it is no name
  const secret = parts.length > 1 ? parts.slice(1).join(':') : protocol === 'nats' || protocol === 'tls' ? written : '';
  if (secret === '') return [];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const parsed = (parts.length > 1 ? url?.password : url?.username) ?? '';
  return [secret, decoded(secret), parsed];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
