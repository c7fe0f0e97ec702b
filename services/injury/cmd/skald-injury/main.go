// Command skald-injury runs the injury service as a process of its own, against
// a NATS server and a dice service elsewhere. `skald up` runs all services in
// one process instead.
package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skaldrpg/skald/pkg/daemon"
	"github.com/skaldrpg/skald/pkg/systems"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/injury"
)

func main() { daemon.Main(command) }

func command(out, errs io.Writer, args []string) *cobra.Command {
	var known daemon.HeadsKnown
	return daemon.Command(daemon.Spec{
		Name: "skald-injury", Title: "injury service", Listen: "127.0.0.1:7703", InternalListen: "127.0.0.1:7713", Health: []string{injury.Name}, File: injury.File,
		Crew: "injury", HandsOnCalls: true,
		Short: "Run Skald's injury service",
		Long: `The injury service decides what harm does in a fight and keeps patients between
fights. Nothing but the log on NATS is its memory: --data holds a cache.`,
		Example: "  skald-injury --nats nats://nats:4222 --dice dice:7711\n  skald-injury rebuild --nats nats://nats:4222",
		Peers:   []daemon.Peer{{Name: "dice", Address: "127.0.0.1:7711"}},
		Flags:   known.Flags,
		Open: func(ctx context.Context, env daemon.Env) (daemon.Service, error) {
			believe, err := known.Believe()
			if err != nil {
				return daemon.Service{}, err
			}
			s, err := injury.NewRouter(ctx, injury.RouterConfig{Streams: env.Streams, Crew: env.Crew, Lines: env.Lines, InternalLines: env.InternalLines, Idle: env.Idle, Config: injury.Config{Dice: dicev1.NewTapeServiceClient(env.Peers["dice"]),
				Systems: systems.Registry(), DataDir: env.DataDir, Believe: believe, Logger: env.Logger, Clock: env.Clock}})
			if err != nil {
				return daemon.Service{}, err
			}
			return daemon.Service{Register: s.Register, RegisterInternal: s.RegisterInternal, Run: s.Run, Ready: s.Ready, Status: s.Status, Parts: s.Parts, Close: s.Close}, nil
		},
		Rebuild: func(ctx context.Context, env daemon.Env, progress func(done, total uint64)) error {
			believe, err := known.Believe()
			if err != nil {
				return err
			}
			return injury.RebuildAll(ctx, injury.RouterConfig{Streams: env.Streams, Config: injury.Config{DataDir: env.DataDir, Believe: believe, Logger: env.Logger}}, progress)
		},
	}, out, errs, args)
}
