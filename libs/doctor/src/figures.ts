/** "1 message", "1,204 messages". */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${Math.round(n).toLocaleString('en')} ${n === 1 ? one : many}`;

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** "812 bytes", "3.4 MB": powers of 1,000, as disks are sold. */
export const size = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${UNITS[power]}`;
};

/** "8 s", "3 min", "2 h", "7 days": to one unit, rounded down. */
export const age = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7_200) return `${Math.floor(whole / 60)} min`;
  if (whole < 172_800) return `${Math.floor(whole / 3_600)} h`;
  return `${Math.floor(whole / 86_400)} days`;
};

/** "a, b and c". */
export const listed = (all: readonly string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;

/** Whether "1.18.3" is at least 1.18; what is no version is none. */
export const isAtLeast = (version: string, major: number, minor: number): boolean => {
  const [a = 0, b = 0] = version.replace(/^v/, '').split('.').map(Number);
  return a > major || (a === major && b >= minor);
};
