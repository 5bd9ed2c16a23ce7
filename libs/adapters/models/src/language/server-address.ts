import { networkInterfaces } from 'node:os';

export interface Connection {
  /** Without credentials, which fetch takes in no address, and without a slash at its end. */
  base: string;
  /** A key as a bearer token; else a name and password of the address, as proxies want them. */
  headers: Record<string, string>;
  /** Of a name and password alone, for servers whose keys go in a header of their own. */
  basic?: string;
  secret?: string;
}

export const connection = (url: URL, apiKey?: string): Connection => {
  const base = withoutCredentials(url);
  if (apiKey) return { base, headers: { authorization: `Bearer ${apiKey}` }, secret: apiKey };
  if (!url.username && !url.password) return { base, headers: {} };
  const password = decodeURIComponent(url.password);
  const basic = `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${password}`).toString('base64')}`;
  return { base, headers: { authorization: basic }, basic, secret: password };
};

/** For messages and logs: user names, passwords and parameters of an address may be secrets. */
export const withoutCredentials = (url: URL): string => `${url.origin}${url.pathname}`.replace(/\/$/, '');

/** Whether an address is one of this machine: what runs there costs no one a call or a token. */
export const isThisMachine = (url: string): boolean => {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host === 'host.docker.internal') return true;
  if (/^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1' || host === '0.0.0.0' || host === '::') return true;
  return Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host));
};
