import { compareModels, type StatedModels } from '@postmaster/contracts';
import { z } from 'zod';
import type { UploadFields } from '../document-bytes.js';
import { parseInput } from './parse-input.js';
import { UploadForm } from './shapes.js';

/** Forms name parts of parts in brackets: `vector_db[type]`. */
const stated = (what: string) => z.string().min(1).optional().describe(what);
const place = (of: string) => ({
  [`${of}[url]`]: stated("Must be the tenant's own."),
  [`${of}[api_key]`]: stated('Compared, never kept.'),
});

export const IngestForm = UploadForm.extend({
  tenant_id: z.string().min(1).describe("Must be the key's tenant."),
  doc_type: z.string().min(1).max(100).optional().describe('Kept as `doc_type` in the metadata.'),
  document: z.string().min(1).optional().describe('The address of the document, where it is not sent as a file.'),
  'vector_db[type]': stated("Must be the tenant's: lancedb (or embedded), qdrant."),
  ...place('vector_db'),
  'encoding_model[model]': stated("Must be the encoder that the tenant's index was filled with; else 409."),
  ...place('encoding_model'),
  'llm_model[model]': stated("Must be the tenant's."),
  ...place('llm_model'),
});

export interface Ingest {
  tenant: string;
  fields: UploadFields;
  /** The address that was given in place of a file. */
  address?: string;
  /** What is said of the tenant's models, where anything is. */
  stated?: StatedModels;
}

const BRACKETS = /^(\w+)\[(\w+)\]$/;
const NAMES: Readonly<Record<string, string>> = {
  vector_db: 'vectorDb',
  encoding_model: 'encodingModel',
  llm_model: 'llmModel',
  api_key: 'apiKey',
};

/** Throws INPUT_INVALID. */
export const ingestOf = (form: Readonly<Record<string, string>>): Ingest => {
  const { tenant_id: tenant, doc_type: docType, document: address, ...rest } = parseInput(IngestForm, form);
  const models = Object.entries(rest).filter(([name]) => BRACKETS.test(name));
  const known = Object.fromEntries(Object.entries(rest).filter(([name]) => !BRACKETS.test(name)));
  const fields = known as UploadFields; // what is left of an IngestForm is an UploadForm
  const metadata = docType === undefined ? fields.metadata : { ...fields.metadata, doc_type: docType };
  return { tenant, fields: { ...fields, metadata }, address, stated: statedIn(models) };
};

const statedIn = (models: readonly [string, unknown][]): StatedModels | undefined => {
  if (models.length === 0) return undefined;
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of models) {
    const [, part = '', field = ''] = BRACKETS.exec(name) ?? [];
    const at = NAMES[part] ?? part;
    parts[at] = { ...parts[at], [NAMES[field] ?? field]: value };
  }
  return parseInput(compareModels.input, parts);
};

const Place = {
  url: stated('Public, unless the operator allows its host.'),
  api_key: stated('Stored sealed, never shown.'),
};
const Model = z.strictObject({ model: z.string().min(1), ...Place });

const LanguageModel = Model.extend({
  fallbacks: z.array(Model).max(3).optional().describe('Asked in this order where it fails.'),
});

export const InitBody = z.strictObject({
  tenant_id: z.string().min(1).describe('Lower-case letters, digits and hyphens, at most 40.'),
  name: z.string().min(1).optional().describe('For a person; the id where absent.'),
  vector_db: z
    .strictObject({ type: z.enum(['lancedb', 'embedded', 'qdrant']), ...Place })
    .optional()
    .describe("The server's own unless told."),
  encoding_model: Model.optional().describe("The server's own unless told."),
  llm_model: LanguageModel.optional().describe("The server's own unless told; it makes facets and answers."),
});

/** A CreateTenantInput of the graph. Throws INPUT_INVALID. */
export const tenantInputOf = (body: unknown) => {
  const {
    tenant_id: id,
    name = id,
    vector_db: store,
    encoding_model: encoder,
    llm_model: llm,
  } = parseInput(InitBody, body);
  const profile = {
    vectorDb: store && { ...placeOf(store), type: store.type === 'qdrant' ? 'QDRANT' : 'LANCEDB' },
    encodingModel: encoder && modelOf(encoder),
    llmModel: llm && { ...modelOf(llm), fallbacks: llm.fallbacks?.map(modelOf) },
  };
  return { id, name, profile: store || encoder || llm ? profile : undefined };
};

const placeOf = ({ url, api_key: apiKey }: { url?: string; api_key?: string }) => ({ url, apiKey });

const modelOf = ({ model, ...place }: z.output<typeof Model>) => ({ ...placeOf(place), model });

/** A form's bracketed names as the objects that they stand for. */
export const nestedOf = (form: Readonly<Record<string, string>>): Record<string, unknown> => {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(form)) {
    const [, part, field] = BRACKETS.exec(name) ?? [];
    if (part === undefined || field === undefined) nested[name] = value;
    else nested[part] = { ...(nested[part] as object | undefined), [field]: value }; // made here alone
  }
  return nested;
};

export const InitShape = z.object({
  tenant: z.object({ id: z.string(), name: z.string(), createdAt: z.string() }),
  key: z.object({
    secret: z.string().describe('Shown this once.'),
    key: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()), createdAt: z.string() }),
  }),
  profile: z
    .object({
      version: z.number().int(),
      vectorDb: z.unknown(),
      encodingModel: z.unknown(),
      llmModel: z.unknown(),
      checks: z.array(z.object({ part: z.string(), ok: z.boolean(), says: z.string() })),
    })
    .nullable(),
});

/** A form whose other fields are metadata. */
export const MetadataForm = UploadForm.catchall(z.string().max(10_000)).describe('Other fields are kept as metadata.');

/** Throws INPUT_INVALID. */
export const metadataFieldsOf = (form: Readonly<Record<string, string>>): UploadFields => {
  const parsed = parseInput(MetadataForm, form);
  const own = Object.entries(parsed).filter(([name]) => !Object.hasOwn(UploadForm.shape, name));
  const known = Object.fromEntries(Object.entries(parsed).filter(([name]) => Object.hasOwn(UploadForm.shape, name)));
  const fields = known as UploadFields; // of the form's own fields
  return own.length === 0 ? fields : { ...fields, metadata: { ...fields.metadata, ...Object.fromEntries(own) } };
};
