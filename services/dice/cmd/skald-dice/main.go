// Command skald-dice runs the dice service as a process of its own, against a
// NATS server elsewhere. `skald up` runs all services in one process instead.
package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/daemon"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/services/dice"
)

func main() { daemon.Main(command) }

func command(out, errs io.Writer, args []string) *cobra.Command {
	var own dice.Config // what only this service has
	var cacheMiB, memoryMiB int64
	var known daemon.HeadsKnown
	return daemon.Command(daemon.Spec{
		Name: "skald-dice", Title: "dice service", Listen: "127.0.0.1:7701", InternalListen: "127.0.0.1:7711", Health: []string{dice.Name}, File: dice.File, Crew: "dice",
		Short: "Run Skald's dice service",
		Long: `The dice service is the only holder of the keys behind the dice. Callers roll, ask
for odds and verify on --listen; the other services draw on --internal-listen. Nothing but the
log on NATS is its memory: --data holds a cache and, unless it comes from
elsewhere, the master key that seals the roots of all dice on the log. Without
that key no past roll can be proved: keep a copy of it. Give master keys by file
or by environment (SKALD_MASTER_KEYS): other users can see flags.`,
		Example: "  skald-dice --nats nats://nats:4222 --master-key-file /run/secrets/dice.key\n  skald-dice rebuild --nats nats://nats:4222",
		Flags: func(f *pflag.FlagSet) {
			known.Flags(f)
			f.StringVar(&own.MasterKeys, "master-keys", "", "master keys, the current one first, old ones after commas: [ID:]HEX or [ID:]BASE64 of 32 bytes")
			f.StringVar(&own.MasterKeyFile, "master-key-file", "", "file of them, mode 0600 or less (default dice.key in --data)")
			f.BoolVar(&own.CreateMasterKey, "master-key-create", false, "make the file when it is missing and no dice were ever sealed")
			f.BoolVar(&own.Alone, "alone", false, "no other process serves dice on this stream: spares a question to NATS a roll")
			f.Int64Var(&cacheMiB, "odds-cache", limits.OddsCacheBytes>>20, "MiB of computed odds that are kept")
			f.Int64Var(&memoryMiB, "odds-memory", limits.OddsMemoryBytes>>20, "MiB that all computations of odds at a time may hold")
			f.Int64Var(&own.Work, "work", limits.DiceWorkPerSecond, "work of one caller's expressions each second, in word multiplications (about a nanosecond each)")
		},
		Open: func(ctx context.Context, env daemon.Env) (daemon.Service, error) {
			cfg := own
			cfg.Who = auth.Who
			cfg.OddsCache, cfg.OddsMemory = cacheMiB<<20, memoryMiB<<20
			cfg.DataDir, cfg.Logger, cfg.OnHealth, cfg.Clock = env.DataDir, env.Logger, env.Health, env.Clock
			believe, err := known.Believe()
			if err != nil {
				return daemon.Service{}, err
			}
			cfg.Believe = believe
			s, err := dice.NewRouter(ctx, dice.RouterConfig{Streams: env.Streams, Crew: env.Crew, InternalLines: env.InternalLines, Idle: env.Idle, Config: cfg})
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
			return dice.RebuildAll(ctx, dice.RouterConfig{Streams: env.Streams, Config: dice.Config{DataDir: env.DataDir, Believe: believe, Logger: env.Logger}}, progress)
		},
	}, out, errs, args)
}
