// Package mcp serves the tools of the Model Context Protocol over the public API
// of a Skald server, so that an assistant can look at a fight and play creatures
// in it: encounters, state, next, options, preview, execute, answer, history,
// explain, rules, words.
//
// A tool is a call of the API under the caller's own token, cut to a size that an
// assistant can read. It must never hold rights of its own, widen those of the
// caller, keep anything of one caller for another, or pass text of the table on
// without saying that it is data: names, notes and questions come from people who
// may write anything.
package mcp
