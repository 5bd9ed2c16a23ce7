import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog, type Log, nestLogger } from './index.js';

const written = (write: (log: Log) => void, pretty = false): string => {
  let lines = '';
  const to = new Writable({
    write: (line, _, next) => {
      lines += line;
      next();
    },
  });
  write(createLog({ name: 'test', level: 'trace', pretty, to }));
  return lines;
};

describe('the log', () => {
  it('writes lines of JSON that carry the request they belong to', () => {
    const line = written((log) => log.child({ requestId: 'r1' }).info({ took: 3 }, 'searched'));
    expect(JSON.parse(line)).toMatchObject({ name: 'test', requestId: 'r1', took: 3, msg: 'searched' });
  });

  it('hides secrets under their usual names, also within what is logged', () => {
    const lines = written((log) => {
      log.info({
        token: 'hush',
        req: { headers: { authorization: 'Bearer hush', 'x-api-key': 'hush', cookie: 'hush' } },
      });
      log.info({ apiKey: 'hush', config: { secret: 'hush' } });
    });
    expect(lines).not.toContain('hush');
    expect(lines).toContain('[secret]');
  });

  it('tells of an error what says why, and nothing of what hangs on it', () => {
    const client = { host: 'db', password: 'hush' };
    const broken = Object.assign(new Error('broke', { cause: new Error('reset') }), { code: '57P01', client });
    const all = new AggregateError([broken], 'all broke');
    const [one, several] = written((log) => {
      log.warn({ err: broken }, 'gone');
      log.warn({ err: all }, 'gone');
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(one.err).toEqual({ type: 'Error', message: 'broke: reset', stack: expect.any(String), code: '57P01' });
    expect(several.err.aggregateErrors).toEqual([one.err]);
  });

  it('writes for a person where asked to', () => {
    const line = written((log) => log.warn({ left: 2 }, 'nearly done'), true);
    expect(line).toContain('nearly done');
    expect(() => JSON.parse(line)).toThrow();
  });

  it('takes what Nest says, at a level that keeps its account of starting out of sight', () => {
    const lines = written((log) => {
      nestLogger(log).log('Mapped {/x, GET} route', 'RouterExplorer');
      nestLogger(log).error(new Error('broken'), 'stack', 'Injector');
    })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: 20, nest: 'RouterExplorer' },
      { level: 50, nest: 'Injector', msg: 'broken' },
    ]);
  });
});
