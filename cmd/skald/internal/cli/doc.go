// Package cli is the command line of Skald: one file a command or a group of
// them. It reads arguments, calls the services through their gRPC clients, and
// prints what they answer, for people or as JSON.
//
// It must never adjudicate, nor reach into a service other than by its client;
// what needs no server runs against the all-in-one in this process, or the part of it
// that needs no log.
package cli
