// Package opsapi shows an ops.Board to the world: as a gRPC service and as metrics,
// and it has the parts that every process with a journal and projections has.
//
// It must never change anything: whoever asks only reads.
package opsapi
