import dns from 'node:dns';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { CodedError } from '@postmaster/contracts';

/** All of IPv6 that was ever given out to the public (IANA's registry of unicast addresses). */
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');

/**
 * Refuses what the filtering agent takes for public because no registry lists it: IPv4-compatible addresses, as ::127.0.0.1,
 * and all others outside of the part of IPv6 that is given out.
 */
const refusalOf = (address: string, host: string): CodedError | null =>
  isIPv6(address) && !given.check(address, 'ipv6') ? notPublic(host) : null;

export const notPublic = (host: string): CodedError =>
  new CodedError('URL_REFUSED', `${host} is not an address of the public internet.`, { field: 'url' });

/** Throws URL_REFUSED for a URL whose host is such an address itself. */
export const refuseUngiven = ({ hostname, host }: URL): void => {
  const refusal = refusalOf(hostname.replace(/^\[|\]$/g, ''), host);
  if (refusal) throw refusal;
};

/** Looks names up as `lookup` does, the system's way where absent, and fails where one of a name's addresses is such. */
export const givenOnly =
  (lookup: LookupFunction = dns.lookup): LookupFunction =>
  (name, options, callback) =>
    lookup(name, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      const refusal = error ?? addresses.map((address) => refusalOf(address, name)).find((each) => each !== null);
      callback(refusal ?? null, found, family);
    });
