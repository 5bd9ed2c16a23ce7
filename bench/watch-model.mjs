/** When the first call came in, and when the last reply went out: of all, and of those about paragraphs; to 5 ms. */
export const watchModel = (model) => {
  let firstCall;
  let lastReply;
  let lastOfParagraphs;
  let running = 0;
  let answered = 0;
  const timer = setInterval(() => {
    if (model.calls.length > 0) firstCall ??= performance.now();
    if (model.running < running) {
      lastReply = performance.now();
      const now = ofParagraphs(model).filter(({ outcome }) => outcome === 'answered').length;
      if (now > answered) lastOfParagraphs = lastReply;
      answered = now;
    }
    running = model.running;
  }, 5);
  return {
    end: () => {
      clearInterval(timer);
      return { firstCall, lastReply, lastOfParagraphs };
    },
  };
};

/** The calls that are about paragraphs' facets. */
export const ofParagraphs = ({ calls }) => calls.filter(({ asked }) => asked.kind === 'facets');
