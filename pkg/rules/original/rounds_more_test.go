package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Who acts when, and out of turn; what the end of a fight leaves.

// original.initiative.reach-first-strike: a longer weapon comes first in the first round of the
// two, whenever its owner is closed with: also at a first and at a last attack, if it has not
// struck before. Not so against the hasted, from behind, for one who cannot act or has no
// attack left, nor for one who struggles in a hold.
func TestWhoStrikesFirstByReach(t *testing.T) {
	tentacles := &eventv1.OriginalWeapon{Name: "tentacles", Kind: "natural", ReachRank: 6, Damage: "1d4"}
	for _, c := range []struct {
		name  string
		arm   *eventv1.OriginalWeapon
		do    func(f *table)
		facts []any
		asked bool
	}{
		{"a long spear", pole, nil, nil, true},
		{"a spear, two ranks longer", spear, nil, nil, true},
		{"a sword, one rank longer", blade, nil, nil, false},
		{"tentacles", tentacles, nil, nil, true},
		{"from behind", pole, nil, []any{"position", "behind"}, false},
		{"from the flank", pole, nil, []any{"position", "flank"}, true},
		{"against the hasted", pole, func(f *table) { f.Afflict("a", body.CondHasted) }, nil, false},
		{"both are hasted", pole, func(f *table) { f.Afflict("a", body.CondHasted); f.Afflict("b", body.CondHasted) }, nil, true},
		{"it is stunned", pole, func(f *table) { f.Afflict("b", body.CondStunned) }, nil, false},
		{"it is surprised", pole, func(f *table) { f.Afflict("b", body.CondSurprised) }, nil, false},
		{"it has attacked", pole, func(f *table) { f.Count("b", body.CAttacks, 1) }, nil, false},
		{"it struggles", pole, func(f *table) { f.Afflict("b", body.CondStruggling) }, nil, false},
		{"it struggles with tentacles", tentacles, func(f *table) { f.Afflict("b", body.CondStruggling) }, nil, false},
		{"it is routed", pole, func(f *table) { f.Afflict("b", body.CondRouted) }, nil, false},
		{"they have met in an earlier round", pole, func(f *table) {
			f.Resolve(func(r *rules.Resolution) error {
				r.Relate("b", &eventv1.Relation{Kind: body.RelMet, To: "a", Round: -1})
				return nil
			})
		}, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), arms(stab), points(50), dex(0))).at(50, strongFoe(arms(c.arm), dex(0), need(10))).start(nil, 6, 1)
			f.Must(act("a", "move", "", "", path(45)))
			if c.do != nil {
				f.Roller = func(int) int { return 1 }
				c.do(f)
				f.Roller = nil
			}
			if !c.asked {
				f.Roller = func(int) int { return 2 }
				f.Must(act("a", "attack", "dagger", "b", withFacts(c.facts...)))
				if len(f.Decisions) > 0 {
					t.Fatalf("%v", f.Decisions)
				}
				f.WantAttacks("a miss")
				return
			}
			f.Must(act("a", "attack", "dagger", "b", withFacts(c.facts...)))
			if len(f.Decisions) != 1 || f.Decisions[0].Creature != "b" || f.Decisions[0].Name != body.DecReach {
				t.Fatalf("%v", f.Decisions)
			}
			f.Roller = func(int) int { return 2 }
			f.Choose("yes")
			f.WantAttacks("b miss", "a miss")
		})
	}
	// A Normal Man waits with his pike, at the first attack and at the last.
	f := newTable(t).at(0, one("hero", "party", class("fighter", 2), arms(stab), points(50), str(0), dex(0))).at(5, one("orc", "orcs", arms(pikes), points(50), dex(0), need(19))).start(nil, 6, 1)
	f.WantActive("orc")
	f.End("orc")
	for _, c := range []struct{ phase, answer string }{{body.SegFirst, "no"}, {body.SegLast, "yes"}} {
		for f.State.Phase != c.phase {
			f.End("hero")
		}
		f.Must(act("hero", "attack", "dagger", "orc"))
		if c.answer == "no" {
			f.Answer(body.DecReach, "no", 2)
			f.WantAttacks("hero miss")
			continue
		}
		f.Answer(body.DecReach, "yes", 2, 2)
		f.WantAttacks("orc miss", "hero miss")
	}
}

