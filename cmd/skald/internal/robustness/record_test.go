package robustness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/demo"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/scenario"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var record = flag.String("record", "", "record fights of every system as this set of pkg/recorded, such as 2026-11; a set that is there is never changed")

const (
	recordedDir    = "../../../../pkg/recorded/testdata"
	recordScenario = "../../../../scenarios"
	// recordBytes bounds what is kept of a system's fights before compression;
	// the demonstration and the play at random are kept whatever they take.
	recordBytes = 300_000
	// recordSteps is how long the play at random with rulings is.
	recordSteps = 90
)

// TestRecord records fights of every system as this build stores them: the
// demonstration, a play at random with rulings, and of the scenarios those that
// show the most that no other shows.
func TestRecord(t *testing.T) {
	if *record == "" {
		t.Skip("only with -record")
	}
	dir := filepath.Join(recordedDir, *record)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the set %s is there already (%v): what a build recorded is never changed", *record, err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			fights := slices.Concat(recordDemo(t, system), recordPlay(t, system))
			fights = append(fights, richest(t, recordScenarios(t, system), fights)...)
			f, err := os.OpenFile(filepath.Join(dir, system+recorded.Suffix), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(recorded.Encode(f, fights), f.Close()); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d fights", len(fights))
		})
	}
}

func recordStack(t *testing.T) *allinone.Stack {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stack.Close() }) //nolint:errcheck // the test is over
	return stack
}

func recordDemo(t *testing.T, system string) []recorded.Fight {
	t.Helper()
	stack := recordStack(t)
	err := demo.Run(t.Context(), demo.Config{Stack: stack, System: system, EmptyDir: t.TempDir(), Rounds: 15, Out: io.Discard,
		Sheets: func(system, name string) ([]byte, error) { return sheets.Read(system, name) }})
	if err != nil {
		t.Fatal(err)
	}
	return []recorded.Fight{exported(t, encounterv1.NewEncounterServiceClient(stack.Conn()), "demo", "", "demo")}
}

// recordPlay plays at random as TestRandomPlay does.
func recordPlay(t *testing.T, system string) []recorded.Fight {
	t.Helper()
	w := &watched{EncounterServiceClient: encounterv1.NewEncounterServiceClient(recordStack(t).Conn())}
	p := &play{t: t, system: system, rng: rand.New(rand.NewPCG(2026, 11)), client: w, actions: map[string]bool{}}
	p.begin()
	for range recordSteps {
		if !p.step() {
			break
		}
	}
	var out []recorded.Fight
	for i, f := range w.fights {
		out = append(out, exported(t, w, fmt.Sprintf("play-%d", i+1), f.table, f.encounter))
	}
	return out
}

func recordScenarios(t *testing.T, system string) []recorded.Fight {
	t.Helper()
	stack := recordStack(t)
	paths, err := scenario.Files(filepath.Join(recordScenario, system))
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{EncounterServiceClient: encounterv1.NewEncounterServiceClient(stack.Conn())}
	runner := &scenario.Runner{Clients: scenario.NewClients(stack.Conn())}
	runner.Clients.Encounter = w
	var out []recorded.Fight
	for _, file := range paths {
		all, err := scenario.Load(file, func(system, name string) ([]byte, error) { return sheets.Read(system, name) })
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			w.fights = nil
			if r := runner.Run(t.Context(), s); !r.Passed {
				t.Fatal(r)
			}
			name, err := filepath.Rel(recordScenario, file)
			if err != nil {
				t.Fatal(err)
			}
			name = fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.ToSlash(name), ".yaml"), s.Line)
			for _, f := range w.fights {
				out = append(out, exported(t, w, name, f.table, f.encounter))
			}
		}
	}
	return out
}

// watched notes the encounters that are made through it.
type watched struct {
	encounterv1.EncounterServiceClient
	mu     sync.Mutex
	fights []fightPlace
}

type fightPlace struct{ table, encounter string }

// Execute passes the command on.
func (w *watched) Execute(ctx context.Context, req *encounterv1.ExecuteRequest, opts ...grpc.CallOption) (*encounterv1.ExecuteResponse, error) {
	resp, err := w.EncounterServiceClient.Execute(ctx, req, opts...)
	if at := (fightPlace{req.Table, req.Encounter}); err == nil && req.Command.GetCreate() != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if !slices.Contains(w.fights, at) {
			w.fights = append(w.fights, at)
		}
	}
	return resp, err
}

