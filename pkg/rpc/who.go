package rpc

import (
	"context"
	"net"

	"google.golang.org/grpc/peer"
)

// PeerAddress is the address of the host that calls, without the port: what
// limits go by where nothing better says who somebody is. Callers in the same
// process, and calls without a connection, are all "local".
func PeerAddress(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok || p.Addr == nil {
		return localPeer
	}
	host, _, err := net.SplitHostPort(p.Addr.String())
	if err != nil {
		return localPeer
	}
	return host
}

const localPeer = "local"
