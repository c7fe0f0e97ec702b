package robustness

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/proof"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// whatIfSteps is how many commands are played a system, and whatIfSeed decides them.
const (
	whatIfSteps = 40
	whatIfSeed  = 11
)

// TestWhatIf plays every rule system at random. At every state, options are previewed
// for the game master and for a player, which changes nothing. Some of those previewed
// for the game master are then taken: what was refused is refused, what was not is
// not, and every roll that is made was among those foreseen. At the end forks at random
// versions are the state of then.
func TestWhatIf(t *testing.T) {
	rolled := 0
	for _, system := range systems.Registry().IDs() {
		t.Run(system, func(t *testing.T) {
			stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: newRandom(whatIfSeed),
				Clock:  func() time.Time { return time.Unix(whatIfSeed, 0) },
				Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer stack.Close() //nolint:errcheck // the test is over
			w := &whatIf{play: &play{t: t, system: system, rng: rand.New(rand.NewPCG(whatIfSeed, 1)), tough: true,
				client: encounterv1.NewEncounterServiceClient(stack.Conn()), actions: map[string]bool{}},
				client: encounterv1.NewWhatIfServiceClient(stack.Conn())}
			w.begin()
			for range number(envSteps, whatIfSteps) {
				w.previews()
				w.keeps()
				if !w.step() {
					break
				}
			}
			w.forks()
			rolled += w.foreseen
			t.Logf("%d previews: %d with ends, %d of players, %d of those with ends; %d taken with %d rolls", w.total, w.ended, w.ofPlayers, w.playersEnded, w.tried, w.foreseen)
			if w.total == 0 || w.ended == 0 || w.ofPlayers == 0 {
				t.Error("nothing was foreseen")
			}
		})
	}
	if rolled == 0 {
		t.Error("no roll was held against a preview")
	}
}

type whatIf struct {
	*play
	client                                encounterv1.WhatIfServiceClient
	total, ended, ofPlayers, playersEnded int
	tried, foreseen                       int
	chosen                                *eventv1.Command // the last that was previewed for the game master
	promised                              *encounterv1.PreviewResponse
}

// previews asks what two of the options would do.
func (w *whatIf) previews() {
	w.t.Helper()
	s := w.state()
	if s.State.Status != eventv1.State_STATUS_STARTED || len(s.State.Decisions) > 0 {
		return
	}
	for _, as := range []*eventv1.Principal{gm, {Role: eventv1.Principal_ROLE_PLAYER, Name: "ann"}} {
		resp, err := w.play.client.GetOptions(w.t.Context(), &encounterv1.GetOptionsRequest{As: as, Encounter: w.id, WithoutSquares: true, LegalOnly: w.rng.IntN(4) > 0})
		if err != nil {
			w.t.Fatal(err)
		}
		for range min(2, len(resp.Options)) {
			o := resp.Options[w.rng.IntN(len(resp.Options))]
			take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
			if len(o.Targets) > 0 && o.MinimumTargets > 0 {
				take.Targets = o.Targets[:1]
			}
			cmd := &eventv1.Command{What: &eventv1.Command_Take{Take: take}}
			if o.Action == "end-turn" {
				cmd = &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: o.Creature}}}
			}
			w.preview(as, cmd)
		}
	}
	if after := w.state(); !proto.Equal(after, s) {
		w.t.Fatalf("previews changed the encounter: %v, was %v", after, s)
	}
}

func (w *whatIf) preview(as *eventv1.Principal, cmd *eventv1.Command) {
	w.t.Helper()
	p, err := w.client.Preview(w.t.Context(), &encounterv1.PreviewRequest{As: as, Encounter: w.id, Command: cmd})
	if err != nil {
		w.t.Fatalf("%v: %v", cmd, err)
	}
	w.total++
	if len(p.Ends) > 0 {
		w.ended++
	}
	if as.Role == eventv1.Principal_ROLE_GM {
		w.chosen, w.promised = cmd, p
		if p.Refused == "" && len(p.Ends) == 0 && len(p.Rolls) == 0 {
			w.t.Errorf("nothing is said of %v: %v", cmd, p)
		}
		return
	}
	w.ofPlayers++
	if len(p.Ends) > 0 {
		w.playersEnded++
	}
	for _, r := range p.Rolls {
		for _, id := range p.Unknown {
			if r.Creature == id && len(r.Odds)+len(r.Modifiers) > 0 {
				w.t.Errorf("%v: a player is told of the dice of %s: %v", cmd, id, r)
			}
		}
	}
}

