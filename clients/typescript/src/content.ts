// The messages and services of skald.content.v1, as the contracts have them.
export * from "./gen/skald/content/v1/content_pb.js";
