import { expect, it } from 'vitest';
import { TenantId } from '@postmaster/contracts';
import { eventOf, startNats, until } from '@postmaster/testing';
import { describeWithNats } from '@postmaster/testing/suites';
import { connectNats, natsChanges } from '../index.js';
import { messageOf } from './envelope.js';

describeWithNats('changes over NATS', () => {
  it('are not heard while the server is away, which is known, and are heard again after it', async () => {
    const server = await startNats();
    const nats = await connectNats({ url: server.url, name: 'test' });
    try {
      const heard: string[] = [];
      const following = natsChanges(nats).follow(['document.deleted'], {
        see: ({ data }) => void heard.push(data.document),
        again: () => void heard.push('again'),
      });
      expect(following.hears()).toBe(true);
      await server.kill();
      await until(() => !following.hears());
      await server.restart();
      const event = eventOf(TenantId.parse('t1'), 'document.deleted', { document: 'd1', version: 1 });
      const { subject, body } = messageOf(event, 'test');
      (await nats.ready(5_000))?.publish(subject, body);
      await until(() => heard.length === 3);
      expect(heard).toEqual(['again', 'again', 'd1']);
    } finally {
      await nats.drain();
      await server.stop();
    }
  });
});
