// Package benchfloor is what benchmarks hold the suite against: servers over the same
// gRPC and the same log that do the least a service of the kind could do. [Echo] stores
// as many bytes as a command does, once and synced; [Broadcaster] then sends every
// watcher as many bytes as a watch does.
//
// It must never be part of a running service.
package benchfloor
