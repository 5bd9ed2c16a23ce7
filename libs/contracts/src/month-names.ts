/** What the months are called in Danish and English, written out and short, in lower case; words of one month between spaces. */
export const MONTHS: readonly string[] = [
  'january januar jan',
  'february februar feb',
  'march marts mar',
  'april apr',
  'may maj',
  'june juni jun',
  'july juli jul',
  'august aug',
  'september sept sep',
  'october oktober oct okt',
  'november nov',
  'december dec',
];
