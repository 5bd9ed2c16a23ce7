const PATIENCE_MS = 1_000;

/** Waits until something is closed, but not long: what hangs there must not hold the findings up. Never throws. */
export const closeSoon = async (closing: Promise<unknown> | undefined): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const longEnough = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  await Promise.race([closing?.catch(() => undefined), longEnough]);
  clearTimeout(timer);
};
