package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// optionIDs are those of the only open decision.
func (f *table) optionIDs() (ids []string) {
	f.T.Helper()
	if len(f.Decisions) != 1 {
		f.T.Fatalf("open: %v", f.Decisions)
	}
	for _, o := range f.Decisions[0].Options {
		ids = append(ids, o.Id)
	}
	return ids
}

// spark.fumble.nearest: of those stated to be nearest, the fumbler itself, whoever is out and, for what does damage, the one aimed
// for are no candidates; a bump leaves out the fumbler alone
func TestNearestAsStated(t *testing.T) {
	for _, c := range []struct {
		name    string
		weapon  *eventv1.SparkWeapon
		nearest []string
		dice    []int
		victim  string // who is struck, or bumped; empty for nobody
	}{
		{"8 F, only pip is left of four", claw, []string{"ara", "orc", "out", "pip"}, []int{1, 4, 4, 1}, "pip"},
		{"8 F, two are left", claw, []string{"ara", "pip", "orc", "wen"}, []int{1, 4, 4, 2, 1}, "wen"},
		{"8 F, the fumbler alone", claw, []string{"ara"}, []int{1, 4, 4}, ""},
		{"8 F, the one aimed for alone", claw, []string{"orc"}, []int{1, 4, 4}, ""},
		{"8 F, somebody out alone", claw, []string{"out"}, []int{1, 4, 4}, ""},
		{"8 F, nobody", claw, []string{}, []int{1, 4, 4}, ""},
		{"6 F, the one aimed for is left out", claw, []string{"orc", "pip"}, []int{1, 3, 3, 1}, "pip"},
		{"5 F, half", claw, []string{"orc", "ara", "wen"}, []int{1, 1, 4, 5}, "wen"},
		{"8 P", spear, []string{"orc", "wen", "out"}, []int{1, 4, 4, 1}, "wen"},
		{"3 S, a bump takes the one aimed for", sword, []string{"ara", "orc", "out"}, []int{1, 1, 2}, "orc"},
		{"3 S, nobody but the fumbler", sword, []string{"ara", "out"}, []int{1, 1, 2}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", armedWith(c.weapon))).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("out", "monsters")).
				at(-40, fighter("pip", "party")).at(-60, fighter("wen", "party")).start()
			f.Hurt("out", 0)
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc", withFacts("nearest", c.nearest)))
			f.pass(c.dice...)
			bumps := c.weapon == sword
			for _, id := range []string{"ara", "orc", "pip", "wen"} {
				struck := f.DamageTo(id) > 0
				if bumps {
					struck = slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
						return e.GetNote().GetCreature() == id && slices.Contains(e.Rules, cite.FumbleBumpNearest)
					})
				}
				if struck != (id == c.victim) {
					t.Errorf("%s struck: %v", id, struck)
				}
			}
			if !bumps && c.victim == "" && !f.hasNote("nobody is struck") {
				t.Error("not told that nobody is struck")
			}
		})
	}
}

// spark.fumble.nearest: without a map the game master is asked, among those who may be struck; where there is none, nobody asks
func TestNearestWithoutAMap(t *testing.T) {
	mapless := func(t *testing.T, weapon *eventv1.SparkWeapon, others ...string) *table {
		f := newTable(t).add(fighter("ara", "party", armedWith(weapon)), fighter("orc", "monsters"))
		for _, id := range others {
			f.add(fighter(id, "party"))
		}
		f.start()
		f.Must(act("ara", declaring.KindAttack, weapon.Name, "orc"))
		return f
	}
	for _, c := range []struct {
		name    string
		weapon  *eventv1.SparkWeapon
		dice    []int
		options []string
	}{
		{"8 F", claw, []int{1, 4, 4}, []string{"nobody", "wen"}},
		{"5 F", claw, []int{1, 1, 4}, []string{"nobody", "wen"}},
		{"3 S", sword, []int{1, 1, 2}, []string{"nobody", "orc", "wen"}},
		{"3 P, behind", spear, []int{1, 1, 2}, []string{"nobody", "wen"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mapless(t, c.weapon, "wen")
			f.pass(c.dice...)
			if got := f.optionIDs(); !slices.Equal(got, c.options) || !f.Decisions[0].GmOnly || f.Decisions[0].DefaultOption != "nobody" {
				t.Fatalf("asked %v, want %v", f.Decisions[0], c.options)
			}
			f.Choose("nobody")
			f.WantHP("wen", 30)
			f.WantHP("orc", 30)
			if c.weapon == sword { // a lone orc is still to be bumped into
				return
			}
			alone := mapless(t, c.weapon)
			alone.pass(c.dice...) // nobody is left to be named
			alone.WantHP("orc", 30)
			alone.WantHP("ara", 30)
			if !alone.hasNote("nobody is struck") {
				t.Error("not told that nobody is struck")
			}
		})
	}
}

