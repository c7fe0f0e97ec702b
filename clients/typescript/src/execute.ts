// Commands: each is carried out once, however often it had to be sent.

import type { MessageInitShape } from "@bufbuild/protobuf";

import { type Backoff, delayMillis, sleep, standardBackoff } from "./backoff.js";
import type { Connection } from "./connect.js";
import { SkaldError } from "./errors.js";
import { type ExecuteRequestSchema, type ExecuteResponse } from "./gen/skald/encounter/v1/encounter_pb.js";

/** How a command is sent. */
export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  /** For one try, in milliseconds; 15000 unless said. */
  readonly timeoutMillis?: number;
  /** After how many milliseconds no further try is made; 60000 unless said. */
  readonly withinMillis?: number;
  readonly backoff?: Backoff;
  /** Told of each try that failed and is made again. */
  readonly onRetry?: (error: SkaldError, waitMillis: number) => void;
}

/** A request id that nobody else has. */
export function requestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID is not there over plain http
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/**
 * Carries out a command. Where nothing answers, or the server asks for it, the same
 * request is sent again with the same request id, so that it is done once. A request
 * without an id gets one. Rejects with a {@link SkaldError}, or with the signal's
 * reason when it is aborted; after an error whose `again` is true the outcome is not
 * known, and the same request may be given again.
 */
export async function execute(
  connection: Connection, request: MessageInitShape<typeof ExecuteRequestSchema>, options: ExecuteOptions = {},
): Promise<ExecuteResponse> {
  const once = { ...request, requestId: request.requestId || requestId() } as MessageInitShape<typeof ExecuteRequestSchema>;
  return withRetries((call) => connection.encounters.execute(once, call), options);
}

/** Makes a call that may be repeated until it succeeds, is refused, or its time is over. */
export async function withRetries<T>(
  call: (options: { signal?: AbortSignal; timeoutMs: number }) => Promise<T>, options: ExecuteOptions = {},
): Promise<T> {
  const { signal, timeoutMillis = 15_000, withinMillis = 60_000, backoff = standardBackoff, onRetry } = options;
  const end = Date.now() + withinMillis;
  for (let n = 1; ; n++) {
    signal?.throwIfAborted();
    try {
      return await call({ ...(signal ? { signal } : {}), timeoutMs: timeoutMillis });
    } catch (err) {
      signal?.throwIfAborted();
      const refused = SkaldError.from(err), wait = delayMillis(backoff, n, refused.retryMillis);
      if (!refused.again || Date.now() + wait > end) throw refused;
      onRetry?.(refused, wait);
      await sleep(wait, signal);
    }
  }
}
