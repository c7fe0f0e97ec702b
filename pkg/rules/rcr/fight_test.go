package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// healer has a power that gives 5 hit points.
func healer(id, side string) *eventv1.Sheet {
	return fighter(id, side, rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "touch", Cost: "action", RangeFeet: 5, Healing: "1d4", Resource: "touch"}}
		s.Resources = []*eventv1.RcrResource{{Name: "touch", Current: 5, Max: 5, Recharge: "long rest"}}
	}))
}

// rcr.base.attack-and-critical: the damage of a hit is taken off
func TestHitTakesHitPoints(t *testing.T) {
	f := duel(t)
	f.Must(act("a", "attack", "sword", "b"), 10, 4)
	if got := f.Creature("b").GetHp(); got != 33 {
		t.Fatalf("%d hit points, want 33", got)
	}
	for _, e := range f.SeenBy(player("somebody")) { // rcr.hp.secret-totals
		if e.GetDamage() != nil || e.GetHitPoints() != nil {
			t.Fatalf("a stranger sees %v", e)
		}
	}
}

// rcr.initiative.healed-reroll: by a power in the healer's turn
func TestHealedByPower(t *testing.T) {
	f := newTable(t).add(healer("cleric", "party"), fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 14, 9, 11)
	f.Hurt("hero", 0)
	if !body.Down(f.Creature("hero")) || !body.Has(f.Creature("hero"), body.CondProne) {
		t.Fatal("the hero stands")
	}
	f.Must(act("cleric", "use-power", "touch", "hero"), 4, 15)
	if c := f.Creature("hero"); c.GetHp() != 4 || body.Down(c) || answers.InitiativeOf(c, 1).GetTotal() != 15 {
		t.Fatalf("hero %v", c)
	}
	f.End("cleric", 1)
	f.WantActive("hero")
}

// rcr.base.death-save-frame: a turn with nothing but a death save ends by itself
func TestDyingTurnEndsItself(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 14, 12, 11)
	f.Hurt("hero", 0)
	f.End("a", 1, 10, 1) // a's next initiative; the hero's death save and its next initiative
	f.WantActive("orc")
	if got := f.Creature("hero").Counters[body.CDeathSuccesses]; got != 1 {
		t.Fatalf("%d successes, want 1", got)
	}
	for _, e := range f.SeenBy(player("hero-player")) { // rcr.death.secret-saves
		if r := e.GetRoll(); r != nil && r.Creature == "hero" {
			t.Fatalf("its own player sees %v", r)
		}
		if i := e.GetInitiativeSet(); i != nil && i.Creature == "hero" {
			t.Fatalf("its own player sees %v", i)
		}
	}
}

// rcr.base.death-save-frame: a natural 20 wakes and the turn goes on, with no
// new initiative (rcr.initiative.healed-reroll)
func TestNaturalTwentyTakesItsTurn(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("hero", "party")).start(nil, 14, 12)
	f.Hurt("hero", 0)
	f.End("a", 1, 20)
	f.WantActive("hero")
	if c := f.Creature("hero"); c.GetHp() != 1 || c.Counters[body.CMovement] != 30 || !body.Has(c, body.CondProne) {
		t.Fatalf("hero %v", c)
	}
}

// Whoever falls in its own turn has none any more; the dead never get one.
func TestFallingInOnesOwnTurn(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 10)
	f.Hurt("a", 3)
	f.Resolve(func(r *resolution) error {
		movement.DamageDeed(r, "lava", r.Creature("a"), nil, "lava", []*eventv1.DamagePart{{Type: "fire", Rolled: 5}}, false, nil)
		return settle(r)
	}, 3, 2) // in shock from two wounds: the initiative rolled as its turn ends
	f.WantActive("b")
	f.Must(act("b", "attack", "sword", "a"), 12, 4, 1, 8, 8) // prone and unconscious: assurance, critical within 5 feet
	if f.Attack().Outcome != "critical" || f.Creature("a").Counters[body.CDeathFailures] != 2 {
		t.Fatalf("%s, %d failures", f.Attack().Outcome, f.Creature("a").Counters[body.CDeathFailures])
	}
}

// Monsters die at 0 hit points and get no turns.
func TestMonsterDies(t *testing.T) {
	f := duel(t)
	f.Hurt("b", 1)
	f.Must(act("a", "attack", "sword", "b"), 10, 1)
	if !body.Dead(f.Creature("b")) {
		t.Fatal("the monster lives")
	}
	f.End("a", 1)
	f.WantActive("z")
	wantRefused(t, f.Try(act("z", "attack", "sword", "b")), cite.BaseFifthEditionFallback)
}

// An encounter in which nobody can act any more stops by itself.
func TestNobodyLeft(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 10)
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "b"}}})
	f.Resolve(func(r *resolution) error {
		injuries.Die(r, "a", "test")
		return settle(r)
	})
	if len(f.State.Active) != 0 {
		t.Fatalf("active %v", f.State.Active)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c", "party")}}}, 10)
	f.WantActive("c")
}

