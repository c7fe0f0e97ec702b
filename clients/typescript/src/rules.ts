// The messages and services of skald.rules.v1, as the contracts have them.
export * from "./gen/skald/rules/v1/rules_pb.js";