// keeps takes what was previewed last for the game master, and holds the command
// against the preview.
func (w *whatIf) keeps() {
	w.t.Helper()
	cmd, p := w.chosen, w.promised
	if w.chosen = nil; cmd == nil {
		return
	}
	resp, err := w.try(cmd)
	w.last = w.state() // what the play itself did not do
	if (err != nil) != (p.Refused != "") {
		w.t.Errorf("%v: previewed as refused %q, refused %v", cmd, p.Refused, err)
	}
	if err != nil || p.Cut {
		return
	}
	w.tried++
	for _, e := range resp.Step.GetEvents() {
		r := e.GetRoll()
		if r == nil {
			continue
		}
		w.foreseen++
		if !slices.ContainsFunc(p.Rolls, func(x *encounterv1.PreviewRoll) bool { return x.Label == r.Label && x.Creature == r.Creature }) {
			w.t.Errorf("%v: roll %s of %s was not foreseen: %v", cmd, r.Label, r.Creature, p.Rolls)
		}
	}
}

// forks makes forks at random versions and holds them against what each viewer knew.
func (w *whatIf) forks() {
	w.t.Helper()
	last := w.state().Number
	made := 0
	for i := 0; made < 3 && i < 20; i++ {
		at := 8 + uint64(w.rng.IntN(int(last)-7)) //nolint:gosec // a few
		then, err := w.play.client.GetState(w.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: w.id, At: at})
		if err != nil {
			w.t.Fatal(err)
		}
		if len(then.State.Decisions) > 0 || then.State.Status == eventv1.State_STATUS_ENDED {
			continue
		}
		fork := fmt.Sprintf("%s-fork-%d", w.id, made)
		create := &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Fork: &eventv1.ForkOf{Encounter: w.id, Version: at}}}}
		if _, err := w.play.client.Execute(w.t.Context(), &encounterv1.ExecuteRequest{RequestId: fork, As: gm, Encounter: fork, Command: create}); err != nil {
			w.t.Fatalf("fork at %d: %v", at, err)
		}
		made++
		w.proven(fork)
		resp, err := w.client.Compare(w.t.Context(), &encounterv1.CompareRequest{As: gm, Encounter: w.id, At: at, OtherEncounter: fork})
		if err != nil || len(resp.Changes) > 0 {
			w.t.Errorf("fork at %d differs: %v, %v", at, resp.GetChanges(), err)
		}
	}
	if made == 0 {
		w.t.Error("no fork was made")
	}
	w.must(&eventv1.Command{What: &eventv1.Command_Contest{Contest: &eventv1.ContestStep{Step: last, Words: "was that so?"}}})
	w.must(&eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: "the end"}}})
	w.must(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Version{Version: last - 1}}}})
	w.must(&eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_SavePoint{SavePoint: "the end"}}}})
	w.proven(w.id)
}

// proven holds that the record of an encounter leads to its state, contests and save
// points included.
func (w *whatIf) proven(id string) {
	w.t.Helper()
	stream, err := w.play.client.Export(w.t.Context(), &encounterv1.ExportRequest{As: gm, Encounter: id})
	if err != nil {
		w.t.Fatal(err)
	}
	p := proof.New()
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			w.t.Fatal(err)
		}
		if resp.Pack != nil {
			p.Pack(resp.Pack.Digest, resp.Pack.Data)
			continue
		}
		p.Add(resp.Commit)
	}
	if r := p.Report(); !r.OK() {
		w.t.Errorf("%s: %v", id, r)
	}
	now, err := w.play.client.GetState(w.t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: id})
	if err != nil {
		w.t.Fatal(err)
	}
	diff, err := event.Difference(now.State, p.State())
	if err != nil || len(diff) > 0 {
		w.t.Errorf("%s: the record leads to another state: %v, %v", id, diff, err)
	}
}
