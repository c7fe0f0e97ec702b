package dice_test

import (
	"testing"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/crew"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/services/dice"
)

// A service that lacks its journal or folder, or has a limit below zero, does not come
// up; a limit that is not given is the usual one.
func TestWhatAServiceNeeds(t *testing.T) {
	good := config(t, openLog(t))
	for name, change := range map[string]func(*dice.Config){
		"no journal":                func(c *dice.Config) { c.Journal = nil },
		"no folder":                 func(c *dice.Config) { c.DataDir = "" },
		"cache of odds below zero":  func(c *dice.Config) { c.OddsCache = -1 },
		"memory of odds below zero": func(c *dice.Config) { c.OddsMemory = -1 },
		"work below zero":           func(c *dice.Config) { c.Work = -1 },
	} {
		cfg := good
		change(&cfg)
		if s, err := dice.New(t.Context(), cfg); err == nil {
			t.Errorf("%s: a service came up", name)
			s.Close() //nolint:errcheck // it should not be there
		}
	}
	cfg := good
	cfg.OddsCache, cfg.OddsMemory, cfg.Work = 0, 0, 0
	s, err := dice.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// The same of the service over all streams, and one that says it is alone has no others
// beside it.
func TestWhatARouterNeeds(t *testing.T) {
	server, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: t.TempDir()}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Stop() }) //nolint:errcheck // the test is over
	nc, err := server.Connect(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	streams, err := journal.OpenSet(t.Context(), nc, journal.SetConfig{Create: true, Streams: 2, MaxMessage: journal.MaxMessage, Gate: server, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	good := func() dice.RouterConfig {
		return dice.RouterConfig{Streams: streams, Config: dice.Config{DataDir: t.TempDir(), CreateMasterKey: true, Alone: true, Logger: quiet}}
	}
	for name, change := range map[string]func(*dice.RouterConfig){
		"no streams":      func(c *dice.RouterConfig) { c.Streams = nil },
		"no folder":       func(c *dice.RouterConfig) { c.DataDir = "" },
		"alone in a crew": func(c *dice.RouterConfig) { c.Crew = &crew.Crew{} },
		"limit":           func(c *dice.RouterConfig) { c.Work = -1 },
		"no master key":   func(c *dice.RouterConfig) { c.CreateMasterKey = false },
	} {
		cfg := good()
		change(&cfg)
		if _, err := dice.NewRouter(t.Context(), cfg); err == nil {
			t.Errorf("%s: a service came up", name)
		}
	}
	if _, err := dice.NewRouter(t.Context(), good()); err != nil {
		t.Error(err)
	}
	if err := dice.RegisterUnrecorded(grpc.NewServer(), dice.Config{Work: -1}); err == nil {
		t.Error("registered with a limit below zero")
	}
}
