import type { ErrorCode } from '@postmaster/contracts';

/** What is asked, as messages name it, and the codes of its failures. */
export interface ModelService {
  /** "encoder", "reranker": "The encoder at host answers with status 500." */
  name: string;
  unreachable: ErrorCode;
  refused: ErrorCode;
  /** The variable that holds its address or folder. */
  variable: string;
}

export const ENCODER_SERVICE: ModelService = {
  name: 'encoder',
  unreachable: 'ENCODER_UNREACHABLE',
  refused: 'ENCODER_REFUSED',
  variable: 'ENCODER_URL',
};

export const RERANKER_SERVICE: ModelService = {
  name: 'reranker',
  unreachable: 'RERANKER_UNREACHABLE',
  refused: 'RERANKER_REFUSED',
  variable: 'RERANKER_URL',
};
