import { CodedError } from '@postmaster/contracts';
import { runMigrations } from './run-migrations.js';

try {
  const { ran, admitted } = await runMigrations();
  process.stdout.write(ran.length > 0 ? `  ${ran.join('\n  ')}\n` : '  The database is up to date.\n');
  if (admitted.length > 0) process.stdout.write(`  Services may sign in as ${admitted.join(', ')}.\n`);
} catch (error) {
  if (!(error instanceof CodedError)) throw error;
  process.stderr.write(`\n  ${error.code}: ${error.message}\n  → ${error.next}\n\n`);
  process.exitCode = 1;
}
