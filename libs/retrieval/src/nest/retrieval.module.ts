import { readFileSync } from 'node:fs';
import type { DynamicModule } from '@nestjs/common';
import type { RetrievalUseCases } from '../retrieval-service.js';
import { PORTS } from './ports.js';
import { FeedbackResolver } from './feedback.resolver.js';
import { QualityResolver } from './quality.resolver.js';
import { QuestionsResolver } from './questions.resolver.js';

class RetrievalModule {}

/** The retrieval subgraph over its use cases. */
export const retrievalModule = (ports: RetrievalUseCases): DynamicModule => ({
  module: RetrievalModule,
  providers: [{ provide: PORTS, useValue: ports }, QuestionsResolver, QualityResolver, FeedbackResolver],
});

export const retrievalTypeDefs = (): string =>
  readFileSync(new URL('../../src/nest/schema.graphql', import.meta.url), 'utf8');
