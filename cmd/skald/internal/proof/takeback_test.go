package proof

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/cmd/skald/internal/autoplay"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// takenBack plays a fight in which a player takes commands back between and behind which
// others did what the player does not see, and returns the whole record and the player's.
func takenBack(t *testing.T, system string) (whole, players [][]byte) {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: &fixed{src: rand.NewChaCha8([32]byte{7})},
		Clock: func() time.Time { return time.Unix(1_800_000_000, 0) }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the fight is exported
	f := &fightOf{t: t, client: encounterv1.NewEncounterServiceClient(stack.Conn()), system: system, id: system}
	f.do(gm, &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{System: system, RepeatPolicy: eventv1.RepeatPolicy_REPEAT_POLICY_SAME}}})
	names := sheets.List(system)
	for i, id := range []string{"c0", "c1", "c2", "hidden"} {
		sheet, err := sheets.Get(system, names[i%len(names)])
		if err != nil {
			t.Fatal(err)
		}
		sheet = proto.CloneOf(sheet)
		sheet.Id, sheet.Side = id, []string{"left", "right"}[i%2]
		if id == "c0" {
			sheet.Controllers = []string{"ann"}
		}
		f.do(gm, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Staged: id == "hidden",
			Position: &eventv1.Position{X: int32(5 * (i % 2)), Y: int32(5 * (i / 2))}}}}) //nolint:gosec // few
	}
	f.do(gm, &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	player := &autoplay.Player{Client: f.client, Encounter: f.id, Rounds: 1}
	f.rounds(player)
	hurt := func(hp int32) {
		f.do(gm, &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "hidden", Vitals: &eventv1.Vitals{Hp: &hp}}}})
	}
	order := func(what string) {
		f.do(ann, &eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "c0", Decision: standing(t, system), Order: what}}})
	}
	order("no")
	hurt(4)
	hurt(3)
	order("yes")
	hurt(2)
	f.do(ann, &eventv1.Command{What: &eventv1.Command_TakeBack{TakeBack: &eventv1.TakeBack{Commands: 2}}})
	s, err := f.client.GetState(t.Context(), &encounterv1.GetStateRequest{As: gm, Encounter: f.id})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range rules.SortedKeys(s.State.Contests) {
		f.do(gm, &eventv1.Command{What: &eventv1.Command_Settle{Settle: &eventv1.SettleContest{Contest: id, Uphold: true}}})
	}
	order("no")
	player.Rounds = 2
	f.rounds(player)
	f.do(gm, &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	return f.exportAs(gm), f.exportAs(ann)
}

// standing is a decision of the system for which an order can stand.
func standing(t *testing.T, system string) string {
	t.Helper()
	sys, err := systems.Registry().System(system)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range sys.StandingOrders() {
		if slices.Contains(o.Orders, "yes") && slices.Contains(o.Orders, "no") {
			return o.Decision
		}
	}
	t.Fatalf("%s has no standing order of yes or no: %v", system, sys.StandingOrders())
	return ""
}

// Both verifiers find that a record holds in which a take-back was granted behind deeds
// that the player did not see, whole and as the player has it, and the first finds what is
// forged in what was decided again.
func TestARecordWithATakeBack(t *testing.T) {
	registry := systems.Registry()
	for _, system := range registry.IDs() {
		whole, players := takenBack(t, system)
		if r := again(t, registry, whole); !r.Holds() {
			t.Errorf("%s: %s", system, r)
		}
		if r := again(t, registry, players); !r.OK() || r.Holds() {
			t.Errorf("%s, the player's: %s", system, r)
		}
		dir := t.TempDir()
		for i, r := range runSecond(t, []string{write(t, dir, 0, whole), write(t, dir, 1, players)}) {
			if len(r.Problems) > 0 {
				t.Errorf("%s, export %d by the second verifier: %v", system, i, r.Problems)
			}
		}
		for name, forge := range map[string]func(rev *eventv1.Reverted, am *eventv1.Amended){
			"a deed left out":        func(_ *eventv1.Reverted, am *eventv1.Amended) { am.Commands = am.Commands[1:] },
			"a note":                 func(_ *eventv1.Reverted, am *eventv1.Amended) { am.Notes = []string{"step 3 is not done any more"} },
			"the numbers after it":   func(rev *eventv1.Reverted, _ *eventv1.Amended) { rev.ThenActions[0]++ },
			"who is told":            func(rev *eventv1.Reverted, _ *eventv1.Amended) { rev.Told = append(rev.Told, "player/zoe") },
			"that others are kept":   func(rev *eventv1.Reverted, _ *eventv1.Amended) { rev.Kept = false },
			"an event of what stays": func(_ *eventv1.Reverted, am *eventv1.Amended) { am.Commands[0].Events = nil },
		} {
			f := open(t, whole)
			i, at, e := f.find(func(e *eventv1.Event) bool { return e.GetReverted().GetKept() })
			if e == nil {
				t.Fatalf("%s: nothing was taken back behind something", system)
			}
			forge(e.GetReverted(), f.parts[i][at+1].(*eventv1.Event).GetAmended())
			if r := again(t, registry, f.seal(i)); r.OK() {
				t.Errorf("%s: %s is forged and not found: %s", system, name, fmt.Sprint(r))
			}
		}
	}
}
