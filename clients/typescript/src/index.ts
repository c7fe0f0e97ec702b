export * from "./connect.js";