// original.initiative.fighters-first-and-last, original.initiative.haste-first: the hasted have no
// first attack beside their place, but a last one; who struggles, or has no attack left, has no
// last one, nor has one who is gone.
func TestWhoHasAFirstAndALastAttack(t *testing.T) {
	field := func(settings ...string) *table {
		return newTable(t, settings...).at(0, one("hero", "party", class("fighter", 2), points(50), str(0), dex(0))).at(5, one("orc", "orcs", points(50), dex(0)))
	}
	f := field()
	f.Afflict("hero", body.CondHasted)
	f.start(nil, 1, 6)
	if got := order(f); got != "haste:hero slot:orc last:hero" {
		t.Errorf("hasted: %s", got)
	}
	for name, c := range map[string]struct {
		do   func(f *table)
		want string
	}{
		"nothing":                {nil, "last:hero"},
		"it struggles":           {func(f *table) { f.Afflict("hero", body.CondStruggling) }, ""},
		"it has counted kills":   {func(f *table) { f.Must(act("hero", "shortcut", "", "orc")) }, ""},
		"it has attacked once":   {func(f *table) { f.Must(act("hero", "attack", "sword", "orc"), 2) }, "last:hero"},
		"it has stumbled":        {func(f *table) { f.Afflict("hero", body.CondStumbled) }, ""},
		"it is gone":             {func(f *table) { f.leave("hero") }, ""},
		"the foe is gone":        {func(f *table) { f.leave("orc") }, ""},
		"it attacked the others": {func(f *table) { f.Count("hero", body.CStrong, 1) }, ""},
	} {
		f := field(body.SetShortcut+"=on").start(nil, 6, 1)
		f.joins(one("friend", "party"), false)
		f.End("hero") // not the first attack
		if f.State.Phase != body.SegSlot {
			t.Fatal(f.State.Phase)
		}
		if c.do != nil {
			c.do(f)
		}
		for f.State.Round == 1 && f.State.Phase == body.SegSlot && len(f.State.Active) > 0 {
			f.Roller = func(int) int { return 1 }
			f.End(f.State.Active[0])
		}
		got := ""
		if f.State.Round == 1 {
			got = f.State.Phase + ":" + f.State.Active[0]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// original.turn.precedence: what content sets off by a creature's turn comes with its own
// place in the order, not with the first and the last attack.
func TestATurnIsOnesOwnPlace(t *testing.T) {
	for trigger, before := range map[string]int32{"turn-start": 1, "turn-end": 0} {
		book := featOf(t, "    - {trigger: "+trigger+", whom: self, damage: {amount: \"1\"}}")
		f := tableWith(t, book).at(0, one("hero", "party", class("fighter", 2), points(50), str(0), dex(0), func(s *eventv1.Sheet) { s.Feats = []string{"probe"} })).at(5, one("orc", "orcs", points(50), dex(0))).start(nil, 6, 1)
		for _, c := range []struct {
			phase, id string
			hp        int32
		}{{body.SegFirst, "hero", 50}, {body.SegSlot, "hero", 50 - before}, {body.SegSlot, "orc", 49}, {body.SegLast, "hero", 49}, {body.SegFirst, "hero", 49}} {
			if f.State.Phase != c.phase {
				t.Fatalf("%s: in %s, want %s", trigger, f.State.Phase, c.phase)
			}
			f.WantActive(c.id)
			f.WantHP("hero", c.hp)
			f.End(c.id)
		}
	}
}

// original.turn.precedence: a fight in which nobody could ever act again stands still; one in
// which anybody could goes on.
func TestNobodyIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		over bool
	}{
		"b is up":            {func(f *table) {}, false},
		"b is stunned":       {func(f *table) { f.Resolve(stunned("b", 2)) }, false},
		"b is dead":          {func(f *table) { f.Hurt("b", 0) }, true},
		"b is knocked out":   {func(f *table) { f.stun("b", 100) }, true},
		"b has surrendered":  {func(f *table) { f.Afflict("b", body.CondSurrendered) }, true},
		"b is held by magic": {func(f *table) { f.Afflict("b", body.CondHeld) }, true},
		"b is pinned":        {func(f *table) { f.Afflict("b", body.CondPinned) }, true},
		"b is routed":        {func(f *table) { f.Afflict("b", body.CondRouted) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
			f.Roller = func(int) int { return 1 }
			c.do(f)
			f.leave("a")
			if got := said(f, "nobody is left who could act"); got != c.over {
				t.Errorf("said: %v", got)
			}
			if over := len(f.State.Active) == 0; over != c.over {
				t.Errorf("active: %v", f.State.Active)
			}
		})
	}
}

// said tells whether the last command said something.
func said(f *table, text string) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetNote().GetText() == text })
}

