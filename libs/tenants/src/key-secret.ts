import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes in letters: too many to guess, so that a plain hash of it is enough. */
export const newSecret = (): string => `pm_${randomBytes(32).toString('base64url')}`;

/** Hex SHA-256: all that is kept of a key, and all that the gateway sends of one. */
export const hashOfSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
