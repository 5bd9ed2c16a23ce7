import { examineBlobs } from './examine-blobs.js';
import { examineEmbedded } from './examine-embedded.js';
import { examineEncoder } from './examine-encoder.js';
import { examineLanguageModel } from './examine-language-model.js';
import { examineReranker } from './examine-reranker.js';
import { examineServices } from './examine-services.js';
import { examineConfiguration } from './configuration.js';
import type { Finding } from './finding.js';
import { examineMachine } from './machine.js';
import { examineNats } from './nats/examine-nats.js';
import { type ExamineOptions, readPatient } from './patient.js';
import { examinePostgres } from './postgres/examine-postgres.js';
import { examineQdrant } from './qdrant/examine-qdrant.js';
import { withoutSecrets } from './secrets.js';

/**
 * Examines every dependency, all side by side, each within time limits of its own. Gives the findings of each, in the
 * order to be read; none of the promises rejects, and no secret of the environment is in any text. Changes nothing,
 * unless `write` is asked for.
 */
export const examine = (options: ExamineOptions): Promise<readonly Finding[]>[] => {
  const patient = readPatient(options);
  const clean = withoutSecrets(patient.environment);
  const encoder = examineEncoder(patient);
  const all = [
    examineConfiguration(patient),
    examineMachine(patient),
    examineEmbedded(patient, encoder.facts),
    examinePostgres(patient),
    examineNats(patient),
    examineQdrant(patient, encoder.facts),
    examineBlobs(patient),
    encoder.findings,
    examineLanguageModel(patient),
    examineReranker(patient),
    examineServices(patient),
  ];
  return all.map(async (findings) =>
    (await findings).map((one) => ({ ...one, said: clean(one.said), next: one.next && clean(one.next) })),
  );
};
