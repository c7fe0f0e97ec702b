// Package rpc is the gRPC plumbing that every Skald service and the command
// line share: servers with recovery, logging, metrics, tracing, health and
// reflection ([NewServer], [Serve]), connections ([Dial], [InProcess], and [Direct] for
// services that share a process), TLS from
// files ([TLSFiles]), and the one place where a fault becomes a gRPC status
// ([Status]) and a status becomes a fault again ([FromStatus]).
//
// Handlers return plain Go errors; the server turns them into statuses. Clients
// made here return errors that are both: status.FromError finds the status and
// fault.As finds the fault, so that a service can hand the fault of another
// service to its own caller unchanged.
//
// What it must never do: decide anything about a fight, log or label a metric
// with what a message holds, put the cause of an error on the wire (a cause may
// name files, addresses or hidden facts), or keep a goroutine that outlives the
// context it was given.
package rpc
