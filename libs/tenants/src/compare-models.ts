import { timingSafeEqual } from 'node:crypto';
import {
  CodedError,
  enrichmentModel,
  type ModelProfile,
  type Requests,
  servingIndex,
  type StatedModels,
  type TenantId,
} from '@postmaster/contracts';
import { hashOfSecret } from './key-secret.js';
import { sameModel } from './same-model.js';

export interface ComparePorts {
  requests: Pick<Requests, 'ask'>;
  /** What the tenant has of its own, secrets included. */
  ownProfile: (tenant: TenantId) => Promise<ModelProfile>;
}

/**
 * Throws ENCODER_MISMATCH or PROFILE_MISMATCH where what a caller says of the tenant's models is not so. What the
 * tenant has no choice of its own for is the server's: its kind can be stated, its address and key are nobody's.
 */
export const compareStated =
  ({ requests, ownProfile }: ComparePorts) =>
  async (tenant: TenantId, token: string, stated: StatedModels): Promise<void> => {
    const own = await ownProfile(tenant);
    const { vectorDb, encodingModel, llmModel } = stated;
    if (vectorDb || encodingModel) {
      const index = await requests.ask(servingIndex, token, {});
      if (encodingModel?.model && !sameModel(encodingModel.model, index.encoder))
        throw new CodedError(
          'ENCODER_MISMATCH',
          `The tenant's index was filled by the encoder "${index.encoder}", not by "${encodingModel.model}".`,
          { field: 'encoding_model[model]' },
        );
      const expected = own.vectorDb?.type ?? index.store;
      if (vectorDb?.type && vectorDb.type !== expected)
        throw differs('vector_db[type]', `the tenant's vectors are in "${expected}", not in "${vectorDb.type}"`);
    }
    if (llmModel?.model) {
      const expected = own.llmModel?.model ?? (await requests.ask(enrichmentModel, token, {})).model;
      if (!sameModel(llmModel.model, expected))
        throw differs('llm_model[model]', `the tenant's language model is "${expected}", not "${llmModel.model}"`);
    }
    comparePlaces('vector_db', vectorDb, own.vectorDb);
    comparePlaces('encoding_model', encodingModel, own.encodingModel);
    comparePlaces('llm_model', llmModel, own.llmModel);
  };

interface Place {
  url?: string;
  apiKey?: string;
}

const comparePlaces = (part: string, stated: Place | undefined, own: Place | undefined): void => {
  if (stated?.url !== undefined && !(own?.url !== undefined && hrefOf(stated.url) === hrefOf(own.url)))
    throw differs(`${part}[url]`, own?.url === undefined ? SERVERS : `the tenant's is ${own.url}`);
  if (stated?.apiKey !== undefined && !(own?.apiKey !== undefined && sameSecret(stated.apiKey, own.apiKey)))
    throw differs(`${part}[api_key]`, own?.apiKey === undefined ? SERVERS : "it is not the tenant's");
};

const SERVERS = "the tenant has none of its own; the server's is used";

const hrefOf = (url: string): string => new URL(url).href.replace(/\/+$/, '');

const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOfSecret(one)), Buffer.from(hashOfSecret(other)));

const differs = (field: string, why: string): CodedError =>
  new CodedError('PROFILE_MISMATCH', `"${field}" is not as it is for this tenant: ${why}.`, { field });
