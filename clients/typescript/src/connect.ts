// Where a server is, and who calls: transports and clients of every service.

import { type Client, Code, ConnectError, type Interceptor, type Transport, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import { abortable } from "./abortable.js";
import { DiceService } from "./gen/skald/dice/v1/dice_pb.js";
import { ContentService } from "./gen/skald/encounter/v1/content_pb.js";
import { EncounterService } from "./gen/skald/encounter/v1/encounter_pb.js";
import { RecordService } from "./gen/skald/encounter/v1/record_pb.js";
import { WhatIfService } from "./gen/skald/encounter/v1/whatif_pb.js";
import { InjuryService } from "./gen/skald/injury/v1/injury_pb.js";
import { RulesService } from "./gen/skald/rules/v1/rules_pb.js";

/**
 * A token, or what gets one: it is asked before each call, so it should keep the
 * token as long as it is good. `stale` is the token that the server did not take any
 * more, where the last call was refused for its token.
 */
export type TokenSource = string | ((stale?: string) => string | undefined | Promise<string | undefined>);

/** What {@link connect} is told. */
export interface ConnectOptions {
  /** Address of the server's web listener, with its base path: `https://table.example/skald`. */
  url?: string;
  /** Bearer token; none at a server without keys. */
  token?: TokenSource;
  /**
   * A transport of one's own in the place of `url`: gRPC from Node
   * (`createGrpcTransport` of `@connectrpc/connect-node`), or one for tests. It is
   * given the interceptors, with that of the token.
   */
  transport?: (interceptors: Interceptor[]) => Transport;
  /** Binary messages instead of JSON: smaller, and nothing to read in a browser's tools. True unless said. */
  binary?: boolean;
  /** A `fetch` of one's own. */
  fetch?: typeof globalThis.fetch;
  /** Further interceptors, the first the outermost. */
  interceptors?: Interceptor[];
}

/** A server, and clients of its services; every method is the contract's. */
export interface Connection {
  readonly transport: Transport;
  readonly encounters: Client<typeof EncounterService>;
  readonly rules: Client<typeof RulesService>;
  readonly content: Client<typeof ContentService>;
  readonly whatIf: Client<typeof WhatIfService>;
  readonly record: Client<typeof RecordService>;
  readonly injury: Client<typeof InjuryService>;
  readonly dice: Client<typeof DiceService>;
  /**
   * Tells the token source, with the next call, that its token is not taken any more.
   * False where there is no source that could give another.
   */
  renewToken(): boolean;
}

/** The interceptor that puts a token on every call. */
export interface Authorizer {
  readonly interceptor: Interceptor;
  /** See {@link Connection.renewToken}. */
  renewToken(): boolean;
}

/**
 * Puts the token on every call. Where a source is asked and the server does not take
 * its token any more, the source is asked once for another, and the call made again.
 */
export function authorize(token: TokenSource): Authorizer {
  if (typeof token === "string") {
    return {
      interceptor: (next) => (request) => {
        carry(request.header, token);
        return next(request);
      },
      renewToken: () => false,
    };
  }
  let last: string | undefined, stale = false;
  const bearer = async () => {
    last = await token(stale ? last : undefined);
    stale = false;
    return last;
  };
  return {
    interceptor: (next) => async (request) => {
      const first = await bearer();
      carry(request.header, first);
      if (request.stream) return next(request); // whoever reads it renews
      try {
        return await next(request);
      } catch (err) {
        if (ConnectError.from(err).code !== Code.Unauthenticated) throw err;
        const second = await token(first);
        if (second === undefined || second === first) throw err;
        last = second;
        carry(request.header, second);
        return next(request);
      }
    },
    renewToken: () => (stale = true),
  };
}

function carry(header: Headers, bearer: string | undefined): void {
  if (bearer !== undefined && bearer !== "") header.set("authorization", `Bearer ${bearer}`);
}

/** Connects to a server; nothing is sent before the first call. */
export function connect(options: ConnectOptions): Connection {
  const { url, transport: make, binary = true, fetch } = options;
  const auth = options.token === undefined ? undefined : authorize(options.token);
  const interceptors = [...(options.interceptors ?? []), ...(auth ? [auth.interceptor] : [])];
  if (url === undefined && make === undefined) throw new TypeError("connect needs a url or a transport");
  const transport = make ? make(interceptors) : createConnectTransport({
    baseUrl: url!, useBinaryFormat: binary, interceptors, fetch: abortable(fetch ?? ((...call) => globalThis.fetch(...call))),
  });
  return {
    transport,
    encounters: createClient(EncounterService, transport),
    rules: createClient(RulesService, transport),
    content: createClient(ContentService, transport),
    whatIf: createClient(WhatIfService, transport),
    record: createClient(RecordService, transport),
    injury: createClient(InjuryService, transport),
    dice: createClient(DiceService, transport),
    renewToken: () => auth?.renewToken() ?? false,
  };
}
