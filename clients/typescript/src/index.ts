export * from "./connect.js";
export * from "./fold.js";
