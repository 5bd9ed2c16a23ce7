import 'reflect-metadata';
import { runProcess } from '@postmaster/process';
import { startEnrichment } from './start-enrichment.js';

await runProcess(() => startEnrichment());
