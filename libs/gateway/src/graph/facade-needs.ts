import { CodedError } from '@postmaster/contracts';
import { type GraphQLSchema, parse, validate } from 'graphql';
import { FACADE_OPERATIONS } from '../rest/operations.js';
import { PROVIDED } from './answer-event.js';

/** What streams of answers are filled in by. */
const FILL = `query ($ids: [ID!]!) { paragraphs(ids: $ids) { ${PROVIDED.join(' ')} } }`;

/** Throws CONFIG_INVALID for a schema that REST and the streams could not work with. */
export const requireFacade = (schema: GraphQLSchema): void => {
  const faults = [...FACADE_OPERATIONS, FILL].flatMap((operation) => validate(schema, parse(operation)));
  const [first] = faults;
  if (first)
    throw new CodedError('CONFIG_INVALID', `The supergraph lacks what the REST facade asks for: ${first.message}`, {
      next: 'Compose it from the schemas of this version, or newer ones.',
    });
};
