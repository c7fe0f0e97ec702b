// Package client is what a program needs to call Skald from Go: a connection, commands
// that are carried out once however often they had to be sent, watches that resume,
// the fold, and options and decisions as forms and prompts. Beside it a program needs
// the generated messages and nothing else of this repository. Its words are those of the TypeScript client (clients/typescript).
//
// It must never decide a rule or hold a state of its own, and never send a command
// twice under two request ids.
package client
