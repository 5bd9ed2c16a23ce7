import 'reflect-metadata';
import { runProcess } from '@postmaster/process';
import { startRetrieval } from './start-retrieval.js';

await runProcess(() => startRetrieval());
