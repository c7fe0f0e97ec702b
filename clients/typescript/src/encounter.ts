// The messages and services of skald.encounter.v1, as the contracts have them.
export * from "./gen/skald/encounter/v1/content_pb.js";
export * from "./gen/skald/encounter/v1/encounter_pb.js";
export * from "./gen/skald/encounter/v1/past_pb.js";
export * from "./gen/skald/encounter/v1/person_pb.js";
export * from "./gen/skald/encounter/v1/record_pb.js";
export * from "./gen/skald/encounter/v1/whatif_pb.js";
