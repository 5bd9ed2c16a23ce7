import { readFileSync } from 'node:fs';
import type { DynamicModule } from '@nestjs/common';
import { DocumentResolver } from './document.resolver.js';
import { FoldersResolver } from './folders.resolver.js';
import { InternalDocumentsController } from './internal-documents.controller.js';
import { MutationsResolver } from './mutations.resolver.js';
import { ParagraphResolver } from './paragraph.resolver.js';
import { type IngestionGraphPorts, PORTS } from './ports.js';
import { QueriesResolver } from './queries.resolver.js';

class IngestionModule {}

/** The ingestion subgraph over its ports, and beside it the routes for bytes. */
export const ingestionModule = (ports: IngestionGraphPorts): DynamicModule => ({
  module: IngestionModule,
  controllers: [InternalDocumentsController],
  providers: [
    { provide: PORTS, useValue: ports },
    QueriesResolver,
    MutationsResolver,
    DocumentResolver,
    ParagraphResolver,
    FoldersResolver,
  ],
});

export const ingestionTypeDefs = (): string =>
  readFileSync(new URL('../../src/nest/schema.graphql', import.meta.url), 'utf8');
