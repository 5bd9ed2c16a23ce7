import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { CodedError } from '@postmaster/contracts';
import { createLog } from '@postmaster/service';
import { sayFailed, sayStarted } from './say-started.js';
import { standaloneConfig } from './standalone-config.js';
import { startStandalone } from './start-standalone.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

try {
  const config = standaloneConfig();
  const log = createLog({ name: 'postmaster', level: config.LOG_LEVEL });
  const running = await startStandalone(config, log, version);
  running.lifecycle.followSignals();
  await sayStarted(running, config);
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  sayFailed(error);
  process.exit(1);
}
