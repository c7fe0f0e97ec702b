package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback, rcr.condition.restrained-somatic,
// rcr.condition.shackled-casting, rcr.condition.deafened-verbal: a spell that raises the
// armour class, cast as a reaction to a hit, and what it does not go with.
func TestShieldAgainstAHit(t *testing.T) {
	shields := func(time string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellSlots = []int32{1}
			s.Spells = []*eventv1.RcrSpell{{Name: "shield", Level: 1, CastingTime: time, Verbal: true, Somatic: true,
				Effects: []*eventv1.RcrEffect{{Condition: "shielded", Changes: map[string]int32{body.ChArmor: 5}}}}}
		})
	}
	for _, c := range []struct {
		name    string
		time    string
		do      func(f *table)
		face    int // with +5 against 15, or 20
		asked   bool
		faces   []int // after the answer
		outcome string
		slots   int64
	}{
		{"turned aside", "reaction", nil, 14, true, nil, "miss", 0},
		{"met all the same", "reaction", nil, 15, true, []int{1}, "hit", 0},
		{"a natural 20", "reaction", nil, 20, true, []int{1, 1}, "critical", 0},
		{"a miss is not asked about", "reaction", nil, 9, false, nil, "miss", 1},
		{"as an action it is no answer", "action", nil, 14, false, []int{1}, "hit", 1},
		{"as a bonus action neither", "bonus", nil, 14, false, []int{1}, "hit", 1},
		{"no slot", "reaction", func(f *table) { f.Count("b", body.CSlot+"1", 0) }, 14, false, []int{1}, "hit", 0},
		{"no reaction", "reaction", func(f *table) { f.Count("b", body.CReaction, 0) }, 14, false, []int{1}, "hit", 1},
		{"bound hands", "reaction", func(f *table) { f.Afflict("b", body.CondShackled) }, 14, false, []int{14, 1}, "hit", 1},
		{"deafened: 10 against 11, and the slot is kept", "reaction", func(f *table) { f.Afflict("b", body.CondDeafened) }, 14, true, []int{10, 1}, "hit", 1},
		{"deafened: 11 against 11", "reaction", func(f *table) { f.Afflict("b", body.CondDeafened) }, 14, true, []int{11}, "miss", 0},
		{"grappled: no check for a reaction", "reaction", func(f *table) { f.Afflict("b", "grappled@a") }, 14, true, nil, "miss", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", shields(c.time))).start(nil, 20, 5)
			if c.do != nil {
				c.do(f)
			}
			faces := []int{c.face}
			if !c.asked {
				faces = append(faces, c.faces...)
			}
			f.Must(act("a", "attack", "sword", "b"), faces...)
			if (len(f.Decisions) > 0) != c.asked {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.asked {
				f.Answer(strike.DecDefend, "cast/shield", c.faces...)
			}
			at := slices.IndexFunc(f.Published, func(e *eventv1.Event) bool { return e.GetAttack().GetTarget() == "b" })
			if got := f.Published[at].GetAttack().Outcome; got != c.outcome {
				t.Errorf("%s, want %s", got, c.outcome)
			}
			f.wantCount("b", body.CSlot+"1", c.slots)
			if c.asked {
				f.wantCount("b", body.CReaction, 0)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: temporary hit points last until a long rest, a short one
// leaves them; exhaustion is never below 0; the rested get up, and nobody concentrates
// through a night.
func TestWhatARestLeaves(t *testing.T) {
	for _, c := range []struct {
		deed          string
		temporary     int32
		exhaustion    int
		left          int64
		concentrating bool
	}{{"short-rest", 7, 0, 0, true}, {"short-rest", 7, 2, 2, true}, {"long-rest", 0, 0, 0, false}, {"long-rest", 0, 1, 0, false}, {"long-rest", 0, 2, 1, false}} {
		f := medTable(t, bodied("a", 10, 40), 40, 0)
		f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "a", Amount: 7})
		f.Count("a", body.CExhaustion, c.exhaustion)
		f.Afflict("a", body.CondProne)
		f.Resolve(func(r *resolution) error { dice.Concentrate(r, "a", "bless"); return nil })
		f.tend(patientDeed(c.deed, "", []string{"a"}, "", append([]any{"kit_available", true}, map[bool][]any{true: {"dice", 0}}[c.deed == "short-rest"]...)...))
		a := f.Creature("a")
		if a.GetHpTemp() != c.temporary || a.Counters[body.CExhaustion] != c.left || (body.Concentration(a) != "") != c.concentrating || body.Has(a, body.CondProne) {
			t.Errorf("%s: %d temporary hit points, %v, concentrates on %q, prone %v", c.deed, a.GetHpTemp(), a.Counters[body.CExhaustion], body.Concentration(a), body.Has(a, body.CondProne))
		}
	}
	for _, condition := range []string{body.CondUnconscious, body.CondParalyzed, body.CondPetrified} { // who cannot get up stays down
		f := medTable(t, bodied("a", 10, 40), 40, 0)
		f.Afflict("a", body.CondProne, condition)
		f.tend(patientDeed("long-rest", "", []string{"a"}, ""))
		f.wantHas("a", body.CondProne, true)
	}
}

// rcr.underwater.suffocating-escalation, rcr.condition.paralyzed-disabled: air ends it; who
// has none again begins anew at 5.
func TestSuffocatingAnew(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 40, 0)
	breathe := func() {
		f.State.Creatures["a"].Conditions = slices.DeleteFunc(f.State.Creatures["a"].Conditions, func(x *eventv1.Condition) bool { return x.Name == body.CondSuffocating })
		f.deed(turnBegins("a"))
	}
	for i := range 3 {
		if i > 0 {
			breathe()
		}
		f.Afflict("a", body.CondSuffocating)
		f.deed(turnBegins("a"), 5)
		if got := f.Roll("suffocation").Target.GetValue(); got != 5 {
			t.Errorf("time %d: against %d, want 5", i, got)
		}
		f.deed(turnBegins("a"), 10)
		if got := f.Roll("suffocation").Target.GetValue(); got != 10 {
			t.Errorf("time %d, the second turn: against %d, want 10", i, got)
		}
	}
}

// rcr.death.secret-saves: when it dies, what was kept from its owner is told: the levels
// that its failures brought, and the inspiration that it spent in vain.
func TestToldWhenItDies(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 0, 0).add(bodied("b", 10, 40))
	f.deed(turnBegins("a"), 7)
	if seen := f.SeenBy(player("a-player")); len(seen) > 0 {
		t.Fatalf("a failure is told: %v", seen)
	}
	f.deed(turnBegins("a"), 1) // two more failures, two more levels
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	levels := func(who string) (n int64) {
		n = -1
		for _, e := range f.SeenBy(player(who)) {
			if c := e.GetCounter(); c.GetSubject() == "a" && c.Counter == body.CExhaustion {
				n = c.Value
			}
		}
		return n
	}
	if mine, theirs := levels("a-player"), levels("b-player"); mine != 3 || theirs != -1 {
		t.Errorf("its owner is told %d levels, another player %d", mine, theirs)
	}
	f.refusedDeed(body.Fallback, &eventv1.Harm{Deed: body.DeedExhaust, Target: "a", Amount: 1}) // the dead
	f = medTable(t, bodied("a", 10, 40), 0, 0)
	f.Count("a", body.CDeathSuccesses, 2, body.CInspiration, 1)
	yes := []*eventv1.EarlyAnswer{{Decision: checks.DecDeathInspiration, Answer: &eventv1.Answer{Option: "yes"}}}
	no := []*eventv1.EarlyAnswer{{Decision: checks.DecDeathInspiration, Answer: &eventv1.Answer{Option: "no"}}}
	begin := func(r *rules.Resolution) error { return rest.Medicine{}.Deed(r, turnBegins("a")) }
	if _, err := f.tryMedicine(begin, no, []int{10}); err != nil { // the third success: stable, and nobody knows
		t.Fatal(err)
	}
	if _, err := f.tryMedicine(begin, yes, nil); err != nil {
		t.Fatal(err)
	}
	f.wantCount("a", body.CInspiration, 0)
	f.deed(&eventv1.Harm{Deed: body.DeedExhaust, Target: "a", Amount: 11})
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.wantCount("a", body.CInspiration, 1)
}

