import 'reflect-metadata';
import { runProcess } from '@postmaster/process';
import { startEmbedding } from './start-embedding.js';

await runProcess(() => startEmbedding());
