package auth

import (
	"context"

	"github.com/skaldrpg/skald/pkg/rpc"
)

// Who names whose a call is, for limits: the subject of its token at its table,
// and without tokens the address that calls.
func Who(ctx context.Context) string {
	if g := From(ctx); g != nil && g.Subject != "" {
		return "token/" + g.Table + "/" + g.Subject
	}
	return rpc.PeerAddress(ctx)
}
