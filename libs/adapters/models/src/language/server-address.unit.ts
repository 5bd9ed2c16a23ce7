import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { connection, isThisMachine, withoutCredentials } from './server-address.js';

describe('isThisMachine', () => {
  it.each(['http://localhost:11434', 'http://127.0.0.1:1/v1', 'http://[::1]:8000', 'http://ollama.localhost/'])(
    'knows %s as this machine',
    (url) => expect(isThisMachine(url)).toBe(true),
  );

  it('knows the addresses of this machine in its networks', () => {
    for (const { address, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
      if (family === 'IPv4') expect(isThisMachine(`http://${address}:11434`)).toBe(true);
  });

  it.each(['https://api.openai.com/v1', 'http://203.0.113.9:11434', 'http://localhost.example.com'])(
    'takes %s for another one',
    (url) => expect(isThisMachine(url)).toBe(false),
  );
});

describe('withoutCredentials', () => {
  it('leaves only what a log may show', () => {
    expect(withoutCredentials(new URL('https://me:secret@host.example:8443/v1/?key=secret#x'))).toBe(
      'https://host.example:8443/v1',
    );
  });
});

describe('connection', () => {
  it('sends a key, else the name and password of the address, and keeps both out of it', () => {
    const url = new URL('https://me:pass%21@host.example/v1/');
    expect(connection(url, 'k')).toMatchObject({ base: 'https://host.example/v1', headers: { authorization: 'Bearer k' } });
    const basic = `Basic ${Buffer.from('me:pass!').toString('base64')}`;
    expect(connection(url)).toEqual({
      base: 'https://host.example/v1',
      headers: { authorization: basic },
      basic,
      secret: 'pass!',
    });
    expect(connection(new URL('http://127.0.0.1:11434')).headers).toEqual({});
  });
});