// spark.fumble.nearest, spark.fumble.missile-rebounds: a widest range counts, of those who stand; whoever is out is no candidate
func TestReboundCandidates(t *testing.T) {
	short := proto.CloneOf(bow)
	short.RangeFeet, short.LongRangeFeet = 30, 60
	for _, c := range []struct {
		name     string
		wen, pip int32
		facts    []any
		dice     []int
		victim   string
	}{
		{"60 ft is in range, 65 is not", 60, 65, nil, []int{1, 2, 3, 4}, "wen"},
		{"both within", 60, -60, nil, []int{1, 2, 3, 1, 4}, "pip"},
		{"neither", 65, -65, nil, []int{1, 2, 3}, ""},
		{"stated beats measured", 65, -65, []any{"in_range", []string{"wen", "ara", "orc", "out"}}, []int{1, 2, 3, 4}, "wen"},
		{"stated to be nobody", 60, -60, []any{"in_range", []string{}}, []int{1, 2, 3}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", armedWith(short))).at(20, fighter("orc", "monsters")).at(10, fighter("out", "monsters")).
				at(c.wen, fighter("wen", "party")).at(c.pip, fighter("pip", "monsters")).start()
			f.Hurt("out", 0)
			f.Must(act("ara", declaring.KindAttack, "bow", "orc", withFacts(c.facts...)))
			f.pass(c.dice...)
			for _, id := range []string{"ara", "orc", "wen", "pip"} {
				if want := map[bool]int32{true: 5}[id == c.victim]; f.DamageTo(id) != want {
					t.Errorf("%s takes %d, want %d", id, f.DamageTo(id), want)
				}
			}
			if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 11 || n[body.CSpent+"bow"] != 1 {
				t.Errorf("the missile: %v", n)
			}
		})
	}
}

// spark.fumble.alt-stray-ranged: whether a shot is long is what is said of the distance, where that is said: 10 ft about its target
// at the short range itself, 30 ft beyond it
func TestStrayRadiusAsStated(t *testing.T) {
	for _, c := range []struct {
		distance float64
		dice     []int
		hit      bool
	}{{80, []int{1, 11}, false}, {81, []int{1, 11, 15, 1}, true}} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(20, fighter("orc", "monsters")).at(45, fighter("wen", "party")).start()
		f.Must(act("ara", declaring.KindAttack, "bow", "orc", withFacts("distance", c.distance)))
		f.pass(c.dice...)
		f.WantHP("wen", 30-map[bool]int32{true: 2}[c.hit])
		if f.hasNote("nobody is struck") == c.hit {
			t.Errorf("%v ft: nobody struck: %v", c.distance, !c.hit)
		}
	}
	// Measured, the short range itself is short.
	for at, hit := range map[int32]bool{80: false, 85: true} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(at, fighter("orc", "monsters")).at(at+25, fighter("wen", "party")).start()
		f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
		dice := []int{1, 11}
		if hit {
			dice = append(dice, 15, 1)
		}
		f.pass(dice...)
		f.WantHP("wen", 30-map[bool]int32{true: 2}[hit])
	}
}

// spark.fumble.alt-stray-melee, spark.fumble.alt-stray-ranged: of those stated to be near, neither attacker nor target nor whoever is out;
// the distance said of the target is not that of the stray one
func TestStrayAsStated(t *testing.T) {
	for _, c := range []struct {
		name, weapon string
		near         []string
		dice         []int
		victim       string
	}{
		{"a blow", "sword", []string{"ara", "orc", "out", "wen"}, []int{1, 8, 15, 1}, "wen"},
		{"a blow, two", "sword", []string{"wen", "orc", "pip"}, []int{1, 8, 2, 15, 1}, "pip"},
		{"a blow, nobody", "sword", []string{"ara", "orc", "out"}, []int{1, 8}, ""},
		{"a shot", "bow", []string{"orc", "ara", "pip"}, []int{1, 9, 15, 1}, "pip"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").add(fighter("ara", "party"), fighter("orc", "monsters"), fighter("out", "monsters"), fighter("wen", "party"), fighter("pip", "party")).start()
			f.Hurt("out", 0)
			f.Must(act("ara", declaring.KindAttack, c.weapon, "orc", withFacts("near", c.near, "distance", 5.0)))
			f.pass(c.dice...)
			for _, id := range []string{"ara", "orc", "wen", "pip"} {
				if (f.DamageTo(id) > 0) != (id == c.victim) {
					t.Errorf("%s takes %d", id, f.DamageTo(id))
				}
			}
			for _, e := range f.Events {
				if a := e.GetAttack(); a.GetNote() == "unintended" && len(a.Facts) > 0 {
					t.Errorf("told of the stray one: %v", a.Facts)
				}
			}
		})
	}
}
