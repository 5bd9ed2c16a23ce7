import { CodedError, withoutInvisible } from '@postmaster/contracts';
import type { Block, ParsedDocument } from '@postmaster/ingestion';
import type { Format } from './format.js';
import { FORMATS } from './formats.js';
import { image } from './formats/image.js';
import { pdf } from './formats/pdf.js';
import { languageOf } from './language.js';
import { noOcr, type Ocr } from './ocr/ocr.js';
import { codePointSlices } from './plain-text.js';
import { openSource } from './source-file.js';
import { unknownType } from './unknown-type.js';
import { notUnpacked, type Unpacking } from './unpacking.js';

/** Languages are told from this much of a document. */
const SAMPLE = 20_000;
/** Fewer words take on the document's language: a title in another is rarely told rightly. */
const ENOUGH_WORDS = 20;
const TITLE_WITHIN = 20; // blocks
const ZERO = /\0/g; // no database keeps one

/**
 * Reads a document, in this process: for bytes that may be hostile, see childProcessParser. Files within it go to
 * `unpacking`, pages that are pictures to `ocr`. Throws CodedErrors only.
 */
export const parseBytes = async (
  bytes: Uint8Array,
  name: string,
  declaredType?: string,
  unpacking: Unpacking = notUnpacked(),
  ocr: Ocr = noOcr,
): Promise<ParsedDocument> => {
  if (bytes.byteLength === 0) throw new CodedError('EMPTY_FILE', 'The file has no bytes.');
  const file = await openSource(bytes, name, declaredType);
  const format = FORMATS.find((candidate) => candidate.matches(file));
  if (!format) throw unknownType(file);
  const { declaredLanguage, ...draft } = await format.parse(file, unpacking, ocr).catch((cause: unknown) => {
    if (cause instanceof CodedError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('DOCUMENT_BROKEN', `The file can't be read as ${format.contentType}: ${why}`, { cause });
  });
  if (!/[\p{L}\p{N}]/u.test(draft.text)) throw noText(format, ocr);

  const texts = codePointSlices(draft.text, draft.blocks);
  const language = languageOf(draft.text.slice(0, SAMPLE)) ?? wellFormed(declaredLanguage);
  const blocks = draft.blocks.map((block, index) => {
    const text = texts[index] ?? '';
    const own = block.kind === 'code' || text.split(/\s+/).length < ENOUGH_WORDS ? null : languageOf(text);
    return own === null ? block : { ...block, language: own };
  });
  const title = withoutInvisible(draft.title ?? firstHeading(draft.blocks, texts) ?? '').trim() || null;
  const attachments = unpacking.found.length > 0 ? { attachments: [...unpacking.found] } : {};
  const metadata = seen({ ...draft.metadata, ...ocr.facts() });
  return { contentType: format.contentType, ...draft, metadata, title, language, blocks, ...attachments };
};

const seen = (metadata: ParsedDocument['metadata']): ParsedDocument['metadata'] =>
  Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      typeof value === 'string' ? withoutInvisible(value).replace(ZERO, '') : value,
    ]),
  );

/** The highest of the headings near the document's start. */
const firstHeading = (blocks: readonly Block[], texts: readonly string[]): string | null => {
  const headings = blocks
    .slice(0, TITLE_WITHIN)
    .flatMap((block, index) => (block.kind === 'heading' ? [{ block, text: texts[index] }] : []));
  const highest = Math.min(...headings.map(({ block }) => block.level ?? 1));
  return headings.find(({ block }) => block.level === highest)?.text?.replace(/\s+/g, ' ') ?? null;
};

const wellFormed = (language: string | undefined): string | null =>
  language !== undefined && /^[a-z]{2}$/i.test(language.slice(0, 2)) ? language.slice(0, 2).toLowerCase() : null;

const noText = (format: Format, ocr: Ocr): CodedError => {
  if (format === image) return new CodedError('NO_TEXT', 'No words were recognised in the picture.');
  if (format !== pdf)
    return new CodedError('NO_TEXT', 'The document holds no words.', {
      next: 'Check that the right file was uploaded.',
    });
  if (ocr.isOn) return new CodedError('NO_TEXT', 'The PDF has no text, and no words were recognised in its pictures.');
  return new CodedError('NO_TEXT', 'The PDF has no text, only pictures; it seems to be a scan.', {
    next: 'Switch text recognition on (OCR=on), or recognise its text (OCR) elsewhere and upload the result.',
  });
};
