import { CodedError, type Identity, type Requests, type RequestType, TenantId } from '@postmaster/contracts';

type Reply = Parameters<Requests['answer']>[1];
type StreamReply = Parameters<Requests['answerStream']>[1];

/** Requests between use cases under test: replies by subject. Unless told how to open one, a token is a tenant's name. */
export class FakeRequests implements Requests {
  private readonly replies = new Map<string, Reply>();
  private readonly streams = new Map<string, StreamReply>();

  constructor(private readonly open: (token: string) => Promise<Identity> = identityOf) {}

  ask: Requests['ask'] = async (type, token, input) => {
    const reply = this.replies.get(type.subject) ?? absent(type);
    return type.output.parse(await reply(await this.open(token), type.input.parse(input), token)) as never;
  };

  stream: Requests['stream'] = (type, token, input, signal) => this.items(type, token, input, signal) as never;

  answer: Requests['answer'] = (type, reply) => {
    this.replies.set(type.subject, reply as Reply);
  };

  answerStream: Requests['answerStream'] = (type, reply) => {
    this.streams.set(type.subject, reply as StreamReply);
  };

  private async *items(type: RequestType, token: string, input: unknown, signal = new AbortController().signal) {
    const reply = this.streams.get(type.subject) ?? absent(type);
    for await (const item of reply(await this.open(token), type.input.parse(input), token, signal))
      yield type.output.parse(item);
  }
}

const identityOf = async (token: string): Promise<Identity> => ({
  tenant: TenantId.parse(token),
  subject: 'test',
  scopes: ['read', 'write'],
});

const absent = ({ subject }: RequestType): never => {
  throw new CodedError('SERVICE_UNAVAILABLE', `Nobody answers "${subject}".`);
};
