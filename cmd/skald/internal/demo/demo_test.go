package demo_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/demo"
	"github.com/skaldrpg/skald/pkg/content/book"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/rules/rulestest/duel"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The demonstration of every rule system ends, whatever the dice, and proves
// what it says.
func TestDemo(t *testing.T) {
	for _, system := range demo.Systems() {
		t.Run(system, func(t *testing.T) { show(t, demo.Config{System: system}, nil) })
	}
}

// So do the further fights: riders in the air come down, and go on in the water.
func TestFurtherFights(t *testing.T) {
	if len(demo.Fights()) == 0 {
		t.Fatal("none")
	}
	for _, name := range demo.Fights() {
		system, fight, _ := strings.Cut(name, "/")
		t.Run(name, func(t *testing.T) { show(t, demo.Config{System: system, Fight: fight}, nil) })
	}
}

func TestUnknownFight(t *testing.T) {
	s, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test is over
	for _, cfg := range []demo.Config{{Stack: s, System: "nope"}, {Stack: s, System: "rcr", Fight: "nope"}, {Stack: s, System: "spark", Fight: "over-water"}} {
		if err := demo.Run(t.Context(), cfg); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s/%s: %v", cfg.System, cfg.Fight, err)
		}
	}
}

// A system that is nothing but its folder is registered, plays and is proved like
// those that are shipped.
func TestDemoOfASixthSystem(t *testing.T) {
	sys, err := duel.New()
	if err != nil {
		t.Fatal(err)
	}
	registry, err := rules.NewRegistry(sys)
	if err != nil {
		t.Fatal(err)
	}
	show(t, demo.Config{System: "duel", Books: []book.Book{duel.Book()}}, registry)
}

func show(t *testing.T, cfg demo.Config, registry *rules.Registry) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: t.TempDir(), Systems: registry, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test is over
	var out bytes.Buffer
	cfg.Stack, cfg.EmptyDir, cfg.Rounds, cfg.Out, cfg.Rules = s, t.TempDir(), 15, &out, true
	cfg.Sheets = func(system, name string) ([]byte, error) { return sheets.Read(system, name) }
	if err = demo.Run(ctx, cfg); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, want := range []string{"--- Round 1", "A die was misread", " -> ", "The encounter is over", "  chain ", "  dice ", "  fold ", "  replay "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the demonstration does not show %q", want)
		}
	}
	resp, err := encounterv1.NewEncounterServiceClient(s.Conn()).GetState(ctx, &encounterv1.GetStateRequest{
		As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}, Encounter: "demo"})
	if err != nil {
		t.Fatal(err)
	}
	fought(t, out.String(), resp.State)
	told(t, out.String(), resp.State)
	explained(ctx, t, s)
}

// explained holds that whatever happened names its rules and says how its numbers
// came about.
func explained(ctx context.Context, t *testing.T, s *allinone.Stack) {
	var events []*eventv1.Event
	for after, more := uint64(0), true; more; {
		resp, err := encounterv1.NewEncounterServiceClient(s.Conn()).GetHistory(ctx, &encounterv1.GetHistoryRequest{
			As: &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}, Encounter: "demo", After: after, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range resp.Steps {
			seen := len(events)
			events, after = append(events, step.Events...), step.Number
			for _, what := range rulestest.Unexplained(events, seen) {
				t.Errorf("step %d: nothing explains %s", step.Number, what)
			}
		}
		more = resp.More
	}
}

// downs is a line that tells of somebody who falls.
var downs = regexp.MustCompile(`\n +[^\n]+ is (dead|dying|unconscious|disabled)`)

// fought holds that each side attacked, that somebody fell, and that the
// encounter is over.
func fought(t *testing.T, out string, s *eventv1.State) {
	attacked, fell := map[string]bool{}, false
	for _, c := range s.Creatures {
		attacked[c.Side] = attacked[c.Side] || strings.Contains(out, "\n    "+c.Name+": attack ")
		fell = fell || c.Life != eventv1.LifeStatus_LIFE_STATUS_ALIVE
	}
	for side, did := range attacked {
		if !did {
			t.Errorf("nobody of %s attacks", side)
		}
	}
	// The ruling at the end may have spared who fell: then the story tells of it.
	fell = fell || downs.MatchString(out)
	if !fell || s.Status != eventv1.State_STATUS_ENDED {
		t.Errorf("somebody fell: %t; status %s", fell, s.Status)
	}
}

// told holds that people are told names, and nothing of the notation inside. An
// id stands only where it is said to be one, or where an answer is typed: there
// the name stands behind it.
func told(t *testing.T, out string, s *eventv1.State) {
	words := regexp.MustCompile(`[a-z0-9-]+`)
	for line := range strings.Lines(strings.ReplaceAll(out, s.Title, "")) {
		for _, bad := range []string{"LIFE_STATUS", "%!", "{", "<nil>", " : "} {
			if strings.Contains(line, bad) {
				t.Errorf("%q in %q", bad, line)
			}
		}
		rest := line
		for id, c := range s.Creatures {
			rest = strings.ReplaceAll(strings.ReplaceAll(rest, ", id "+id+")", ""), id+" ("+c.Name+")", "")
		}
		for _, w := range words.FindAllString(rest, -1) {
			if c := s.Creatures[w]; c != nil && !strings.Contains(strings.ToLower(c.Name), w) {
				t.Errorf("the id %q stands for %s in %q", w, c.Name, line)
			}
		}
	}
}

// Every rule system that can be played has a demonstration.
func TestEverySystemHasADemonstration(t *testing.T) {
	if got, want := demo.Systems(), systems.Registry().IDs(); !slices.Equal(got, want) {
		t.Errorf("demonstrations of %v, systems %v", got, want)
	}
}
