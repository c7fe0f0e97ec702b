// The messages and services of skald.dice.v1, as the contracts have them.
export * from "./gen/skald/dice/v1/dice_pb.js";
export * from "./gen/skald/dice/v1/record_pb.js";
