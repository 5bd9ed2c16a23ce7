import type { ReadText } from './document-text.js';
import { asWritten, type Found, type Piece, trimmed } from './found.js';
import { labelled, labelPattern } from './labels.js';
import { firstName } from './party-fields.js';
import { readDates } from './read-dates.js';
import { COMPANY, LABELS, SEAT_WORDS } from './words.js';

const EVENT = labelPattern(LABELS.event);
const VENUE = labelPattern(LABELS.venue);
const SEAT = labelPattern(LABELS.seat);
const ATTENDEES = labelPattern(LABELS.attendees);
const TRAVEL = /(?<![\p{L}])(?:afgang|depart|flight|fra:|til:|ankomst|arrive|færge|bus|coach|tog)(?![\p{L}])/iu;
const IS_COMPANY = new RegExp(String.raw`(?<![\p{L}])${COMPANY}(?![\p{L}])`, 'u');

/** What it lets in to: the event, where, which seat, and for whom. */
export const ticketFields = (read: ReadText): Found[] => [
  ...eventOf(read),
  ...placeOf(read),
  ...seatOf(read),
  ...attendeesOf(read),
];

/** With a label; else the name at the top, unless that is who carries passengers or has the stage. */
const eventOf = (read: ReadText): Found[] => {
  const found = labelled(read.lines, EVENT)[0];
  if (found) return [{ name: 'event', value: asWritten(found), at: [found] }];
  const presents = read.lines.findIndex(({ text }) => /^(?:presents|præsenterer)$/iu.test(text));
  const top = presents < 0 ? firstName(read) : read.lines[presents + 1];
  const vendor = presents < 0 && (isTravel(read) || (top && IS_COMPANY.test(top.text)) || isYearly(read));
  return top && !vendor ? [{ name: 'event', value: asWritten(top), at: [top] }] : [];
};

/** The name at the top is an event's, and not of who sold the ticket. */
export const isEventOnTop = (read: ReadText): boolean => {
  const [event] = eventOf(read);
  return event !== undefined && event.at[0]?.start === firstName(read)?.start;
};

const isTravel = ({ text }: ReadText): boolean => TRAVEL.test(text);
const isYearly = ({ text }: ReadText): boolean => /årskort|season ticket|gælder fra|valid from/iu.test(text);

const placeOf = (read: ReadText): Found[] => {
  const found = labelled(read.lines, VENUE)[0];
  const day = found && readDates(found.text, false)[0];
  const place = found && day ? trimmed(read.text, found.start, found.start + day.start) : found;
  return place?.text && !/^(?:kl|\d)/iu.test(place.text)
    ? [{ name: 'place', value: asWritten(place), at: [place] }]
    : [];
};

/** A line of several words for it, whole; else what the label names. */
const seatOf = ({ lines }: ReadText): Found[] => {
  const line = lines.find(
    ({ text }) => (text.match(SEAT_WORDS)?.length ?? 0) > 1 && readDates(text, false).length === 0,
  );
  const seat: Piece | undefined = line ?? labelled(lines, SEAT)[0];
  return seat ? [{ name: 'seat', value: asWritten(seat), at: [seat] }] : [];
};

const attendeesOf = ({ lines, text }: ReadText): Found[] => {
  const found = labelled(lines, ATTENDEES).find((value) => !/\d/.test(value.text));
  if (!found) return [];
  const names = [...found.text.matchAll(/[^,]+/gu)].map(({ 0: name, index }) =>
    trimmed(text, found.start + index, found.start + index + name.length),
  );
  return [{ name: 'attendees', value: names.map(asWritten), at: names }];
};
