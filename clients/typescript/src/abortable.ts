// Streams that end when they are told to.

/**
 * A fetch whose answers end when the signal is aborted. Node's own (20 to 24) forgets the
 * signal of a fetch once memory was collected, and a stream that nobody reads any more
 * would go on for ever.
 */
export function abortable(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await fetch(input, init), { body } = answer, signal = init?.signal;
    if (!body || !signal) return answer;
    const from = body.getReader();
    let forget = (): void => undefined;
    const through = new ReadableStream<Uint8Array>({
      start(to) {
        const stop = () => {
          to.error(signal.reason);
          from.cancel(signal.reason).catch(() => undefined); // it may have ended by itself
        };
        forget = () => signal.removeEventListener("abort", stop);
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      },
      async pull(to) {
        try {
          const { done, value } = await from.read();
          if (signal.aborted) return;
          if (value) to.enqueue(value);
          if (!done) return;
          to.close();
        } catch (err) {
          if (signal.aborted) return;
          to.error(err);
        }
        forget();
      },
      cancel(reason) {
        forget();
        return from.cancel(reason);
      },
    }, { highWaterMark: 0 });
    return new Response(through, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
  };
}
