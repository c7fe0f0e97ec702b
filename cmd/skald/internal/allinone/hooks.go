package allinone

import (
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
)

// Hooks stand between the parts of the suite, for tests that stop it there. A
// running suite has none; each may be nil.
type Hooks struct {
	// Backend wraps the journal beneath its retries.
	Backend func(journal.Backend) journal.Backend
	// Log wraps the journal as the services see it.
	Log func(journal.Log) journal.Log
	// Erase is told before each step of a table's deletion.
	Erase func(step string) error
	// Among runs around what the services do for each other.
	Among grpc.UnaryServerInterceptor
}

// among are the interceptors of the server that the services share.
func (h Hooks) among() []grpc.UnaryServerInterceptor {
	if h.Among == nil {
		return nil
	}
	return []grpc.UnaryServerInterceptor{h.Among}
}
