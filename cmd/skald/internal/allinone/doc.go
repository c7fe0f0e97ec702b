// Package allinone runs the whole suite in one process: NATS with JetStream
// (embedded, or a server elsewhere), the dice, encounter and injury services,
// the connection by which they call each other's handlers, and the in-process gRPC
// over which whoever started them talks to them.
//
// What of it needs no log also runs alone, in a moment and without a file: [Local].
//
// Order matters. Starting: journal, services, in-process server, their loops.
// Ending: watches, servers, loops, files, journal; nothing is used after what
// it rests on has ended.
//
// It must never hold a rule, nor let one service reach into another but by its
// client.
package allinone
