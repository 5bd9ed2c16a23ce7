import { type DynamicModule, Module } from '@nestjs/common';
import type { HealthAnswer } from '@postmaster/service';
import { FRONT, type Front } from './front.js';
import { HEALTH, HealthController } from './http/health.controller.js';
import { SignInController } from './http/sign-in.controller.js';
import { BytesController } from './rest/bytes.controller.js';
import { DeadLettersController } from './rest/dead-letters.controller.js';
import { FeedbackController } from './rest/feedback.controller.js';
import { DeletionsController } from './rest/deletions.controller.js';
import { DocumentsController } from './rest/documents.controller.js';
import { EvaluationsController } from './rest/evaluations.controller.js';
import { FoldersController } from './rest/folders.controller.js';
import { MailController } from './rest/mail.controller.js';
import { PartnersController } from './rest/partners.controller.js';
import { QualityController } from './rest/quality.controller.js';
import { QuestionsController } from './rest/questions.controller.js';

@Module({})
export class GatewayModule {
  static of(front: Front, health: (path: string) => Promise<HealthAnswer | undefined>): DynamicModule {
    return {
      module: GatewayModule,
      controllers: [
        HealthController,
        SignInController,
        BytesController,
        DeletionsController,
        DocumentsController,
        PartnersController,
        QuestionsController,
        QualityController,
        DeadLettersController,
        EvaluationsController,
        MailController,
        FeedbackController,
        FoldersController,
      ],
      providers: [
        { provide: FRONT, useValue: front },
        { provide: HEALTH, useValue: health },
      ],
    };
  }
}
