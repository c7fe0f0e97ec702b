// Watching: every step once and in order, over connections that are lost, proxies that
// hold streams back, and tokens that run out.

import { type Backoff, delayMillis, sleep, standardBackoff } from "./backoff.js";
import type { Connection } from "./connect.js";
import { Code, SkaldError } from "./errors.js";
import { withRetries } from "./execute.js";
import { fold } from "./fold.js";
import type { PublicMark } from "./gen/skald/encounter/v1/record_pb.js";
import type { Step, WatchEnd, WatchResponse } from "./gen/skald/encounter/v1/encounter_pb.js";
import type { Principal } from "./gen/skald/event/v1/common_pb.js";
import type { State } from "./gen/skald/event/v1/state_pb.js";

/** What is watched. */
export interface WatchRequest {
  readonly encounter: string;
  /** On whose behalf; may be left out with a token. */
  readonly as?: Principal;
  /** Table; none means the token's, or "main". */
  readonly table?: string;
  /** Steps after this cursor; none means from the beginning. */
  readonly after?: string;
  /** Ask for the bytes that the transcript is over. */
  readonly withBytes?: boolean;
}

/** How it is watched. */
export interface WatchOptions {
  /** Ends the watch: the iteration is over then, without an error. */
  readonly signal?: AbortSignal;
  readonly backoff?: Backoff;
  /** How long a new stream may take until its first message, in milliseconds; 10000 unless said. A server sends one at once. */
  readonly firstMillis?: number;
  /** How many streams one after the other may bring nothing before histories are asked for instead; 2 unless said. 0 asks at once. */
  readonly silentStreams?: number;
  /** How often histories are asked for, in milliseconds; 2000 unless said. */
  readonly pollMillis?: number;
  /** For how long, before a stream is tried again; 300000 unless said. */
  readonly pollForMillis?: number;
}

/** What a watch tells. */
export type WatchEvent =
  | { readonly kind: "step"; readonly step: Step }
  /** All that was there is told; comes again after each new connection. `polling` says that histories are asked for. */
  | { readonly kind: "caughtUp"; readonly cursor: string; readonly number: bigint; readonly public: PublicMark | undefined; readonly polling: boolean }
  /** Nothing happened, and the connection lives. */
  | { readonly kind: "alive"; readonly cursor: string; readonly public: PublicMark | undefined; readonly unixMillis: number }
  /** The connection is lost; the watch goes on by itself after the time given. */
  | { readonly kind: "lost"; readonly error: SkaldError; readonly waitMillis: number };

const silenceMillis = 50_000; // until a heartbeat says how often they come

/**
 * Watches an encounter. What ends a connection is mended: the next one goes on from
 * the last cursor. Iteration ends when the signal is aborted; it rejects with a
 * {@link SkaldError} when the server refuses the watch for good.
 */
export async function* watch(connection: Connection, request: WatchRequest, options: WatchOptions = {}): AsyncGenerator<WatchEvent, void, undefined> {
  const w = new Watcher(connection, request, options);
  try {
    yield* w.run();
  } catch (err) {
    if (!options.signal?.aborted) throw err;
  }
}

/** A state and what led to it. */
export interface Followed {
  readonly state: State;
  readonly event: WatchEvent | { readonly kind: "state"; readonly number: bigint; readonly cursor: string };
}

/**
 * The viewer's state now, and then the state after everything that a watch tells.
 * `after` of the request is not looked at.
 */
export async function* follow(connection: Connection, request: WatchRequest, options: WatchOptions = {}): AsyncGenerator<Followed, void, undefined> {
  const { signal } = options, { encounter, as, table = "" } = request;
  const ask = { encounter, table, ...(as ? { as } : {}) };
  try {
    const now = await withRetries((call) => connection.encounters.getState(ask, call), { ...(signal ? { signal } : {}), withinMillis: Infinity });
    let state = now.state!;
    yield { state, event: { kind: "state", number: now.number, cursor: now.cursor } };
    for await (const event of watch(connection, { ...request, after: now.cursor }, options)) {
      if (event.kind === "step") state = fold(state, event.step);
      yield { state, event };
    }
  } catch (err) {
    if (!signal?.aborted) throw err;
  }
}

class Silence extends Error {}

class Watcher {
  readonly #connection: Connection;
  readonly #request: WatchRequest;
  readonly #options: WatchOptions;
  #cursor: string;
  /** Number of the last step; undefined until one is known. */
  #number: bigint | undefined;
  #silence = silenceMillis;
  #failures = 0;
  #silent = 0;
  #refusedTokens = 0;

  constructor(connection: Connection, request: WatchRequest, options: WatchOptions) {
    this.#connection = connection;
    this.#request = request;
    this.#options = options;
    this.#cursor = request.after ?? "";
    if (this.#cursor === "") this.#number = 0n;
  }

  async *run(): AsyncGenerator<WatchEvent, void, undefined> {
    const { signal, backoff = standardBackoff, silentStreams = 2 } = this.#options;
    for (;;) {
      signal?.throwIfAborted();
      let refused: SkaldError;
      try {
        const end = this.#silent >= silentStreams ? yield* this.#poll() : yield* this.#stream();
        refused = this.#ended(end);
        if (end === "stream") continue;
      } catch (err) {
        signal?.throwIfAborted();
        refused = this.#mendable(err);
      }
      const wait = delayMillis(backoff, ++this.#failures, refused.retryMillis);
      yield { kind: "lost", error: refused, waitMillis: wait };
      await sleep(wait, signal);
    }
  }

  /** Why the server ended a stream. One that it ends without again is not watched on, unless for a token that may be a new one. */
  #ended(end: WatchEnd | "stream" | undefined): SkaldError {
    const words = end === undefined || end === "stream" ? "the stream ended" : end.message || end.reason;
    const err = SkaldError.from(new Error(words));
    if (end === undefined || end === "stream" || end.again) return err;
    return this.#tokenOr(end.reason.startsWith("TOKEN_"), err);
  }

  /** The error, if what it ended may be begun again; otherwise throws it. */
  #mendable(err: unknown): SkaldError {
    const refused = SkaldError.from(err);
    return refused.again ? refused : this.#tokenOr(refused.code === Code.Unauthenticated, refused);
  }

