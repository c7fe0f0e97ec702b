package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// twiceArmed gives a creature a second weapon.
func twiceArmed(s *eventv1.Sheet) {
	s.GetRcr().Attacks = append(s.GetRcr().Attacks, &eventv1.RcrAttack{Name: "fist", Bonus: 1, ReachFeet: 5, Natural: true,
		Damage: []*eventv1.RcrDamage{{Dice: "1", Type: "bludgeoning"}}})
}

// Whether and with what somebody reacts is its own decision: nothing that whoever
// provokes it says chooses the weapon.
//
// rcr.base.opportunity-frame
func TestReactorChooses(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", twiceArmed)).start(nil, 20, 5)
	f.Afflict("a", body.CondProne)
	threat := func(about map[string]any) *eventv1.Command {
		return act("a", "stand", "", "", withFacts("threatened_by", []string{"b"}, "opportunity", map[string]any{"b": about}))
	}
	wantField(t, f.Peek(threat(map[string]any{"weapon": "fist"})), "take.facts.opportunity.b", "not cover, advantage or disadvantage")
	wantField(t, f.Peek(threat(map[string]any{"cover": 2})), "take.facts.opportunity.b.cover", "text")
	f.Must(threat(map[string]any{"cover": "half"}))
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" || f.Decisions[0].GmOnly {
		t.Fatalf("asked %v", f.Decisions)
	}
	var offered []string
	for _, o := range f.Decisions[0].Options {
		offered = append(offered, o.Id)
	}
	if want := []string{"no", "sword", "fist", body.UnarmedStrike}; !slices.Equal(offered, want) {
		t.Fatalf("offered %v, want %v", offered, want)
	}
	f.Choose("fist", 20, 1)
	if got := f.Attack(); got.Weapon != "fist" || got.Attacker != "b" {
		t.Fatalf("%v", got)
	}
}

// Every decision that a fight opens is put to the one whose it is.
func TestWhoseDecision(t *testing.T) {
	for _, c := range []struct {
		name, decision, of string
		play               func(f *table)
	}{
		{"a hit", strike.DecDefend, "b", func(f *table) { f.Must(act("a", "attack", "sword", "b"), 18) }},
		{"a failed save", body.DecLegendaryResistance, "b", func(f *table) {
			f.Must(act("b", "called-save", "", "", withParameters("ability", "wisdom", "dc", 15)), 2)
		}},
		{"a fall", movement.DecFallRoll, "b", func(f *table) { f.Must(act("b", "fall", "", "", withParameters("feet", 20))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", trait(body.TraitUncannyDodge, body.TraitLegendaryResistance),
				rcrSheet(func(s *eventv1.RcrSheet) {
					s.Resources = []*eventv1.RcrResource{{Name: body.TraitLegendaryResistance, Current: 1, Max: 1, Recharge: "long rest"}}
				}))).start(nil, 20, 5)
			c.play(f)
			if len(f.Decisions) != 1 || f.Decisions[0].Name != c.decision || f.Decisions[0].Creature != c.of {
				t.Fatalf("asked %v, want %s of %s", f.Decisions, c.decision, c.of)
			}
		})
	}
}

// Nothing is refused once a die has fallen: what is wrong is found before the
// first, or ends in a note.
func TestNothingRefusedAfterADie(t *testing.T) {
	blink := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "blink", RangeFeet: 30, TeleportFeet: 20, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "force"}}}}
	})
	for name, c := range map[string]struct {
		settings []string
		cmd      *eventv1.Command
	}{
		"a power that ends where somebody stands": {nil, act("a", "use-power", "blink", "b", along(20, 0))},
		"a power that ends too far":               {nil, act("a", "use-power", "blink", "b", along(90, 0))},
		"degrees at a table without": {[]string{"rcr.dice.degrees-of-success=off"},
			act("a", "task-check", "", "", withParameters("task", "raid", "skill", "stealth", "dc", 10, "degrees", true))},
		"dice added that nobody can roll": {nil, act("a", "attack", "bow", "b", withParameters("extra_damage", "2001d6"))},
	} {
		f := newTable(t, c.settings...)
		f.AddAt(0, 0, fighter("a", "party", blink))
		f.AddAt(20, 0, fighter("b", "monsters"))
		f.start(nil, 20, 5)
		rolled := false
		f.Roller = func(int) int { rolled = true; return 10 }
		if err := f.Peek(c.cmd); err == nil || rolled {
			t.Errorf("%s: %v, rolled %v", name, err, rolled)
		}
	}
	// The window that a kit opens comes before anybody knows of the wounds.
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 1 })), fighter("b", "monsters"), fighter("c", "party"))
	f.start(nil, 20, 5, 4)
	f.Must(act("a", "use-kit", "", "c", withFacts("override", true, "threatened_by", []string{"b"})))
	f.Choose("sword", 2)
	f.wantCount("a", body.CKit, 1)
	f.wantCount("a", body.CAction, 0)
}
