import { z } from 'zod';
import { type Client, notRefused, Refused } from './client.js';

const TASKS = ['facets', 'metadata', 'entities'] as const;
const LANGUAGES = ['en', 'da'] as const;
export const PROMPT_TASKS: readonly string[] = TASKS;
export const PROMPT_LANGUAGES: readonly string[] = LANGUAGES;

/** What models are told, by task and language; their names in the graph are in capitals. */
const Prompt = z.object({
  task: z.string().toLowerCase().pipe(z.enum(TASKS)),
  language: z.string().toLowerCase().pipe(z.enum(LANGUAGES)),
  version: z.string(),
  instructions: z.string(),
  rules: z.string().nullable(),
  isOwn: z.boolean(),
  needs: z.array(z.string()),
  may: z.array(z.string()),
  system: z.string(),
  tried: z
    .object({
      model: z.string(),
      facets: z
        .object({
          simpleQuestions: z.array(z.object({ text: z.string() })),
          complexQuestions: z.array(z.object({ text: z.string() })),
          context: z.string(),
          scope: z.string(),
        })
        .nullable(),
    })
    .nullable(),
});
export type Prompt = z.infer<typeof Prompt>;

const FIELDS = `task language version instructions rules isOwn needs may system
  tried { model facets { simpleQuestions { text } complexQuestions { text } context scope } }`;

/** An absent text stays as it is, null goes back to the product's. */
export interface PromptChange {
  task: string;
  language: string;
  instructions?: string | null;
  rules?: string | null;
  dryRun?: boolean;
}

export const readPrompts = async (client: Client): Promise<Prompt[]> =>
  (await client.query(z.object({ prompts: z.array(Prompt) }), `query { prompts { ${FIELDS} } }`)).data.prompts;

export const setPrompt = async (client: Client, { task, language, ...change }: PromptChange): Promise<Prompt> => {
  const text = `mutation ($input: SetPromptInput!) {
    set: setPrompt(input: $input) { __typename ... on Prompt { ${FIELDS} } ... on Refused { code message next } }
  }`;
  const Set = Prompt.extend({ __typename: z.literal('Prompt') });
  const input = { ...change, task: task.toUpperCase(), language: language.toUpperCase() };
  const result = z.object({ set: z.union([Set, Refused]) });
  return notRefused((await client.query(result, text, { input })).data.set);
};
