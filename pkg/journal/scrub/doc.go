// Package scrub reads every replica of a replicated stream and compares them
// record by record: sequence, subject, id and SHA-256 of the data, and the hash
// chain of what all agree on. It finds what no client can see: a server that
// lost, changed or cannot read its copy, while the leader still answers well.
//
// How one replica is read. A consumer with one replica lives on one server of the
// stream and reads that server's own store (nats-server: consumer.getNextMsg loads
// from the local stream's store). The metadata leader places it at random among
// the servers that are up, and its information names the server. So consumers are
// made until every server has one. It needs no access to files and no right but
// those of a reader.
//
// It must never write, never take part in what a service decides, and never call
// a difference real that it has not seen twice: a replica may lag.
package scrub
