import dns from 'node:dns';
import net from 'node:net';

const refuse = (): never => {
  throw new Error('Nothing is fetched while a document is read.');
};

/** No parser here fetches anything; should one come to, it fails instead. Guards against mistakes, not against native code. */
export const refuseNetwork = (): void => {
  net.Socket.prototype.connect = refuse;
  Object.assign(dns, { lookup: refuse, resolve: refuse });
  globalThis.fetch = refuse;
};
