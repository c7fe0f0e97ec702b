package robustness

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rpc"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// duel begins a fight between ann's creature and the game master's, side by side.
func duel(t *testing.T, system, mine, theirs string) *side {
	t.Helper()
	s := newSide(t, 3)
	do := func(id string, cmd *eventv1.Command) {
		t.Helper()
		resp, err := s.execute(gm, id, cmd)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; len(resp.Decisions) > 0; n++ {
			if resp, err = s.execute(gm, id+string(rune('a'+n)), replyTo(t, resp.Decisions[0], 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	do("1", &eventv1.Command{What: &eventv1.Command_Create{Create: &eventv1.CreateEncounter{Encounter: "e", System: system}}})
	for i, name := range []string{mine, theirs} {
		sheet, err := sheets.Get(system, name)
		if err != nil {
			t.Fatal(err)
		}
		sheet.Id, sheet.Side = []string{"hero", "grak"}[i], []string{"left", "right"}[i]
		if i == 0 {
			sheet.Controllers = []string{"ann"}
		}
		do("add"+sheet.Id, &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet, Position: &eventv1.Position{X: int32(5 * i)}}}})
	}
	do("2", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	return s
}

// turnOf ends turns until a creature acts.
func (s *side) turnOf(id string) {
	s.t.Helper()
	for n := range 10 {
		state := s.state(gm)
		if len(state.Active) == 1 && state.Active[0] == id {
			return
		}
		resp, err := s.execute(gm, "turn"+string(rune('a'+n)), &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{}}})
		if err != nil {
			s.t.Fatal(err)
		}
		for k := 0; len(resp.Decisions) > 0; k++ {
			if resp, err = s.execute(gm, "turn"+string(rune('a'+n))+string(rune('a'+k)), replyTo(s.t, resp.Decisions[0], 0)); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	s.t.Fatalf("%s never acts", id)
}

// A player's own command cannot switch off the orc's reaction.
func TestAReactionIsTheReactors(t *testing.T) {
	s := duel(t, "rcr", "fighter", "orc")
	s.turnOf("hero")
	if _, err := s.execute(gm, "prone", &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "hero",
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "prone"}}}}}}); err != nil {
		t.Fatal(err)
	}
	stand := func(id, creature string) error {
		_, err := s.execute(annPlays, id, &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "hero", Action: "stand"}},
			Answers: []*eventv1.EarlyAnswer{{Decision: "opportunity-attack", Creature: creature, Answer: &eventv1.Answer{Option: "no"}}}})
		return err
	}
	tapes := s.tapes()
	if f := rpc.FromStatus(stand("a", "grak")); f == nil || f.Reason != "NOT_YOUR_DECISION" {
		t.Errorf("for the orc by name: %v", f)
	}
	if got := s.tapes(); got != tapes {
		t.Errorf("%d tapes were opened", got-tapes)
	}
	if err := stand("b", ""); err != nil {
		t.Fatal(err)
	}
	d := firstOpen(s.state(gm))
	if d == nil || d.Name != "opportunity-attack" || d.Creature != "grak" {
		t.Errorf("the orc is not asked: %v", s.state(gm).Decisions)
	}
}
