/** A date as documents write it for machines, as ISO 8601 in UTC; null for anything else, and for years no file is from. */
export const isoDate = (written: string | null | undefined): string | null => {
  if (!written || !/^\s*(\d{4}-\d{2}(-\d{2})?|\w{3},? \d{1,2} \w{3} \d{4}|\w{3,9} \d{1,2},? \d{4})/.test(written))
    return null;
  const time = new Date(written.trim());
  const year = time.getUTCFullYear(); // NaN where the date is none
  return year >= 1500 && year <= 2200 ? time.toISOString() : null;
};
