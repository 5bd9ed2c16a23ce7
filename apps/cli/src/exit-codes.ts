/** What a script can go by. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  notAllowed: 4,
  /** Ctrl-C, as shells count it. */
  stopped: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
