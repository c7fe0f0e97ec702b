// What a server refused, and why: the errors of every call in one type.

import { Code, ConnectError } from "@connectrpc/connect";

import { PackProblemsSchema } from "./gen/skald/encounter/v1/content_pb.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

export { Code } from "@connectrpc/connect";

/** One field that is wrong. */
export interface Violation {
  /** Path of the field, such as `command.take.targets[0]`. */
  readonly field: string;
  readonly description: string;
  /** Of a pack: file and line, 0 where it is about the whole file. */
  readonly file?: string;
  readonly line?: number;
}

/** An error of a call: decide by `code` and `reason`, show `message`. */
export class SkaldError extends Error {
  override readonly name = "SkaldError";
  /** Code of gRPC. */
  readonly code: Code;
  /** Stable word in upper case, such as NOT_YOUR_TURN; empty where Skald did not make the error. */
  readonly reason: string;
  /** Kind, such as `illegal`; empty where Skald did not make the error. */
  readonly fault: string;
  /** Id of the rule behind a refusal; empty for none. */
  readonly rule: string;
  readonly violations: readonly Violation[];
  /** Further facts, such as `limit`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** How long to wait before the same request, as the server asks; undefined where it says nothing. */
  readonly retryMillis: number | undefined;

  private constructor(err: ConnectError) {
    super(err.rawMessage, { cause: err });
    const info = err.findDetails(ErrorInfoSchema).find((d) => d.domain === "skald");
    const { fault = "", rule = "", ...metadata } = info?.metadata ?? {};
    this.code = err.code;
    this.reason = info?.reason ?? "";
    this.fault = fault;
    this.rule = rule;
    this.metadata = metadata;
    const files = err.findDetails(PackProblemsSchema).flatMap((d) => d.problems);
    this.violations = files.length > 0
      ? files.map((p) => ({ field: p.field, description: p.text, file: p.file, line: p.line }))
      : err.findDetails(BadRequestSchema).flatMap((d) => d.fieldViolations.map(({ field, description }) => ({ field, description })));
    const delay = err.findDetails(RetryInfoSchema).find((d) => d.retryDelay)?.retryDelay;
    this.retryMillis = delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6;
  }

  /** The error of a call; one that is a SkaldError stays itself. */
  static from(err: unknown): SkaldError {
    return err instanceof SkaldError ? err : new SkaldError(ConnectError.from(err));
  }

  /** Skald itself answered, not a proxy or the connection. */
  get fromSkald(): boolean {
    return this.reason !== "";
  }

  /**
   * The same request may be sent again as it is: nothing answered, or what did says
   * so. With a request id a command is carried out once, however often it is sent.
   */
  get again(): boolean {
    switch (this.code) {
      case Code.Unavailable:
        return true;
      case Code.ResourceExhausted:
      case Code.Aborted:
        return this.fromSkald ? this.retryMillis !== undefined : true;
      case Code.Unknown:
      case Code.Internal:
      case Code.Canceled:
      case Code.DeadlineExceeded:
        return !this.fromSkald;
    }
    return false;
  }
}
