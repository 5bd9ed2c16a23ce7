import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CodedError } from '@postmaster/contracts';
import { readConfig, readEnvironment, type VariableName, VARIABLES } from './index.js';

const refusal = (names: VariableName[], environment: Record<string, string>): CodedError => {
  try {
    readConfig(names, environment);
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe('readConfig', () => {
  it('gives the embedded defaults where nothing is set', () => {
    const config = readConfig(['PORT', 'HOST', 'POSTMASTER_DATA', 'DATABASE_URL', 'LLM_PROVIDER'], {});
    expect(config).toEqual({ PORT: 4000, HOST: '127.0.0.1', POSTMASTER_DATA: '.postmaster' });
  });

  it('reads what is set in its own type', () => {
    const config = readConfig(['PORT', 'LOG_LEVEL'], { PORT: '0', LOG_LEVEL: 'debug' });
    expect(config).toEqual({ PORT: 0, LOG_LEVEL: 'debug' });
  });

  it('names every wrong variable with its value, expected form and default', () => {
    const { code, message } = refusal(['PORT', 'HOST', 'LOG_LEVEL', 'LLM_PROVIDER'], {
      PORT: '70000',
      LOG_LEVEL: 'loud',
      LLM_PROVIDER: 'oracle',
    });
    expect(code).toBe('CONFIG_INVALID');
    expect(message.split('\n')).toEqual([
      'PORT is "70000"; it should be the port to listen on (0: any free one), a whole number from 0 to 65535 (default 4000).',
      'LOG_LEVEL is "loud"; it should be one of fatal, error, warn, info, debug, trace, silent (default info).',
      'LLM_PROVIDER is "oracle"; it should be one of openai, ollama, anthropic, google (default none).',
    ]);
  });

  it('never repeats a key, nor an address that may carry a password', () => {
    const { message } = refusal(['POSTMASTER_API_KEY', 'DATABASE_URL'], {
      POSTMASTER_API_KEY: 'hunter2',
      DATABASE_URL: 'mysql://root:hunter2@db',
    });
    expect(message).toContain('POSTMASTER_API_KEY is set wrongly');
    expect(message).toContain('DATABASE_URL is set wrongly; it should be a postgres:// address');
    expect(message).not.toContain('hunter2');
  });

  it('takes several addresses of one bus, and no address of another kind among them', () => {
    const NATS_URL = 'nats://a:4222,tls://b:4222';
    expect(readConfig(['NATS_URL'], { NATS_URL })).toEqual({ NATS_URL });
    expect(refusal(['NATS_URL'], { NATS_URL: 'nats://a:4222,http://b' }).message).toContain('set wrongly');
  });

  it('reads true and false, and takes nothing else for either', () => {
    expect(readConfig(['QDRANT_ON_DISK', 'S3_FORCE_PATH_STYLE'], { QDRANT_ON_DISK: 'true' })).toEqual({
      QDRANT_ON_DISK: true,
      S3_FORCE_PATH_STYLE: false,
    });
    expect(refusal(['QDRANT_ON_DISK'], { QDRANT_ON_DISK: '1' }).message).toBe(
      'QDRANT_ON_DISK is "1"; it should be true or false (default false).',
    );
  });

  it('has a form in words for every variable', () => {
    for (const name of Object.keys(VARIABLES) as VariableName[]) {
      const wrong = name === 'HOST' || name === 'POSTMASTER_DATA' ? undefined : refusalOrNone(name);
      if (wrong) expect(wrong.message).not.toContain('set otherwise');
    }
  });
});

const refusalOrNone = (name: VariableName): CodedError | undefined => {
  try {
    readConfig([name], { [name]: '-' });
    return undefined;
  } catch (error) {
    return error instanceof CodedError ? error : undefined;
  }
};

describe('readEnvironment', () => {
  it('puts the environment before .env, and takes an empty variable for one that is not set', () => {
    const folder = mkdtempSync(join(tmpdir(), 'postmaster-env-'));
    const file = join(folder, '.env');
    writeFileSync(file, '# comment\nPORT=5000\nHOST="0.0.0.0"\nLLM_URL=\n');
    expect(readEnvironment(file, { PORT: '6000', LOG_LEVEL: '' })).toEqual({ PORT: '6000', HOST: '0.0.0.0' });
    rmSync(folder, { recursive: true });
  });

  it('does without a .env', () => {
    expect(readEnvironment(join(tmpdir(), 'no-such-env'), { A: 'b' })).toEqual({ A: 'b' });
  });
});
