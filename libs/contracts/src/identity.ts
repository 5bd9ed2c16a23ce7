import { SignJWT, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { CodedError } from './errors.js';
import { TenantId } from './ids.js';

export const SCOPES = ['read', 'write', 'admin', 'operator'] as const;
export const Scope = z.enum(SCOPES);
/** read: search and ask · write: documents · admin: the tenant's keys and settings · operator: tenants. */
export type Scope = z.infer<typeof Scope>;

/** Who asks, as the gateway found it out; the only thing a service believes. */
export const Identity = z.object({ tenant: TenantId, subject: z.string().min(1), scopes: z.array(Scope) });
export type Identity = z.infer<typeof Identity>;

export interface IdentitySeal {
  sign(identity: Identity): Promise<string>;
  /** Throws IDENTITY_INVALID for a token that is forged, expired or not ours. */
  open(token: string | undefined): Promise<Identity>;
}

const ISSUER = 'postmaster-gateway';

/** Signs identities with a shared secret (HS256) for `lifetimeSeconds`. */
export const identitySeal = (secret: Uint8Array, lifetimeSeconds = 60): IdentitySeal => ({
  sign: ({ tenant, subject, scopes }) =>
    new SignJWT({ tenant, scopes })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(secret),
  open: async (token) => {
    if (!token) throw new CodedError('IDENTITY_INVALID', 'The request carries no internal identity.');
    try {
      const { payload } = await jwtVerify(token, secret, { issuer: ISSUER, algorithms: ['HS256'] });
      return Identity.parse({ tenant: payload.tenant, subject: payload.sub, scopes: payload.scopes });
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof z.ZodError)
        throw new CodedError('IDENTITY_INVALID', 'The internal identity is not valid.', { cause });
      throw cause;
    }
  },
});

export const requireScope = (identity: Identity, scope: Scope): void => {
  if (!identity.scopes.includes(scope))
    throw new CodedError('FORBIDDEN', `This needs a key with the scope "${scope}".`);
};
