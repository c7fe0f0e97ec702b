// Command skald-encounter runs the encounter service and the rules service as a
// process of their own, against a NATS server, a dice service and an injury
// service elsewhere. `skald up` runs all services in one process instead.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/daemon"
	"github.com/skaldrpg/skald/pkg/library/books"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/systems"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	rulesv1 "github.com/skaldrpg/skald/proto/skald/rules/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

func main() { daemon.Main(command) }

func command(out, errs io.Writer, args []string) *cobra.Command {
	var memoryMiB int64
	var content []string
	var keys, text, persons string
	var feeding feedOptions
	return daemon.Command(daemon.Spec{
		Name: "skald-encounter", Title: "encounter service", Listen: "127.0.0.1:7702", File: encounter.File,
		Calls: limits.PrincipalCalls, Crew: "encounter", HandsOnCalls: true,
		Health: []string{encounterv1.EncounterService_ServiceDesc.ServiceName, encounterv1.RecordService_ServiceDesc.ServiceName, encounterv1.ContentService_ServiceDesc.ServiceName, encounterv1.WhatIfService_ServiceDesc.ServiceName, encounterv1.PersonService_ServiceDesc.ServiceName, rulesv1.RulesService_ServiceDesc.ServiceName},
		Short:  "Run Skald's encounter service and rules service",
		Long: `The encounter service takes commands, lets the rule systems decide, stores one
Commit a command, and shows every viewer what it may see; the rules service
beside it serves the catalogue. Nothing but the log on NATS is its memory: --data
holds a cache.`,
		Example: "  skald-encounter --nats nats://nats:4222 --dice dice:7711 --injury injury:7713\n  skald-encounter rebuild --nats nats://nats:4222",
		Peers:   []daemon.Peer{{Name: "dice", Address: "127.0.0.1:7711"}, {Name: "injury", Address: "127.0.0.1:7713"}},
		Flags: func(f *pflag.FlagSet) {
			f.Int64Var(&memoryMiB, "fight-memory", limits.FightMemoryBytes>>20, "MiB that fights in memory may take, those with open decisions included")
			f.StringArrayVar(&content, "content", nil, "folder of a pack that every table may use, by name; repeat for several")
			f.StringVar(&keys, "heads-key", "", "file of the keys that sign heads, the same for all processes of the service (default heads.key in --data, made when there is none and no Commit)")
			f.StringVar(&persons, "persons", "", "folder of the names of persons, the same for all processes of the service (default persons in --data; with --advertise none)")
			feeding.flags(f)
			f.StringVar(&text, "heads-keys", "", "the keys that sign heads themselves, as such a file holds them")
		},
		Open: func(ctx context.Context, env daemon.Env) (daemon.Service, error) {
			registry := systems.Registry()
			packs, err := books.Given(books.BaseOf(registry), content...)
			if err != nil {
				return daemon.Service{}, err
			}
			signers, err := given(text, keys)
			if err != nil {
				return daemon.Service{}, err
			}
			writer, closeFeed, err := feeding.open(env.Logger)
			if err != nil {
				return daemon.Service{}, err
			}
			s, err := encounter.NewRouter(ctx, encounter.RouterConfig{Streams: env.Streams, Crew: env.Crew, Lines: env.Lines, Idle: env.Idle, PersonsDir: persons, Config: encounter.Config{Dice: dicev1.NewTapeServiceClient(env.Peers["dice"]),
				Injury: injuryv1.NewAssessmentServiceClient(env.Peers["injury"]), Systems: registry, Packs: books.Offer(packs...),
				DataDir: env.DataDir, Keys: signers, KeysFile: keys, Logger: env.Logger, Clock: env.Clock, FightMemory: memoryMiB << 20, Feed: writer, FeedTables: feeding.Tables}})
			if err != nil {
				closeFeed()
				return daemon.Service{}, err
			}
			return daemon.Service{Register: s.Register, Run: s.Run, Ready: s.Ready, Status: s.Status, Parts: s.Parts, Stop: s.StopWatches, Close: func() error {
				defer closeFeed()
				return s.Close()
			}}, nil
		},
		Rebuild: func(ctx context.Context, env daemon.Env, progress func(done, total uint64)) error {
			signers, err := given(text, keys)
			if err != nil {
				return err
			}
			return encounter.RebuildAll(ctx, encounter.RouterConfig{Streams: env.Streams, Config: encounter.Config{DataDir: env.DataDir, Keys: signers, KeysFile: keys, Logger: env.Logger}}, progress)
		},
	}, out, errs, args)
}

// given are keys given as text; nil when there is none and a file has them.
func given(text, file string) (*attest.Keys, error) {
	switch {
	case text == "":
		return nil, nil
	case file != "":
		return nil, errors.New("--heads-key and --heads-keys: want one of the two")
	}
	keys, err := attest.ParseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("--heads-keys: %w", err)
	}
	return keys, nil
}
