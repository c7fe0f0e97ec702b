package allinone_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/content/packs"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/library"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const houseFight = "stag"

// houseCommands are a fight by the example pack: a hero with its weapon and its
// feats, a creature of its own, faces rolled by hand.
func houseCommands(t *testing.T, packs ...string) []*eventv1.Command {
	t.Helper()
	hero, err := sheets.Get("rcr", "fighter")
	if err != nil {
		t.Fatal(err)
	}
	hero = proto.CloneOf(hero)
	hero.Id, hero.Feats = "hero", []string{"finisher", "sure-hands"}
	hero.GetRcr().Shield = 0 // the glaive takes both hands
	hero.GetRcr().Attacks = []*eventv1.RcrAttack{{Use: "storm-glaive"}}
	wolf := &eventv1.Sheet{Id: "wolf", Use: "cinder-wolf", HitPoints: 40}
	at := func(x int32) *eventv1.Position { return &eventv1.Position{X: x} }
	return []*eventv1.Command{
		{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: "rcr", Packs: packs, DicePolicy: eventv1.DicePolicy_DICE_POLICY_SUPPLIED}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: hero, Position: at(0)}}},
		{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: wolf, Position: at(5)}}},
		{Faces: []int32{19, 2}, Answers: []*eventv1.EarlyAnswer{{Decision: "initiative-ability", Answer: &eventv1.Answer{Option: "dexterity"}}},
			What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}},
		{Faces: []int32{15, 1, 9, 2, 3}, What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "hero", Action: "attack", Targets: []string{"wolf"}, Item: "Storm glaive"}}},
	}
}

// houseServer is a suite as the game master calls it.
type houseServer struct {
	t *testing.T
	encounterv1.EncounterServiceClient
	packs encounterv1.ContentServiceClient
}

func houseOn(t *testing.T, s *allinone.Stack) *houseServer {
	return &houseServer{t, encounterv1.NewEncounterServiceClient(s.Conn()), encounterv1.NewContentServiceClient(s.Conn())}
}

func (h *houseServer) do(request string, cmd *eventv1.Command) *encounterv1.ExecuteResponse {
	h.t.Helper()
	resp, err := h.Execute(h.t.Context(), &encounterv1.ExecuteRequest{RequestId: request, As: master, Encounter: houseFight, Command: cmd})
	if err != nil {
		h.t.Fatalf("%s: %v", request, err)
	}
	return resp
}

func (h *houseServer) state() *eventv1.State {
	h.t.Helper()
	resp, err := h.GetState(h.t.Context(), &encounterv1.GetStateRequest{As: master, Encounter: houseFight})
	if err != nil {
		h.t.Fatal(err)
	}
	return resp.State
}

// explained are all lines about the step of a number, with the titles of rules.
func (h *houseServer) explained(number uint64, events int) string {
	h.t.Helper()
	var b strings.Builder
	for i := range events {
		resp, err := h.Explain(h.t.Context(), &encounterv1.ExplainRequest{As: master, Encounter: houseFight, Number: number, Event: uint32(i)})
		if err != nil {
			h.t.Fatal(err)
		}
		for _, l := range resp.Lines {
			fmt.Fprintf(&b, "%s [%s: %s]\n", l.Text, l.Rule, l.RuleTitle)
		}
	}
	return b.String()
}

