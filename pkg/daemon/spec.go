package daemon

import (
	"context"
	"log/slog"
	"time"

	"github.com/spf13/pflag"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/shards"
)

// Spec is what one service's main says of itself.
type Spec struct {
	// Name of the program, such as skald-dice; also its name at NATS.
	Name string
	// Title in logs, such as "dice service".
	Title string
	// Short, Long and Example are the program's help.
	Short, Long, Example string
	// Listen is the default address for callers.
	Listen string
	// InternalListen is the default address for the other services; empty when
	// none calls this one.
	InternalListen string
	// Crew is the name under which its processes know each other, such as
	// encounter; empty when they need not.
	Crew string
	// HandsOnCalls says that calls of callers are about tables, and are handed on
	// to the process that serves the table; those of services always are.
	HandsOnCalls bool
	// Health are the gRPC services whose health is reported.
	Health []string
	// Calls is how many unary calls one caller may have in flight unless its flag
	// says otherwise; 0 is no limit, for a service that others of the suite call.
	Calls int
	// Peers are the other services that this one calls.
	Peers []Peer
	// Flags adds what only this service has; may be nil.
	Flags func(*pflag.FlagSet)
	// Open makes the service. It must not start anything.
	Open func(context.Context, Env) (Service, error)
	// Rebuild makes the cache again from the log.
	Rebuild func(ctx context.Context, env Env, progress func(done, total uint64)) error
	// File is the path of the cache in a data folder.
	File func(dataDir string) string
}

// Peer is another service.
type Peer struct {
	// Name begins its flags and is the key in Env.Peers: dice.
	Name string
	// Address is the default of its flag: that of its internal listener.
	Address string
}

// Env is what a service is made from.
type Env struct {
	// Streams of the journal, open.
	Streams *journal.Set
	// Crew is the processes of this service; nil when this one is alone.
	Crew *crew.Crew
	// Lines lead to their listeners for callers, InternalLines to those for
	// services; nil when this process is alone.
	Lines, InternalLines shards.Lines
	// Idle is how long a stream that is not this process's work stays open after
	// the last call.
	Idle time.Duration
	// DataDir is the folder for the cache.
	DataDir string
	// Logger of the process.
	Logger *slog.Logger
	// Clock tells the time; nil is the machine's.
	Clock func() time.Time
	// Peers are connections to other services by name; nil in a rebuild.
	Peers map[string]*grpc.ClientConn
	// Board takes the parts of the service beside its projection; nil in a rebuild.
	Board *ops.Board
	// Health takes what is wrong with the service now, nil when nothing is; nil
	// in a rebuild.
	Health func(error)
}

// Service is what is run. Stop may be nil.
type Service struct {
	// Register offers what is for callers on a server.
	Register func(grpc.ServiceRegistrar)
	// RegisterInternal offers what is for the other services alone; nil when none
	// calls this one.
	RegisterInternal func(grpc.ServiceRegistrar)
	// Run keeps it going until the context ends, then returns nil.
	Run func(context.Context) error
	// Ready waits until it has read the log to its end once.
	Ready func(context.Context) error
	// Status is how its cache stands.
	Status func() projection.Status
	// Parts is how its parts stand; may be nil.
	Parts func() []ops.Part
	// Stop ends calls that would never end by themselves.
	Stop func()
	// Close lets go of its files, after Run has returned.
	Close func() error
}
