import { type ErrorCode } from '@postmaster/contracts';
import { z } from 'zod';
import { ENTITY_TYPES, type EntityType } from './entity.js';

/** What one call may bring. */
export const MOST_LINES = 1_000;
export const MOST_CHARACTERS = 500_000;
const LONGEST_TYPE = 60;
const LONGEST_NOTE = 2_000;
const MOST_NOTES = 100;

const words = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => !text.includes('\0'), 'has a zero character');

/** A line of the memory server of the Model Context Protocol, which keeps a graph as lines of JSON. */
export const MemoryLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('entity'),
    name: words(200),
    entityType: words(LONGEST_TYPE),
    observations: z.array(words(LONGEST_NOTE)).max(MOST_NOTES),
  }),
  z.object({ type: z.literal('relation'), from: words(200), to: words(200), relationType: words(LONGEST_TYPE) }),
]);
export type MemoryLine = z.infer<typeof MemoryLine>;
export type MemoryEntity = Extract<MemoryLine, { type: 'entity' }>;
export type MemoryRelation = Extract<MemoryLine, { type: 'relation' }>;

export interface RefusedLine {
  line: number;
  code: ErrorCode;
  message: string;
}

/** The lines that are of the format, with their numbers, and those that are not, each with its reason. Empty ones count. */
export const readLines = (
  text: string,
  firstLine: number,
): { lines: { at: number; line: MemoryLine }[]; refused: RefusedLine[] } => {
  const lines: { at: number; line: MemoryLine }[] = [];
  const refused: RefusedLine[] = [];
  for (const [offset, raw] of text.split(/\r?\n/u).entries()) {
    if (raw.trim() === '') continue;
    const at = firstLine + offset;
    const read = readLine(raw);
    if (typeof read === 'string') refused.push({ line: at, code: 'INPUT_INVALID', message: read });
    else lines.push({ at, line: read });
  }
  return { lines, refused };
};

const readLine = (raw: string): MemoryLine | string => {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return 'It is no JSON.';
  }
  const parsed = MemoryLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `"${issue?.path.join('.') || 'type'}": ${issue?.message}.`;
};

/** What people call these types elsewhere. */
const CALLED: Readonly<Record<string, EntityType>> = {
  ...Object.fromEntries(ENTITY_TYPES.map((type) => [type, type])),
  ...{
    human: 'person',
    people: 'person',
    menneske: 'person',
    individual: 'person',
    employee: 'person',
    colleague: 'person',
    kollega: 'person',
    user: 'person',
  },
  ...{ organization: 'organisation', company: 'organisation', firma: 'organisation', virksomhed: 'organisation' },
  ...{
    team: 'organisation',
    location: 'place',
    city: 'place',
    country: 'place',
    sted: 'place',
    by: 'place',
    land: 'place',
  },
  ...{ tool: 'product', software: 'product', library: 'product', produkt: 'product', dato: 'date', event: 'other' },
};

export const typeCalled = (given: string): EntityType => CALLED[given.toLowerCase()] ?? 'other';
