import type { Entity, EntityView } from '../client/entities.js';
import type { Paint } from './colours.js';
import { count } from './figures.js';
import { oneLine } from './printable.js';
import { table } from './table.js';

export const entitiesTable = (entities: readonly Entity[], columns: number | undefined): string =>
  entities.length === 0
    ? ''
    : table(
        [{ title: 'ID' }, { title: 'TYPE' }, { title: 'NAME', shrinks: true }],
        entities.map(({ id, type, name, given }) => [id, type.toLowerCase() + (given ? '*' : ''), oneLine(name)]),
        columns,
      );

const LONGEST = 160;

export const entityText = (entity: EntityView, paint: Paint): string => {
  const { name, type, given, aliases, observations, paragraphs, neighbours } = entity;
  return [
    `${paint.bold(oneLine(name))}  ${type.toLowerCase()}${given ? ', given by hand' : ''}`,
    ...aliases.map(
      (alias) =>
        `  ${oneLine(alias.name)}  ${count(alias.paragraphs, 'paragraph')}${alias.why ? `, ${alias.why.toLowerCase()}` : ''}`,
    ),
    ...observations.map((text) => `  - ${oneLine(text)}`),
    `${count(paragraphs.totalCount, 'paragraph')}`,
    ...paragraphs.nodes.map(
      ({ text, document }) => `  ${oneLine(document?.title ?? '')}: ${oneLine(text ?? '').slice(0, LONGEST)}`,
    ),
    `${count(neighbours.totalCount, 'neighbour')}`,
    ...neighbours.nodes.map(({ entity: other, weight, relations }) => {
      const how = relations.map((one) => (one.outgoing ? `${one.type} →` : `← ${one.type}`)).join(', ');
      return `  ${oneLine(other.name)}  ${weight}${how ? `  ${oneLine(how)}` : ''}`;
    }),
  ].join('\n');
};
