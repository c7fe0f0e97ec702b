// Waiting: longer each time, never all at once, and never longer than one is asked to.

/** How long is waited between tries. */
export interface Backoff {
  /** After the first failure, in milliseconds. */
  readonly first: number;
  /** At the most. */
  readonly most: number;
}

/** What commands and watches wait unless told otherwise. */
export const standardBackoff: Backoff = { first: 250, most: 10_000 };

/** How long to wait before try `n` (from 1): at random between half and all of what has doubled so often, at least what the server asks. */
export function delayMillis(backoff: Backoff, n: number, asked = 0): number {
  const whole = Math.min(backoff.most, backoff.first * 2 ** Math.min(n - 1, 30));
  return Math.max(asked * (1 + Math.random() / 4), whole * (0.5 + Math.random() / 2));
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const done = () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    };
    const timer = setTimeout(done, millis);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
