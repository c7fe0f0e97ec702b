// Package daemon is what the mains of the services share: flags that may also
// come from the environment, the logger, the connection to NATS and the stream,
// connections to other services, metrics, health, serving, a graceful end, and
// the subcommands rebuild, create-stream and health. A main says with a [Spec] what differs.
//
// Order matters. Starting: stream, connections, service, listener, loop. Ending:
// whatever holds calls open, listener, loop, files, connections; nothing is used
// after what it rests on has ended.
//
// It must never know a rule or a service, and a service must not need it: the
// all-in-one runs them without.
package daemon
