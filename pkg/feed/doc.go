// Package feed is the stream on NATS that programs without gRPC read: the steps of
// every encounter as a spectator is told them, each once, in the order of their
// numbers. docs/FEED.md is its contract. The package has the names and the form of
// messages, what a writer does with the stream, and the server that `skald up`
// offers it on.
//
// It must never hold anything but what a spectator may see, never be needed by
// anything of Skald (whatever is lost is filled in again from the record), and never
// give its readers a connection to the server that keeps the record.
package feed
