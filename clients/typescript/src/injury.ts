// The messages and services of skald.injury.v1, as the contracts have them.
export * from "./gen/skald/injury/v1/injury_pb.js";
export * from "./gen/skald/injury/v1/record_pb.js";
export * from "./gen/skald/injury/v1/ruling_pb.js";