// A game master without Go: a folder is put over gRPC, fought with, explained with
// its house rules, amended, found again after a restart and a rebuild, and
// replayed on another server.
func TestHouseRulesOfATable(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	h := houseOn(t, s)
	folder, err := packs.Folder("example-house")
	if err != nil {
		t.Fatal(err)
	}
	files, err := library.ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	put, err := h.packs.PutPack(t.Context(), &encounterv1.PutPackRequest{As: master, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	var blow *encounterv1.Step
	for i, cmd := range houseCommands(t, "example-house") {
		blow = h.do(fmt.Sprint("c", i), cmd).Step
	}
	after := h.state()
	if !slices.Equal(after.Packs, []string{put.Pack.Digest}) || after.Settings["house.example-house.long-shots"] != "on" {
		t.Errorf("pinned %v, settings %v", after.Packs, after.Settings)
	}
	wolf := after.Creatures["wolf"]
	if wolf.GetName() != "Cinder wolf" || wolf.GetHpMax() != 40 || wolf.GetHp() >= 40 {
		t.Errorf("the wolf is %v", wolf)
	}
	if why := h.explained(blow.Number, len(blow.Events)); !strings.Contains(why, "[house.example-house.sure-hands: Sure hands]") ||
		!strings.Contains(why, "house.example-house.storm-glaive") {
		t.Errorf("explained: %s", why)
	}
	export := exportOf(t, h)

	h.do("amend", &eventv1.Command{What: &eventv1.Command_Amend{Amend: &eventv1.AmendCommand{Version: blow.Number, Reason: "he slipped",
		Rolls: []*eventv1.FixedRoll{{Label: "attack/1/to-hit", Faces: []int32{2}}}}}})
	if got := h.state().Creatures["wolf"].GetHp(); got != 40 {
		t.Errorf("after the amendment the wolf has %d hit points", got)
	}
	h.do("back", &eventv1.Command{What: &eventv1.Command_Revert{Revert: &eventv1.RevertEncounter{To: &eventv1.RevertEncounter_Last{Last: true}}}})
	ended := h.state()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "projections")); err != nil {
		t.Fatal(err)
	}
	again := houseOn(t, start(t, dir))
	if got := again.state(); !proto.Equal(got, ended) {
		t.Errorf("rebuilt to %v, was %v", got, ended)
	}
	again.do("turn", &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "hero"}}})

	replayedElsewhere(t, export, after)
}

// exportOf are the packs of the fight's export.
func exportOf(t *testing.T, h *houseServer) (out []*encounterv1.ExportedPack) {
	t.Helper()
	stream, err := h.Export(t.Context(), &encounterv1.ExportRequest{As: master, Encounter: houseFight})
	if err != nil {
		t.Fatal(err)
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if resp.Pack != nil {
			out = append(out, resp.Pack)
		}
	}
}

// replayedElsewhere gives the same commands to a server that has nothing but what
// the export holds.
func replayedElsewhere(t *testing.T, export []*encounterv1.ExportedPack, want *eventv1.State) {
	t.Helper()
	other := houseOn(t, start(t, t.TempDir()))
	var digests []string
	for _, p := range export {
		resp, err := other.packs.PutPack(context.Background(), &encounterv1.PutPackRequest{As: master, Pack: p.Data})
		if err != nil || resp.Pack.Digest != p.Digest {
			t.Fatalf("%v, %v", resp, err)
		}
		digests = append(digests, p.Digest)
	}
	for i, cmd := range houseCommands(t, digests...) {
		other.do(fmt.Sprint("c", i), cmd)
	}
	got := other.state()
	if !slices.Equal(got.Packs, want.Packs) || !proto.Equal(&eventv1.State{Creatures: got.Creatures}, &eventv1.State{Creatures: want.Creatures}) {
		t.Errorf("there %v, here %v", got.Creatures, want.Creatures)
	}
}

// Tables are spread over streams, and each finds its packs where it is, in the
// encounter service and in the injury service.
func TestPacksOverStreams(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: t.TempDir(), Logger: quiet(), Streams: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // the test is over
	h := houseOn(t, s)
	folder, err := packs.Folder("example-house")
	if err != nil {
		t.Fatal(err)
	}
	files, err := library.ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		table := fmt.Sprint("table-", i)
		put, err := h.packs.PutPack(ctx, &encounterv1.PutPackRequest{As: master, Table: table, Files: files})
		if err != nil {
			t.Fatal(err)
		}
		for j, cmd := range houseCommands(t, "example-house") {
			if _, err := h.Execute(ctx, &encounterv1.ExecuteRequest{RequestId: fmt.Sprint(j), As: master, Table: table, Encounter: houseFight, Command: cmd}); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
		}
		list, err := h.packs.ListPacks(ctx, &encounterv1.ListPacksRequest{As: master, Table: table})
		if err != nil || !slices.ContainsFunc(list.Packs, func(p *encounterv1.PackSummary) bool { return p.Digest == put.Pack.Digest && p.Newest }) {
			t.Errorf("%s lists %v, %v", table, list, err)
		}
	}
}
