import { CodedError, type Identity, type Requests, type RequestType, TenantId } from '@postmaster/contracts';

type Reply = Parameters<Requests['answer']>[1];
type StreamReply = Parameters<Requests['answerStream']>[1];

/** Requests between use cases under test: replies by subject, no token checked, whose text is taken for the tenant. */
export class FakeRequests implements Requests {
  private readonly replies = new Map<string, Reply>();
  private readonly streams = new Map<string, StreamReply>();

  ask: Requests['ask'] = async (type, token, input) => {
    const reply = this.replies.get(type.subject) ?? absent(type);
    return type.output.parse(await reply(identityOf(token), type.input.parse(input), token)) as never;
  };

  stream: Requests['stream'] = (type, token, input, signal) => {
    const reply = this.streams.get(type.subject) ?? absent(type);
    return reply(identityOf(token), type.input.parse(input), token, signal ?? new AbortController().signal) as never;
  };

  answer: Requests['answer'] = (type, reply) => {
    this.replies.set(type.subject, reply as Reply);
  };

  answerStream: Requests['answerStream'] = (type, reply) => {
    this.streams.set(type.subject, reply as StreamReply);
  };
}

const identityOf = (token: string): Identity => ({
  tenant: TenantId.parse(token),
  subject: 'test',
  scopes: ['read', 'write'],
});

const absent = ({ subject }: RequestType): never => {
  throw new CodedError('SERVICE_UNAVAILABLE', `Nobody answers "${subject}".`);
};
