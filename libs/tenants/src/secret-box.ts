import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { CodedError } from '@postmaster/contracts';

/** Keeps texts that nobody but this service may read. */
export interface SecretBox {
  /**
   * AES-256-GCM, as `<key id>.<base64url of nonce, tag and text>`. `about` says whose and what it is: a sealed text that
   * was moved elsewhere does not open.
   */
  seal(text: string, about: readonly string[]): string;
  /** Throws CONFIG_INVALID where its key is not among those configured, or the text is not as it was sealed. */
  open(sealed: string, about: readonly string[]): string;
}

const NONCE = 12;
const TAG = 16;

/** Seals with the first secret and opens what any of them sealed: a new one goes in front of the old. */
export const secretBox = (secrets: readonly Uint8Array[]): SecretBox => {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'postmaster secrets', 32)));
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  const [first] = keys;
  if (!first) throw new Error('A box needs a secret.');
  return {
    seal: (text, about) => {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', first, nonce).setAAD(aad(about));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${idOf(first)}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open: (sealed, about) => {
      const [id = '', text = ''] = sealed.split('.');
      const key = byId.get(id);
      if (!key)
        throw new CodedError('CONFIG_INVALID', `What the secrets key "${id}" sealed can not be opened without it.`, {
          next: 'Add that key to POSTMASTER_SECRETS_KEY, after the present one and a comma, or set the secrets anew.',
        });
      const bytes = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG });
        decipher.setAAD(aad(about)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new CodedError('CONFIG_INVALID', 'A sealed secret is not as it was stored.', {
          ...{ cause, next: 'Set the secret anew (setModelProfile).' },
        });
      }
    },
  };
};

const idOf = (key: Uint8Array): string => createHash('sha256').update('id').update(key).digest('hex').slice(0, 8);

const aad = (about: readonly string[]): Buffer => Buffer.from(JSON.stringify(about));