// The creature whose turn it is may be taken off the field.
func TestLeavingInOnesOwnTurn(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 10)
	f.Afflict("b", "grappled@a")
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "a"}}})
	f.WantActive("b")
	if body.Has(f.Creature("b"), body.CondGrappled) { // rcr.condition.replace-base
		t.Fatal("held by nobody")
	}
}

// rcr.condition.replace-base: an incapacitated grappler lets go
func TestGrapplerIncapacitated(t *testing.T) {
	f := duel(t)
	f.Afflict("a", "grappled@b")
	f.Afflict("b", "stunned")
	if body.Has(f.Creature("a"), body.CondGrappled) {
		t.Fatal("held by the stunned")
	}
}

// rcr.condition.paralyzed-disabled, rcr.condition.paralyzed-stricken
func TestParalysisOnset(t *testing.T) {
	f := duel(t)
	f.Afflict("b", "paralyzed=stricken")
	f.Afflict("z", "paralyzed=disabled")
	if body.Has(f.Creature("b"), body.CondProne) || !body.Has(f.Creature("z"), body.CondProne) {
		t.Fatal("the stricken stand, the disabled fall")
	}
	f.End("a", 1)
	f.End("b", 1, 20) // stricken: no suffocation; z saves against DC 5 at the start of its turn
	f.WantActive("z")
	if r := f.Roll("suffocation"); r.Target.Value != 5 {
		t.Fatalf("DC %d, want 5", r.Target.Value)
	}
}

// rcr.base.inspiration-held
func TestInspirationForAnAttack(t *testing.T) {
	f := duel(t)
	f.Count("a", body.CInspiration, 1)
	f.Count("a", body.CInspiration, 2)
	if got := f.Creature("a").Counters[body.CInspiration]; got != 1 {
		t.Fatalf("%d inspirations, want one", got)
	}
	f.Must(act("a", "attack", "sword", "b", withParameters("inspiration", true)), 3, 9)
	if got := f.Roll("/to-hit").Kept[0]; got != 9 || f.Creature("a").Counters[body.CInspiration] != 0 {
		t.Fatalf("kept %d, %d inspirations left", got, f.Creature("a").Counters[body.CInspiration])
	}
	f.End("a", 20)
	f.End("b", 1)
	f.End("z", 1)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b", withParameters("inspiration", true))), cite.BaseInspirationHeld)
}

// rcr.condition.helpless-definition: the game master sets it; lying at 0 hit
// points is not helpless by itself
func TestHelplessIsSet(t *testing.T) {
	f := duel(t)
	f.Hurt("b", 0)
	if body.Has(f.Creature("b"), body.CondHelpless) || !body.Has(f.Creature("b"), body.CondUnconscious) {
		t.Fatal("dying is unconscious, not helpless")
	}
	f.Must(act("a", "attack", "sword", "b"), 2, 3, 4) // rolled: it can miss
	if f.Attack().Outcome != "miss" {
		t.Fatal(f.Attack().Outcome)
	}
}

// rcr.condition.blinded-definition: whoever cannot see is blinded while it lasts
func TestBlindedWhileInFog(t *testing.T) {
	f := duel(t)
	f.Afflict("a", body.CondBlinded)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondBlinded}}}})
	f.Must(act("a", "attack", "sword", "b"), 9)
	if got := f.Roll("/to-hit").Expression; got != "1d20" {
		t.Fatalf("%s out of the fog", got)
	}
}

// Settings have the catalogue's ids and no id twice; every default is a value allowed.
func TestSettingsAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range (System{}).Settings() {
		if seen[s.ID] || s.Title == "" || s.Text == "" {
			t.Errorf("%s: twice, or without words", s.ID)
		}
		seen[s.ID] = true
		if v := rules.CheckSettings(System{}, map[string]string{s.ID: s.Default}); len(v) > 0 {
			t.Errorf("%s: %v", s.ID, v)
		}
	}
}

// The optional rules of this part have the defaults of the catalogue.
func TestDefaultsAreTheCatalogues(t *testing.T) {
	c, err := catalogue.System(body.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range c.Toggles() {
		id := string(e.ID)
		def := body.Defaults.Value(nil, id)
		known := def != ""
		elsewhere := strings.HasPrefix(id, "rcr.feat.") || strings.HasPrefix(id, "rcr.flight.") || strings.HasPrefix(id, "rcr.underwater.") || strings.HasPrefix(id, "rcr.mount.")
		switch {
		case !known && !elsewhere:
			t.Errorf("%s is no setting", id)
		case known && (def == "on") != e.DefaultOn:
			t.Errorf("%s is %q by default, the catalogue says on: %v", id, def, e.DefaultOn)
		}
	}
}
