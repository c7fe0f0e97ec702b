export * from "./backoff.js";
export * from "./connect.js";
export * from "./errors.js";
export * from "./execute.js";
export * from "./fold.js";
export * from "./forms.js";
export * from "./transcript.js";
export * from "./watch.js";