// rcr.base.fifth-edition-fallback: legendary resistance, while any is left, for the one who
// has it; the save is asked about when it has failed.
func TestLegendaryResistanceRunsOut(t *testing.T) {
	resist := func(n int32, names ...string) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) {
			trait(names...)(s)
			s.GetRcr().Resources = []*eventv1.RcrResource{{Name: body.TraitLegendaryResistance, Current: n, Max: 3, Recharge: "day"}}
		}
	}
	for _, c := range []struct {
		name   string
		change func(*eventv1.Sheet)
		face   int
		asked  bool
	}{
		{"one left", resist(1, body.TraitLegendaryResistance), 5, true},
		{"none left", resist(0, body.TraitLegendaryResistance), 5, false},
		{"uses, and no trait", resist(1), 5, false},
		{"it succeeds by itself", resist(1, body.TraitLegendaryResistance), 15, false},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", c.change)).start(nil, 20, 5)
		success := false
		f.Resolve(func(r *resolution) error {
			success = dice.RollSave(r, "probe", r.Creature("b"), "wisdom", 15, "", r.Creature("a"), body.SaveOpts{}).Success()
			return nil
		}, c.face)
		if (len(f.Decisions) > 0) != c.asked {
			t.Errorf("%s: asked %v", c.name, f.Decisions)
		}
		if c.asked {
			f.Answer(body.DecLegendaryResistance, "yes")
			f.wantCount("b", body.CLeft+body.TraitLegendaryResistance, 0)
		}
		if want := c.asked || c.face == 15; success != want {
			t.Errorf("%s: success %v", c.name, success)
		}
	}
}

