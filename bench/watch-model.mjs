/** When the first call came in and the last reply went out, to 5 ms. */
export const watchModel = (model) => {
  let firstCall;
  let lastReply;
  let running = 0;
  const timer = setInterval(() => {
    if (model.calls.length > 0) firstCall ??= performance.now();
    if (model.running < running) lastReply = performance.now();
    running = model.running;
  }, 5);
  return {
    end: () => {
      clearInterval(timer);
      return { firstCall, lastReply };
    },
  };
};
