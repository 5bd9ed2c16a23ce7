import { CodedError, type TenantId } from '@postmaster/contracts';
import type { Database } from '@postmaster/durable';
import { countGiven, giveEntities, giveRelations, keysThere } from '../rows/entity-gifts.js';
import type { EnrichmentTables } from '../rows/tables.js';
import {
  type MemoryEntity,
  type MemoryRelation,
  MOST_CHARACTERS,
  MOST_LINES,
  readLines,
  type RefusedLine,
} from './exchange.js';
import { nameKey } from './name-key.js';

export interface GivenEntities {
  entities: number;
  relations: number;
  observations: number;
  /** In the order of their lines; all others were taken in. */
  refused: RefusedLine[];
}

/** Of a tenant. */
const MOST_GIVEN = 100_000;

/**
 * Takes in lines of the MCP memory server. What they give is marked as given by hand, and outlives whatever documents say;
 * the same lines twice change nothing. Lines that are none are named with a code and the others taken in: INPUT_INVALID for
 * a line of another form, NOT_FOUND for a relation of a name that neither these lines nor the graph have. Throws
 * INPUT_INVALID for more than a call may bring, or a tenant may have.
 */
export const importEntities =
  (db: Database<EnrichmentTables>) =>
  async (
    tenant: TenantId,
    { lines: text, firstLine }: { lines: string; firstLine: number },
  ): Promise<GivenEntities> => {
    if (text.length > MOST_CHARACTERS)
      throw tooMuch(`The lines have ${text.length} characters; a call takes ${MOST_CHARACTERS}.`);
    const { lines, refused } = readLines(text, firstLine);
    if (lines.length + refused.length > MOST_LINES)
      throw tooMuch(`There are ${lines.length + refused.length} lines; a call takes ${MOST_LINES}.`);
    const entities = lines.flatMap(({ line }): MemoryEntity[] => (line.type === 'entity' ? [line] : []));
    const own = new Set(entities.map(({ name }) => nameKey(name)));
    const related = lines.flatMap(({ at, line }) => (line.type === 'relation' ? [{ at, line }] : []));
    return db.asTenant(tenant, async (tx) => {
      const there = await keysThere(
        tx,
        tenant,
        related.flatMap(({ line: { from, to } }) => [nameKey(from), nameKey(to)]),
      );
      if ((await countGiven(tx)) + own.size > MOST_GIVEN)
        throw tooMuch(`A tenant may have ${MOST_GIVEN} entities that were given by hand.`);
      const relations: MemoryRelation[] = [];
      for (const { at, line } of related) {
        const unknown = [line.from, line.to].find((name) => !own.has(nameKey(name)) && !there.has(nameKey(name)));
        if (unknown === undefined) relations.push(line);
        else refused.push({ line: at, code: 'NOT_FOUND', message: `There is no entity "${unknown}".` });
      }
      if (entities.length > 0) await giveEntities(tx, tenant, entities);
      if (relations.length > 0) await giveRelations(tx, tenant, relations);
      const observations = entities.reduce((sum, one) => sum + one.observations.length, 0);
      refused.sort((a, b) => a.line - b.line);
      return { entities: entities.length, relations: relations.length, observations, refused };
    });
  };

const tooMuch = (message: string): CodedError =>
  new CodedError('INPUT_INVALID', message, { field: 'input.lines', next: 'Send fewer lines at a time.' });
