// The messages and services of skald.event.v1, as the contracts have them.
export * from "./gen/skald/event/v1/action_pb.js";
export * from "./gen/skald/event/v1/command_pb.js";
export * from "./gen/skald/event/v1/commit_pb.js";
export * from "./gen/skald/event/v1/common_pb.js";
export * from "./gen/skald/event/v1/contest_pb.js";
export * from "./gen/skald/event/v1/entropy_pb.js";
export * from "./gen/skald/event/v1/event_pb.js";
export * from "./gen/skald/event/v1/harm_pb.js";
export * from "./gen/skald/event/v1/option_pb.js";
export * from "./gen/skald/event/v1/sheet_basic_pb.js";
export * from "./gen/skald/event/v1/sheet_celesia_pb.js";
export * from "./gen/skald/event/v1/sheet_original_pb.js";
export * from "./gen/skald/event/v1/sheet_pb.js";
export * from "./gen/skald/event/v1/sheet_rcr_pb.js";
export * from "./gen/skald/event/v1/sheet_spark_pb.js";
export * from "./gen/skald/event/v1/state_pb.js";