// rcr.initiative.range-call: the totals of a range are called with it, of those who still
// live.
func TestTheDeadAreNotCalled(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "monsters")).start(nil, 18, 8, 7)
	f.Resolve(func(r *resolution) error { die(r, "b"); return nil })
	f.End("a", 1)
	f.WantActive("c")
	for _, e := range f.SeenBy(player("a-player")) {
		if i := e.GetInitiativeSet(); i.GetCreature() == "b" {
			t.Errorf("the total of the dead is called: %v", i)
		}
	}
	if got := answers.InitiativeOf(f.Creature("b"), 1).GetTotal(); got != 8 {
		t.Errorf("the game master knows it: %d", got)
	}
}

// rcr.base.fifth-edition-fallback: an item on oneself needs no reach, whatever distance is
// stated; on another it is within five feet.
func TestItemsOnWhom(t *testing.T) {
	potion := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Items = []*eventv1.RcrItem{{Name: "potion", Rarity: "common", Healing: "2d4+2", Charges: 3}}
	})
	f := newTable(t)
	f.place(fighter("a", "party", potion), 0, 0)
	f.place(fighter("c", "party"), 10, 0)
	f.place(fighter("b", "monsters"), 60, 0)
	f.start(nil, 20, 5, 4)
	for _, c := range []struct {
		on     string
		said   []any
		reason string
	}{{"a", nil, ""}, {"a", []any{"distance", 10}, ""}, {"c", nil, "OUT_OF_REACH"}, {"c", []any{"distance", 5}, ""}, {"c", []any{"distance", 6}, "OUT_OF_REACH"}} {
		cmd := act("a", "use-item", "potion", c.on)
		if c.said != nil {
			cmd = act("a", "use-item", "potion", c.on, withFacts(c.said...))
		}
		f.Roller = func(int) int { return 1 }
		wantReasonOf(t, c.on, f.Peek(cmd), c.reason)
	}
}

// rcr.base.fifth-edition-fallback: help is against an enemy on the field that lives, within
// five feet of the helper.
func TestHelpAgainstWhom(t *testing.T) {
	f := newTable(t)
	f.place(fighter("a", "party"), 0, 0)
	f.place(fighter("c", "party"), 5, 5)
	f.place(fighter("b", "monsters"), 5, 0)
	f.place(fighter("d", "monsters"), 10, 0)
	f.place(fighter("e", "monsters"), 0, 5)
	f.start(nil, 20, 5, 4, 3, 2)
	f.Resolve(func(r *resolution) error { die(r, "e"); return nil })
	for against, field := range map[string]string{"c": "take.parameters.against", "a": "take.parameters.against", "e": "take.parameters.against"} {
		wantFault(t, f.Try(act("a", "help", "", "c", withParameters("against", against))), field)
	}
	wantFault(t, f.Try(act("a", "help", "", "c")), "take.parameters.against")
	for _, nobody := range []string{"nobody", ""} {
		wantReasonOf(t, nobody, f.Try(act("a", "help", "", "c", withParameters("against", nobody))), "UNKNOWN_CREATURE")
	}
	wantReasonOf(t, "ten feet", f.Try(act("a", "help", "", "c", withParameters("against", "d"))), "OUT_OF_REACH")
	if got := valuesOf(offered(f.State, "a", "help", ""), "against"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("offered against %v", got)
	}
	f.Must(act("a", "help", "", "c", withParameters("against", "b")))
	f.End("a", 1)
	f.wantHas("c", body.CondHelped, true)
}

// rcr.base.fifth-edition-fallback: a reading of a roll that nobody named tells what it is.
func TestWhatARollIsAbout(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	for reason, want := range map[string]string{"": "stealth check", "to slip away": "to slip away"} {
		f.Resolve(func(r *resolution) error {
			dice.RollCheck(r, "probe", r.Creature("a"), "stealth", 0, "", body.CheckOpts{Reason: reason})
			return nil
		}, 10)
		if got := f.Roll("probe").Reason; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f.Resolve(func(r *resolution) error {
		dice.RollSave(r, "probe", r.Creature("a"), "wisdom", 10, "", nil, body.SaveOpts{})
		return nil
	}, 10)
	if got := f.Roll("probe").Reason; got != "wisdom saving throw" {
		t.Errorf("%q", got)
	}
	wantReasonOf(t, "nothing to let go", f.Try(act("a", "end-concentration", "", "")), "NO_CONCENTRATION")
	f.Resolve(func(r *resolution) error { dice.Concentrate(r, "a", "bless"); return nil })
	f.Must(act("a", "end-concentration", "bless", ""))
	wantRefused(t, f.Try(act("a", "task-check", "no such task", "", withParameters("skill", "stealth", "dc", 10))), cite.DiceThreat)
}
