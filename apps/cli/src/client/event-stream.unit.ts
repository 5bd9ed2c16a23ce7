import { describe, expect, it } from 'vitest';
import { eventsIn, type StreamEvent } from './event-stream.js';

const eventsOf = async (...chunks: (string | Uint8Array)[]): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = [];
  const bytes = (async function* () {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  })();
  for await (const event of eventsIn(bytes)) events.push(event);
  return events;
};

describe('server-sent events', () => {
  it('are put together again, wherever they were cut', async () => {
    const whole = Buffer.from('event: text\ndata: {"text":"æø"}\n\nevent: done\ndata: {}\n\n');
    const expected = [
      { event: 'text', data: '{"text":"æø"}' },
      { event: 'done', data: '{}' },
    ];
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(await eventsOf(whole.subarray(0, cut), whole.subarray(cut))).toEqual(expected);
  });

  it('skip heartbeats and join lines of data', async () => {
    expect(await eventsOf(':\n\n', 'data: a\ndata: b\n\n', ':\n\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
  });

  it('leave out one that was broken off', async () => {
    expect(await eventsOf('event: text\ndata: {"te')).toEqual([]);
  });
});
