import {
  askParagraphTexts,
  CodedError,
  failure,
  type Notice,
  type PointPayload,
  type Requests,
} from '@postmaster/contracts';

interface Textual {
  id: string;
  payload: PointPayload;
}

/**
 * The same, with the texts of those that are stored by reference. Those that can't be read, because their files are gone
 * or have changed, or soon enough, stay without a text, and notices say why.
 */
export type FillTexts = <T extends Textual>(
  token: string,
  items: readonly T[],
) => Promise<{ filled: T[]; notices: Notice[] }>;

/** A search waits no longer for files. */
const PATIENCE_MS = 1_500;
const MOST_NOTICES = 5;

/** From ingestion, which reads them; nothing is asked where every text is there. */
export const fillTexts =
  (requests: Requests): FillTexts =>
  async (token, items) => {
    const ids = items.filter(({ payload }) => payload.reference).map(({ id }) => id);
    if (ids.length === 0) return { filled: [...items], notices: [] };
    try {
      const { texts, failures } = await askParagraphTexts(requests, token, ids, PATIENCE_MS);
      const filled = items.map((item) => {
        const { text, trail } = texts.get(item.id) ?? item.payload;
        return { ...item, payload: { ...item.payload, text, trail } };
      });
      const notices = new Map([...failures.values()].map((one) => [`${one.code} ${one.message}`, one]));
      return { filled, notices: [...notices.values()].slice(0, MOST_NOTICES) };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { filled: [...items], notices: [failure(error.code, 'Texts that stand in files could not be read.')] };
    }
  };