// exported is a fight as stored, with what every viewer knows of it now.
func exported(t *testing.T, client encounterv1.EncounterServiceClient, name, table, encounter string) recorded.Fight {
	t.Helper()
	f := recorded.Fight{Name: name, States: map[string]*eventv1.State{}}
	stream, err := client.Export(t.Context(), &encounterv1.ExportRequest{As: gm, Table: table, Encounter: encounter})
	if err != nil {
		t.Fatal(err)
	}
	viewers := map[string]*eventv1.Principal{"gm": gm, "spectator": {Role: eventv1.Principal_ROLE_SPECTATOR}}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Commits = append(f.Commits, resp.Commit)
		for _, e := range eventsOf(t, resp.Commit) {
			for _, player := range append(e.GetCreatureAdded().GetControllers(), e.GetControllers().GetControllers()...) {
				viewers["player/"+player] = &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: player}
			}
		}
	}
	for viewer, as := range viewers {
		resp, err := client.GetState(t.Context(), &encounterv1.GetStateRequest{As: as, Table: table, Encounter: encounter})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range resp.State.Decisions {
			d.DeadlineUnixMillis = 0 // reckoned when asked, and no part of the fold
		}
		f.States[viewer] = resp.State
	}
	return f
}

// eventsOf are the events of a Commit, those inside an amendment included.
func eventsOf(t *testing.T, data []byte) []*eventv1.Event {
	t.Helper()
	o, err := event.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	events := slices.Clone(o.Events)
	for _, e := range o.Events {
		for _, c := range e.GetAmended().GetCommands() {
			for _, data := range c.Events {
				inner := &eventv1.Event{}
				if err := proto.Unmarshal(data, inner); err != nil {
					t.Fatal(err)
				}
				events = append(events, inner)
			}
		}
	}
	return events
}

// richest picks fights until the rest shows nothing beyond what others have shown
// or there is no room: the next is always the one with the most new words for its
// size.
func richest(t *testing.T, fights, others []recorded.Fight) []recorded.Fight {
	t.Helper()
	words, sizes := make([][]string, len(fights)), make([]int, len(fights))
	for i, f := range fights {
		words[i] = shown(t, f)
		for _, c := range f.Commits {
			sizes[i] += len(c)
		}
	}
	seen, picked, room := map[string]bool{}, make([]bool, len(fights)), recordBytes
	for _, f := range others {
		for _, w := range shown(t, f) {
			seen[w] = true
		}
	}
	for {
		best, most := -1, 0.0
		for i := range fights {
			fresh := len(slices.DeleteFunc(slices.Clone(words[i]), func(w string) bool { return seen[w] }))
			if worth := float64(fresh) / float64(4000+sizes[i]); worth > most && !picked[i] && sizes[i] <= room {
				best, most = i, worth
			}
		}
		if best < 0 {
			break
		}
		picked[best] = true
		room -= sizes[best]
		for _, w := range words[best] {
			seen[w] = true
		}
	}
	var out []recorded.Fight
	for i, is := range picked {
		if is {
			out = append(out, fights[i])
		}
	}
	t.Logf("%d of %d scenarios; all show %d words", len(out), len(fights), len(seen))
	return out
}

// shown are the words of a fight: the fields that its events use, and what marks,
// counters, tasks and the like are called.
func shown(t *testing.T, f recorded.Fight) []string {
	t.Helper()
	words := map[string]bool{}
	for _, data := range f.Commits {
		for _, e := range eventsOf(t, data) {
			fields(e.ProtoReflect(), func(field string) { words[field] = true })
			for kind, word := range map[string]string{"mark": e.GetMark().GetMark(), "counter": e.GetCounter().GetCounter(),
				"task": e.GetTask().GetTask().GetKind(), "decision": e.GetDecisionRequested().GetDecision().GetName(),
				"condition": e.GetConditionAdded().GetCondition().GetName(), "injury": e.GetInjuryAdded().GetInjury().GetKind(),
				"action": e.GetAction().GetAction(), "phase": e.GetPhaseStarted().GetPhase()} {
				if word != "" {
					word, _, _ = strings.Cut(word, ":")
					words[kind+" "+word] = true
				}
			}
		}
	}
	return rules.SortedKeys(words)
}

// fields tells of every field of a message that is set, but not of those of
// sheets and decisions' odds, which would crowd out the rest.
func fields(m protoreflect.Message, tell func(string)) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		tell(string(f.FullName()))
		switch {
		case f.Message() == nil || f.IsMap() || f.Message().Name() == "Sheet":
		case f.IsList():
			for i := range v.List().Len() {
				fields(v.List().Get(i).Message(), tell)
			}
		default:
			fields(v.Message(), tell)
		}
		return true
	})
}
