import { localRequests } from '@postmaster/bus';
import {
  DeadLetterService,
  type DomainEvent,
  failure,
  newId,
  type Requests,
  TenantId,
  verifyKey,
} from '@postmaster/contracts';
import { openMemoryDatabase } from '@postmaster/database';
import { answerDeadLetters, buryEvent, buryMessage, databaseOf, SYSTEM_TENANT } from '@postmaster/durable';
import { durableRows } from '@postmaster/testing';
import { sql } from 'kysely';
import { StandInServices } from './stand-in-services.js';

export const WHY = failure('INTERNAL', 'It broke.');
export const [ACME, OTHER] = [TenantId.parse('acme'), TenantId.parse('other')];

/** The real dead letters of three services, on rows of their own, for the real gateway to ask. */
export const deadLetterServices = async () => {
  const standIn = new StandInServices();
  const schemas = DeadLetterService.options;
  const memory = await openMemoryDatabase(schemas.map((schema) => durableRows(schema)));
  const rowsOf = (service: DeadLetterService) => databaseOf<unknown>(memory.kysely, service);
  const real = localRequests(standIn.seal);
  /** "<service> <document>" of each event that a consumer was given. */
  const handled: string[] = [];
  const fate: { absent?: DeadLetterService; refusing?: boolean } = {};
  for (const service of schemas) {
    const handle = async (event: DomainEvent<'document.progressed'>): Promise<void> => {
      if (fate.refusing) throw new Error('It still breaks.');
      handled.push(`${service} ${event.data.document}`);
    };
    const consumers = [{ name: `${service}.consumer`, types: ['document.progressed' as const], handle }];
    answerDeadLetters(real, service, { db: rowsOf(service), consumers, onError: () => {} });
  }
  const requests: Pick<Requests, 'ask' | 'stream'> = {
    ask: (type, token, input) =>
      type.subject === verifyKey.subject || type.subject.startsWith(`${fate.absent}.`)
        ? standIn.requests.ask(type, token, input) // which answers for keys alone
        : real.ask(type, token, input),
    stream: standIn.requests.stream,
  };
  return {
    handled,
    /** Which service does not answer, and whether consumers go on refusing. */
    fate,
    start: () => standIn.start({}, [], { requests }),
    bury: async (service: DeadLetterService, document: string, tenant = ACME): Promise<void> => {
      const event: DomainEvent = {
        ...{ id: newId(), type: 'document.progressed', tenant, time: '2026-11-21T10:00:00.000Z' },
        data: { document, version: 1 },
      };
      await buryEvent(rowsOf(service), event, `${service}.consumer`, WHY);
    },
    /** What is no event, and names no tenant. */
    buryMessage: async (service: DeadLetterService): Promise<void> => {
      const message = { tenant: SYSTEM_TENANT, key: newId(), subject: 'postmaster.work', bytes: 1, text: '?' };
      const why = failure('EVENT_MALFORMED', 'It is not JSON.');
      await buryMessage(rowsOf(service), message, `${service}.consumer`, why);
    },
    forget: async (): Promise<void> => {
      delete fate.absent;
      delete fate.refusing;
      handled.splice(0);
      for (const service of schemas) await rowsOf(service).asSystem((tx) => sql`delete from dead_letters`.execute(tx));
    },
    close: memory.close,
  };
};
