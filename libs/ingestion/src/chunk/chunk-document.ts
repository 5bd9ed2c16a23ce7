import type { Chunking } from '@postmaster/contracts';
import type { ChunkableDocument, ChunkedParagraph, ChunkSettings, EncodePassages } from './chunker.js';
import { STRATEGIES } from './strategies.js';
import { chunkApart } from './thread/chunk-apart.js';

/** UTF-16 units: what is cut in some 20 ms. A thread takes longer than that to begin. */
const APART_FROM = 256 * 1024;

/** Cuts a document by a strategy; a large one in a thread of its own, so that the service answers meanwhile. */
export const chunkDocument = async (
  document: ChunkableDocument,
  { chunking, ...settings }: ChunkSettings & { chunking: Chunking },
  encode: EncodePassages,
): Promise<ChunkedParagraph[]> => {
  if (document.text.length < APART_FROM) return STRATEGIES[chunking](document, settings, encode);
  const { text, blocks, language, pageStarts } = document; // of what was parsed nothing else goes along
  return chunkApart({ document: { text, blocks, language, pageStarts }, chunking, settings }, encode);
};
