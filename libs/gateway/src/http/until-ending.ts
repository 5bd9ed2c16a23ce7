/**
 * The items of `source` until `signal`; then `last`, at once: an item that is awaited just then is let go, and so is
 * the source, when it comes to itself.
 */
export async function* untilEnding<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  last: () => T,
): AsyncGenerator<T, void> {
  const items = source[Symbol.asyncIterator]();
  let end = () => {};
  const ending = new Promise<'ending'>((resolve) => {
    end = () => resolve('ending');
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  let over = false;
  try {
    for (;;) {
      const next = items.next();
      const item = await Promise.race([next, ending]);
      if (item === 'ending') {
        next.catch(() => {}); // its failure has no one left to tell
        yield last();
        return;
      }
      over = item.done === true;
      if (item.done) {
        if (signal.aborted) yield last(); // the source may have noticed first
        return;
      }
      yield item.value;
    }
  } finally {
    signal.removeEventListener('abort', end);
    if (!over) items.return?.().catch(() => {});
  }
}
