import { cleanText, flatten, type Draft } from '../../plain-text.js';
import type { PdfDocument } from './open-pdf.js';

/** Programs write these in place of a title. */
const NO_TITLE =
  /^(untitled|microsoft word\b|document\d*$|slide \d+|print|\(?anonymous|.*\.(docx?|pdf|tex|dvi|indd|pptx?|xlsx?|qxd|rtf|ps)$)/i;

/** Title, author and date from the PDF's information dictionary (ISO 32000-1, 14.3.3). */
export const factsOfPdf = async (document: PdfDocument): Promise<Pick<Draft, 'title' | 'createdAt' | 'metadata'>> => {
  const { info } = await document.getMetadata().catch(() => ({ info: {} as Record<string, unknown> }));
  const field = (name: string): string | null => {
    const value = info[name];
    const text = typeof value === 'string' ? flatten(cleanText(value)) : '';
    return text !== '' && text.length <= 500 ? text : null;
  };
  const title = field('Title');
  const metadata: Draft['metadata'] = {};
  for (const name of ['Author', 'Subject', 'Keywords']) {
    const value = field(name);
    if (value !== null) metadata[name.toLowerCase()] = value;
  }
  return {
    title: title !== null && /\p{L}{2}/u.test(title) && !NO_TITLE.test(title) ? title : null,
    createdAt: pdfDate(field('CreationDate')),
    metadata,
  };
};

/** "D:20240131093000+01'00'" as ISO 8601 in UTC. */
const pdfDate = (written: string | null): string | null => {
  const [
    ,
    year,
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    zone = '',
    zoneHour = '00',
    zoneMinute = '00',
  ] = /^D:(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?([Z+-])?(\d{2})?'?(\d{2})?/.exec(written ?? '') ?? [];
  if (year === undefined) return null;
  const offset = zone === '+' || zone === '-' ? `${zone}${zoneHour}:${zoneMinute}` : 'Z';
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};
