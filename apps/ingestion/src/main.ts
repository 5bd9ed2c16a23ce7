import 'reflect-metadata';
import { runProcess } from '@postmaster/process';
import { startIngestion } from './start-ingestion.js';

await runProcess(() => startIngestion());
