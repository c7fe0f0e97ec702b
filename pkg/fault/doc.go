// Package fault is the one error type that Skald's packages answer with when
// a caller asked for something that cannot be: bad input, an illegal action, a
// lost race, a limit. It carries a code, a machine-readable reason, the rule id
// and the fields that are wrong; pkg/rpc maps it to a gRPC status in one place.
//
// It never carries a fact that the caller may not see: whoever makes a Fault
// for a viewer words it from that viewer's state.
package fault
