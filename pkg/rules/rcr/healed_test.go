package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// wakeHero brings the fighter back as healing does.
func wakeHero(r *resolution) error {
	r.SetHitPoints("hero", 5, 40, 0)
	settleBody(r, "hero")
	answers.RerollHealed(r, "hero")
	return nil
}

// fallen is a fight in the cleric's turn on 14; the hero lies unconscious and
// prone, the orc is on 11 and a straggler on 10.
func fallen(t *testing.T) *table {
	t.Helper()
	hero := fighter("hero", "party", ability("dexterity", 18), ability("intelligence", 14))
	f := newTable(t, body.SetInitiativeChoice+"=players").add(fighter("cleric", "party"), hero, fighter("orc", "monsters"), fighter("straggler", "party"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "hero", Decision: body.DecInitiative, Order: "intelligence"}}})
	f.start(nil, 14, 7, 11, 10) // hero on 9, with Intelligence
	f.Hurt("hero", 0)
	return f
}

// rcr.initiative.healed-reroll
func TestHealedReroll(t *testing.T) {
	t.Run("rcr.initiative.healed-reroll: higher than the running turn", func(t *testing.T) {
		f := fallen(t)
		f.Resolve(wakeHero, 13) // 15
		f.WantActive("cleric")
		f.End("cleric", 1)
		f.WantActive("hero")
	})
	t.Run("rcr.initiative.healed-reroll: not higher", func(t *testing.T) {
		f := fallen(t)
		f.Count("hero", body.CExhaustion, 1)
		f.Resolve(wakeHero, 13) // 14
		if got := answers.InitiativeOf(f.Creature("hero"), 1).GetTotal(); got != 14 {
			t.Fatalf("total %d, want 14", got)
		}
		f.WantActive("cleric")
		f.End("cleric", 1)
		f.WantActive("hero")
	})
	t.Run("rcr.initiative.healed-reroll: Dexterity while prone", func(t *testing.T) {
		f := fallen(t)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "hero", Decision: body.DecInitiative, Order: "dexterity"}}})
		f.Resolve(wakeHero, 16, 5) // 9
		f.End("cleric", 1)
		f.WantActive("orc")
		f.End("orc", 1)
		f.End("straggler", 1)
		f.WantActive("hero")
	})
}

// rcr.initiative.healed-reroll: a turn already had, a hidden total thrown away
func TestHealedAfterItsTurn(t *testing.T) {
	hero := fighter("hero", "party", ability("dexterity", 18), ability("intelligence", 14))
	f := newTable(t).add(fighter("cleric", "party"), hero).start(nil, 14, 14) // hero 18 before the cleric's 14
	f.End("hero", 7)                                                          // 11 for round 2
	f.Hurt("hero", 0)
	f.Resolve(wakeHero, 4) // prone: Intelligence, 6
	if answers.InitiativeOf(f.Creature("hero"), 2) != nil || answers.InitiativeOf(f.Creature("hero"), 1).GetTotal() != 6 {
		t.Fatalf("initiative %v", f.Creature("hero").Initiative)
	}
	f.End("cleric", 1)
	f.WantActive("hero")
	if f.State.Round != 1 {
		t.Fatal("the new turn is in this round")
	}
	f.End("hero", 10)
	if got := answers.InitiativeOf(f.Creature("hero"), 2).GetTotal(); got != 12 {
		t.Fatalf("rolled again for the next round: %d, want 12", got)
	}
}
