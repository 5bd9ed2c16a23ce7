export { count, size } from '@postmaster/doctor/figures';

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
