import 'reflect-metadata';
import { runProcess } from '@postmaster/process';
import { startTenants } from './start-tenants.js';

await runProcess(() => startTenants());
