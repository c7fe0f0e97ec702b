// Package api answers the gRPC calls of the encounter and the rules service.
// Everything that it tells a caller is cut from that caller's view or filtered
// by the stored audience of each event; it has no other source.
//
// It must never decide a rule or append to the log by itself.
package api
