import { describe, expect, it } from 'vitest';
import { runIn } from '../test/run-in.js';

const run = (...args: string[]) => runIn(args, { home: '/nowhere' });

describe('arguments', () => {
  it.each([
    [[]],
    [['serch', 'x']],
    [['search']],
    [['search', 'x', '-n', '0']],
    [['search', 'x', '-n', 'many']],
    [['search', 'x', '--min-relevance', '2']],
    [['documents', '--status', 'lost']],
    [['ingest']],
    [['ingest', 'x', '--no-such-option']],
    [['show']],
  ])('%j are wrong usage, and end with 2', async (args) => {
    const ran = await run(...args);
    expect([ran.exitCode, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(args.length === 0 ? /^Usage:/ : /^WRONG_USAGE: .*\n→ .*--help/);
  });

  it('have a near name suggested', async () => {
    expect((await run('serch')).stderr).toContain('Did you mean search?');
  });

  it('that are wrong come as JSON too where that is wanted', async () => {
    const ran = await run('search', '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'WRONG_USAGE' } });
  });
});

describe('help', () => {
  const commands = [
    'ingest',
    'search',
    'ask',
    'documents',
    'show',
    'delete',
    'retry',
    'enrich',
    'status',
    'reconcile',
    'rebuild',
  ];

  it.each(commands)('of %s has examples, and --json', async (command) => {
    const ran = await run(command, '--help');
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain(`Examples:\n  $ postmaster ${command}`);
    expect(ran.stdout).toContain('--json');
  });

  it('names every command, the exit codes and where the server is looked for', async () => {
    const { stdout } = await run('--help');
    for (const command of commands) expect(stdout).toContain(`  ${command}`);
    expect(stdout).toContain('Exit codes:');
    expect(stdout).toContain('POSTMASTER_URL');
  });

  it('gives the version', async () => {
    expect((await run('--version')).stdout).toBe('1.2.3\n');
  });
});