// original.initiative.ties-simultaneous, original.spell.tie-save: what waits for the end of a slot
// comes to nothing when its caster or its victim is gone by then; the blow of an attacker who
// is gone still falls, and disturbs no caster any more.
func TestGoneBeforeTheSlotIsOver(t *testing.T) {
	field := func() *table {
		return newTable(t).at(0, mage(dex(0))).at(5, one("orc", "orcs", need(10), points(50), dex(0))).at(8, one("pig", "orcs", group("orcs"), points(50))).at(-60, one("c", "party", points(50))).start(nil, 4, 4, 4, 4)
	}
	f := field()
	f.Must(act("mage", "cast", "bolt", "orc"))
	f.leave("mage")
	f.endSlot()
	if said(f, "bolt goes off") || f.Creature("orc").GetHp() != 50 {
		t.Error("a spell without a caster")
	}
	f = field()
	f.Must(act("orc", "attack", "sword", "mage"), 10, 2)
	f.leave("mage")
	f.endSlot()
	if f.DamageTo("mage") != 0 {
		t.Error("a blow at nobody")
	}
	for _, gone := range []bool{true, false} {
		f = field()
		f.Must(act("mage", "cast", "bolt", "pig"))
		f.Must(act("orc", "attack", "sword", "mage"), 10, 2)
		faces := []int{5}
		if gone {
			f.leave("orc")
		} else {
			faces = []int{13, 5} // the save of one hurt at the same time
		}
		f.endSlot(faces...)
		f.WantHP("mage", 27)
		f.WantHP("pig", 45)
	}
}

// original.spell.caster-won: a spell that is cast has gone off: whoever hurts the caster after
// that, in its own place, disturbs it no more.
func TestHurtAfterTheSpell(t *testing.T) {
	for _, cast := range []bool{true, false} {
		f := newTable(t).at(0, mage(dex(0))).at(5, one("orc", "orcs", need(10), points(50), dex(0))).start(nil, 1, 6)
		f.End("orc")
		if cast {
			f.Must(act("mage", "cast", "glow", ""))
		}
		f.Must(act("mage", "through", "", "orc", withParameters("feet", 10)), 1, 6, 12, 1)
		f.WantAttacks("orc hit")
		if got := body.Has(f.Creature("mage"), body.CondDisturbed); got == cast {
			t.Errorf("has cast: %v, disturbed: %v", cast, got)
		}
	}
}

// original.initiative.roll: one who comes back to life between rounds has no die of before, and
// rolls; the dead roll none, nor are they among those who do.
func TestTheDeadRollNoDice(t *testing.T) {
	f := newTable(t).add(one("a", "party"), one("b", "party"), one("orc", "orcs")).start(nil, 6, 5, 1)
	f.Hurt("b", 0)
	if got := (System{}).DiceOrder(f.State); !slices.Equal(got, []string{"a-player", "orc"}) {
		t.Errorf("%v", got)
	}
	passRound(f)
	passRound(f)
	if thestrike.DieOf(f.State, "b") != 0 || thestrike.DieOf(f.State, "a") != 6 {
		t.Error("the dead have a die")
	}
	f.Hurt("b", 10)
	f.End("a")
	f.End("orc", 2)
	if got := thestrike.DieOf(f.State, "b"); got != 2 {
		t.Errorf("b has %d", got)
	}
}

// original.healing.temporary-damage: what only knocks out comes back to the living alone.
func TestNothingComesBackToTheDead(t *testing.T) {
	for _, dead := range []bool{false, true} {
		f := newTable(t, body.SetTurnRounds+"=1").at(0, one("a", "party")).at(50, strongFoe()).at(100, one("c", "monsters", group("c"))).start(nil, 6, 1, 1)
		f.stun("b", 10)
		if dead {
			f.Resolve(func(r *rules.Resolution) error {
				r.Emit(&eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}, &eventv1.LifeChanged{Creature: "b", Status: eventv1.LifeStatus_LIFE_STATUS_DEAD, Cause: "drowned"}, cite.DeathZeroHp)
				return nil
			})
		}
		f.Roller = func(int) int { return 1 }
		passRound(f)
		want := int64(6) // a point for each of 4 hit dice
		if dead {
			want = 10
		}
		if got := f.Creature("b").Counters[body.CTemporary]; got != want {
			t.Errorf("dead %v: %d", dead, got)
		}
	}
}

// original.mass.survivors: the men left are counted where the rule is on; of a unit of which nobody
// knows what it began with none is.
func TestWhoIsCountedAfterwards(t *testing.T) {
	for _, c := range []struct {
		name     string
		setting  string
		original int
		hp       int32
		want     int64
	}{{"half", "on", 10, 5, 5}, {"rounded up", "on", 10, 1, 1}, {"none", "on", 10, 0, 0}, {"unknown", "on", 0, 5, 0}, {"the rule is off", "off", 10, 5, -1}} {
		f := newTable(t, body.SetMassPoints+"=off", body.SetMassLeft+"="+c.setting).add(one("u", "monsters", unit(10), points(10)), one("a", "party")).start(nil, 6, 1)
		f.Roller = func(int) int { return 1 }
		f.Count("u", body.COriginal, c.original)
		f.Hurt("u", c.hp)
		f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
		left, counted := f.Creature("u").Counters[body.CSurvivors]
		if said := said(f, body.Itoa(left)+" of 10 live"); said != (c.want >= 0) || counted && left != c.want || !counted && c.want > 0 {
			t.Errorf("%s: %d live, said %v", c.name, left, said)
		}
	}
}
