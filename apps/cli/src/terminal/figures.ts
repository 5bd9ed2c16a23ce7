/** "1 document", "1,204 documents"; letters other than s are given as the plural. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${Math.round(n).toLocaleString('en')} ${n === 1 ? one : many}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** "812 bytes", "3.4 MB": powers of 1,000, as disks are sold. */
export const size = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${UNITS[power]}`;
};

/** "8 s", "3 min 20 s", "2 h 5 min". */
export const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min${whole % 60 ? ` ${whole % 60} s` : ''}`;
  const minutes = Math.round((whole % 3600) / 60);
  return `${Math.floor(whole / 3600)} h${minutes ? ` ${minutes} min` : ''}`;
};

/** With two figures: more of them would promise too much of an estimate. */
export const roughly = (n: number): number => Number(n.toPrecision(2));
