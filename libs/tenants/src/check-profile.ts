import {
  CodedError,
  encodeQuestion,
  type IdentitySeal,
  type LanguageModelChoice,
  type ModelChoice,
  type ModelProfile,
  type Requests,
  servingIndex,
  type TenantId,
} from '@postmaster/contracts';
import { sameModel } from './same-model.js';

/** Tries a model once, with a time limit. */
export interface ModelProbe {
  /** One small real call, to public addresses and those that the operator allows. Throws CodedErrors, without secrets. */
  languageModel(choice: ModelChoice): Promise<void>;
}

export interface CheckPorts {
  requests: Pick<Requests, 'ask'>;
  seal: Pick<IdentitySeal, 'sign'>;
  probe: ModelProbe;
}

export interface PartCheck {
  part: string;
  ok: boolean;
  /** What came of it, for a person. */
  says: string;
}

/**
 * Uses each part that is given once: encodes a text, looks where the vectors are, asks the language model. Throws
 * PROFILE_REFUSED with what came of each where one can't be used; an encoder or a vector store of the tenant's own is
 * not supported yet, and said so.
 */
export const checkProfile =
  (ports: CheckPorts) =>
  async (tenant: TenantId, { vectorDb, encodingModel, llmModel }: ModelProfile): Promise<PartCheck[]> => {
    const token = await ports.seal.sign({ tenant, subject: 'service:tenants', scopes: ['read'] });
    const checks = await Promise.all([
      ...(vectorDb ? [told('vector_db', () => checkStore(ports, token, vectorDb))] : []),
      ...(encodingModel ? [told('encoding_model', () => checkEncoder(ports, token, encodingModel))] : []),
      ...(llmModel ? checkChain(ports, llmModel) : []),
    ]);
    const first = checks.find(({ ok }) => !ok);
    if (!first) return checks;
    const all = checks.map(({ part, ok, says }) => `${part} ${ok ? 'works' : 'does not work'}: ${says}`);
    throw new CodedError('PROFILE_REFUSED', all.join(' '), { field: first.part });
  };

const told = async (part: string, check: () => Promise<string>): Promise<PartCheck> => {
  try {
    return { part, ok: true, says: await check() };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { part, ok: false, says: error.message };
  }
};

const unsupported = (what: string): CodedError =>
  new CodedError(
    'PROFILE_REFUSED',
    `A tenant's own ${what} is not supported yet; the server's is used. Give no url and no api_key.`,
  );

type Place = { url?: string; apiKey?: string };
const isElsewhere = ({ url, apiKey }: Place): boolean => url !== undefined || apiKey !== undefined;

const checkStore = async (
  { requests }: CheckPorts,
  token: string,
  choice: NonNullable<ModelProfile['vectorDb']>,
): Promise<string> => {
  const { store, dimension } = await requests.ask(servingIndex, token, {});
  if (choice.type !== store) throw unsupported(`vector store ("${choice.type}", where the server has "${store}")`);
  if (isElsewhere(choice)) throw unsupported('vector store');
  return `Vectors of ${dimension} dimensions are kept in the server's "${store}".`;
};

const checkEncoder = async ({ requests }: CheckPorts, token: string, choice: ModelChoice): Promise<string> => {
  const { encoder, vector } = await requests.ask(encodeQuestion, token, { text: 'Does the encoder answer?' });
  if (!sameModel(choice.model, encoder))
    throw unsupported(`encoder ("${choice.model}", where the server has "${encoder}")`);
  if (isElsewhere(choice)) throw unsupported('encoder');
  return `"${encoder}" encoded a text in ${vector.length} dimensions.`;
};

/** Each by itself: a fallback that can't be asked is no way out. */
const checkChain = (ports: CheckPorts, { fallbacks = [], ...first }: LanguageModelChoice): Promise<PartCheck>[] => [
  told('llm_model', () => checkLanguageModel(ports, first)),
  ...fallbacks.map((one, at) => told(`llm_model.fallbacks.${at}`, () => checkLanguageModel(ports, one))),
];

const checkLanguageModel = async ({ probe }: CheckPorts, choice: ModelChoice): Promise<string> => {
  await probe.languageModel(choice);
  return `"${choice.model}" answered.`;
};
