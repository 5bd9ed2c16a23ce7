export { runMigrations, type MigrationsRun } from './run-migrations.js';
