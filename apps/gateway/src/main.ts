import 'reflect-metadata';
import { runProcess } from '@postmaster/process';
import { startGateway } from './start-gateway.js';

await runProcess(() => startGateway());
