export interface StreamEvent {
  event: string;
  data: string;
}

/** Server-sent events as the HTML standard defines them, but for ids and retry times, which nobody here needs. */
export async function* eventsIn(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

const eventOf = (block: string): StreamEvent | undefined => {
  let event = 'message';
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return data.length > 0 ? { event, data: data.join('\n') } : undefined;
};
