// Where a server is, and who calls: transports and clients of every service.

import { type Client, Code, ConnectError, type Interceptor, type Transport, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

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
   * (`createGrpcTransport` of `@connectrpc/connect-node`), or one for tests. It must
   * be made with the interceptor {@link authorize} where a token is needed.
   */
  transport?: Transport;
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
}

/**
 * Puts the token on every call. Where a source is asked and the server does not take
 * its token any more, the source is asked once for another, and the call made again.
 */
export function authorize(token: TokenSource): Interceptor {
  return (next) => async (request) => {
    const first = typeof token === "string" ? token : await token();
    carry(request.header, first);
    if (typeof token === "string" || request.stream) return next(request);
    try {
      return await next(request);
    } catch (err) {
      if (ConnectError.from(err).code !== Code.Unauthenticated) throw err;
      const second = await token(first);
      if (second === undefined || second === first) throw err;
      carry(request.header, second);
      return next(request);
    }
  };
}

function carry(header: Headers, bearer: string | undefined): void {
  if (bearer !== undefined && bearer !== "") header.set("authorization", `Bearer ${bearer}`);
}

/** Connects to a server; nothing is sent before the first call. */
export function connect(options: ConnectOptions): Connection {
  const transport = options.transport ?? webTransport(options);
  return {
    transport,
    encounters: createClient(EncounterService, transport),
    rules: createClient(RulesService, transport),
    content: createClient(ContentService, transport),
    whatIf: createClient(WhatIfService, transport),
    record: createClient(RecordService, transport),
    injury: createClient(InjuryService, transport),
    dice: createClient(DiceService, transport),
  };
}

function webTransport(options: ConnectOptions): Transport {
  if (options.url === undefined) throw new TypeError("connect needs a url or a transport");
  const interceptors = [...(options.interceptors ?? [])];
  if (options.token !== undefined) interceptors.push(authorize(options.token));
  return createConnectTransport({
    baseUrl: options.url,
    useBinaryFormat: options.binary ?? true,
    interceptors,
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  });
}
