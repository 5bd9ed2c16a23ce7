import { z } from 'zod';
import { type Client, notRefused, Refused } from './client.js';
import { EXTRACTED } from './operations.js';

/** What the command line reads of a document's metadata. */
export const Extracted = z.object({
  type: z.string(),
  dropped: z.number(),
  model: z.string().nullable(),
  fields: z.array(
    z.object({
      name: z.string(),
      value: z.unknown(),
      from: z.string(),
      spans: z.array(z.object({ start: z.number(), end: z.number() })),
    }),
  ),
});
export type Extracted = z.infer<typeof Extracted>;

export interface Corrections {
  document: string;
  fields: readonly { name: string; value: unknown }[];
  takeBack: readonly string[];
}

/** Corrects a document's metadata; may be sent twice. */
export const correctMetadata = async (client: Client, input: Corrections): Promise<Extracted> => {
  const text = `mutation ($input: CorrectMetadataInput!) {
    corrected: correctMetadata(input: $input) {
      __typename ... on ExtractedMetadata { ${EXTRACTED} } ... on Refused { code message next }
    }
  }`;
  const Corrected = Extracted.extend({ __typename: z.literal('ExtractedMetadata') });
  const Result = z.object({ corrected: z.union([Corrected, Refused]) });
  return notRefused((await client.query(Result, text, { input })).data.corrected);
};