  #tokenOr(token: boolean, err: SkaldError): SkaldError {
    if (!token || ++this.#refusedTokens > 2 || !this.#connection.renewToken()) throw err;
    return err;
  }

  get #who() {
    const { as, encounter, table = "" } = this.#request;
    return { encounter, table, ...(as ? { as } : {}) };
  }

  /** One stream. Returns why the server ended it, if it said so. */
  async *#stream(): AsyncGenerator<WatchEvent, WatchEnd | undefined, undefined> {
    const { signal, firstMillis = 10_000 } = this.#options;
    const stop = new AbortController(), silence = new Silence("nothing came from the server for too long");
    const follow = () => stop.abort(signal?.reason);
    signal?.addEventListener("abort", follow, { once: true });
    let heard = false;
    try {
      const stream = this.#connection.encounters.watch(
        { ...this.#who, after: this.#cursor, withBytes: this.#request.withBytes ?? false }, { signal: stop.signal, timeoutMs: 0 },
      )[Symbol.asyncIterator]();
      for (;;) {
        const message = await within(stream.next(), heard ? this.#silence : firstMillis, () => stop.abort(silence), silence);
        if (message.done) return undefined;
        signal?.throwIfAborted();
        heard = true;
        this.#silent = this.#failures = this.#refusedTokens = 0;
        const what = message.value.what;
        if (what.case === "end") {
          this.#moveTo(what.value.cursor);
          return what.value;
        }
        yield* this.#told(what);
      }
    } finally {
      if (!heard && stop.signal.reason === silence) this.#silent++;
      signal?.removeEventListener("abort", follow);
      stop.abort();
    }
  }

  *#told(what: WatchResponse["what"]): Generator<WatchEvent, void, undefined> {
    switch (what.case) {
      case "step":
        if (this.#next(what.value)) yield { kind: "step", step: what.value };
        return;
      case "caughtUp":
        this.#number ??= what.value.number;
        this.#moveTo(what.value.cursor);
        yield { kind: "caughtUp", cursor: this.#cursor, number: what.value.number, public: what.value.public, polling: false };
        return;
      case "heartbeat":
        if (what.value.intervalSeconds > 0) this.#silence = what.value.intervalSeconds * 2500;
        yield { kind: "alive", cursor: this.#cursor, public: what.value.public, unixMillis: Number(what.value.unixMillis) };
    }
  }

  #moveTo(cursor: string): void {
    if (cursor !== "") this.#cursor = cursor;
  }

  /** Takes a step on; false for one that was told before. */
  #next(step: Step): boolean {
    if (this.#number !== undefined && step.number <= this.#number) return false;
    if (this.#number !== undefined && step.number !== this.#number + 1n) {
      throw new Error(`step ${step.number} came where ${this.#number + 1n} must follow`);
    }
    this.#number = step.number;
    this.#cursor = step.cursor;
    return true;
  }

  /** Asks for histories until it is time to try a stream again. */
  async *#poll(): AsyncGenerator<WatchEvent, "stream", undefined> {
    const { signal, pollMillis = 2000, pollForMillis = 300_000 } = this.#options;
    const end = Date.now() + pollForMillis;
    let caughtUp = false;
    do {
      const from = this.#number ?? (yield* this.#find());
      const page = await this.#connection.encounters.getHistory({ ...this.#who, after: from }, { ...(signal ? { signal } : {}), timeoutMs: 15_000 });
      this.#failures = this.#refusedTokens = 0;
      for (const step of page.steps) if (this.#next(step)) yield { kind: "step", step };
      if (page.more) continue;
      if (!caughtUp) yield { kind: "caughtUp", cursor: this.#cursor, number: this.#number ?? 0n, public: undefined, polling: true };
      caughtUp = true;
      await sleep(pollMillis * (0.75 + Math.random() / 2), signal);
    } while (Date.now() < end);
    this.#silent = Math.max(0, (this.#options.silentStreams ?? 2) - 1); // one stream is tried
    return "stream";
  }

  /** The number at which the cursor given stands: a history is asked for by number. */
  async *#find(): AsyncGenerator<WatchEvent, bigint, undefined> {
    const { signal } = this.#options;
    for (let after = 0n; ;) {
      const page = await this.#connection.encounters.getHistory({ ...this.#who, after }, { ...(signal ? { signal } : {}), timeoutMs: 15_000 });
      const at = page.steps.find((step) => step.cursor === this.#cursor);
      if (at) return (this.#number = at.number);
      if (!page.more) throw SkaldError.from(new Error("the cursor is of no step in the history"));
      after = page.steps.at(-1)?.number ?? after + 1n;
    }
  }
}

/** A promise that rejects when it takes too long; late is called then. */
function within<T>(promise: Promise<T>, millis: number, late: () => void, error: Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      late();
      reject(error);
    }, millis);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
