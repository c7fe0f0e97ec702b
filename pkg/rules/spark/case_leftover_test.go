package spark

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.fumble.alt-retrieve, spark.action.five-foot-full-attack, spark.condition.prone: a disarmed wielder is offered what its leftover
// movement reaches, and a weapon that it can draw: lying, or after several attacks, no more than 5 ft; having stood up, nothing
func TestWhatIsLeftToFetch(t *testing.T) {
	knife := func(s *eventv1.SparkSheet) {
		s.AttacksPerRound = 2
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "knife", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
	}
	feat := func(s *eventv1.SparkSheet) {
		knife(s)
		s.Feats = []*eventv1.SparkFeat{{Name: "whirl", FullMoveFullAttack: true}}
	}
	prone := []*eventv1.Condition{{Name: body.CondProne}}
	broken := map[string]string{body.MWeapon + "knife": body.Broken}
	for _, c := range []struct {
		name    string
		sheet   func(*eventv1.SparkSheet)
		vitals  *eventv1.Vitals
		targets string
		words   []any
		feet    int
		offered string
	}{
		{"one attack, 12 ft", knife, nil, "orc", nil, 12, "no fetch draw:knife"},
		{"two attacks, 5 ft", knife, nil, "orc,orc", nil, 5, "no fetch draw:knife"},
		{"two attacks, 6 ft", knife, nil, "orc,orc", nil, 6, "no draw:knife"},
		{"two attacks with the feat, 12 ft", feat, nil, "orc,orc", nil, 12, "no fetch draw:knife"},
		{"lying, 5 ft", knife, &eventv1.Vitals{Conditions: prone}, "orc", nil, 5, "no fetch draw:knife"},
		{"lying, 6 ft", knife, &eventv1.Vitals{Conditions: prone}, "orc", nil, 6, "no draw:knife"},
		{"stood up, 1 ft", knife, &eventv1.Vitals{Conditions: prone}, "orc", []any{"stand", true}, 1, "no draw:knife"},
		{"the knife is broken", knife, &eventv1.Vitals{Marks: broken}, "orc", nil, 12, "no fetch"},
		{"the knife is broken, and nothing is in reach", knife, &eventv1.Vitals{Marks: broken}, "orc,orc", nil, 12, ""},
		{"no bonus action", knife, &eventv1.Vitals{Counters: map[string]int64{body.CBonus: 0}}, "orc", nil, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := alt(t, c.sheet)
			if c.vitals != nil {
				f.Put("ara", c.vitals)
			}
			f.Must(act("ara", declaring.KindAttack, "sword", c.targets, withParameters(c.words...)))
			f.End("orc", 1, 3)
			f.Choose("strength", 2, c.feet, 7) // no DC 15; to the west
			got := ""
			if len(f.Decisions) > 0 {
				got = strings.Join(f.optionIDs(), " ")
			}
			if got != c.offered {
				t.Fatalf("offered %q, want %q", got, c.offered)
			}
		})
	}
	// By a reaction of one who declared nothing, all of its speed is left.
	f := alt(t, knife)
	f.Must(act("orc", declaring.KindMove, "", "", to(30)))
	f.End("ara")
	f.Choose("sword", 1, 3)
	f.Choose("strength", 2, 12, 7)
	if got := strings.Join(f.optionIDs(), " "); got != "no fetch draw:knife" {
		t.Fatalf("offered %q", got)
	}
}

// spark.fumble.alt-retrieve, spark.turn.killed-first-fails: put out by whoever stands where the weapon lies, it is not picked up
func TestPutOutWhereItLies(t *testing.T) {
	for hp, place := range map[int32]string{4: "dropped", 5: "main"} {
		f := altWith(t, nil)
		f.at(-15, fighter("imp", "monsters"))
		f.Hurt("ara", hp)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
		f.End("orc")
		f.End("imp", 1, 3)
		f.Choose("strength", 2, 10, 7)
		f.Choose("fetch")
		f.Answer(body.DecOpportunity+"/orc", "no")
		f.Answer(body.DecOpportunity+"/imp", "sword", 15, 1) // 1 + 3
		f.WantHP("ara", hp-4)
		if c := f.Creature("ara"); c.Items["sword"].Place != place || c.Position.X != -10 {
			t.Errorf("%d hit points: the sword is %q, ara at %v", hp, c.Items["sword"].Place, c.Position)
		}
	}
}

// spark.fumble.alt-weapon-break: where the magic of a bow holds, nothing has happened to it nor to the missile on its string; the same
// of a bow whose missiles nobody counts
func TestMagicalBowHolds(t *testing.T) {
	for _, counted := range []bool{true, false} {
		strong := magical(bow, 1)
		if !counted {
			strong.Missiles = nil
		}
		f := alt(t, armedWith(strong))
		f.strikes("bow", 1, 1, 2)
		c := f.Creature("ara")
		if _, has := c.Counters[body.CAmmunition+"bow"]; has != counted || counted && c.Counters[body.CAmmunition+"bow"] != 12 || c.Counters[body.CSpent+"bow"] != 0 || c.Marks[body.MWeapon+"bow"] != "" {
			t.Errorf("%v %v", c.Counters, c.Marks)
		}
	}
}

// spark.fumble.missile-broken: nobody counts the missiles, and none breaks or cracks
func TestUncountedMissiles(t *testing.T) {
	plain := magical(bow, 0)
	plain.Missiles, plain.MissileEnchantment = nil, 1
	f := duel(t, armedWith(plain))
	f.strikes("bow", 1, 1, 2, 3) // 3 M: broken; the missile's own magic: 3 is less than 14
	c := f.Creature("ara")
	if len(c.Marks) != 0 || c.Counters[body.CCracked+"bow"] != 0 || c.Counters[body.CAmmunition+"bow"] != 0 {
		t.Errorf("%v %v", c.Counters, c.Marks)
	}
	f.strikes("bow", 2) // and it shoots
}

// spark.fumble.weapon-flies: what is not on the map lies as far off as is known: the move covers that but for 5 ft
func TestFetchWithoutAMap(t *testing.T) {
	lies := func(values map[string]int32) *eventv1.Vitals {
		return &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "dropped", Values: values}}}
	}
	fetch := func(id string, change ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act(id, declaring.KindMove, "", "", append(change, withParameters("bonus", "pick-up:sword"))...)
	}
	walk := func(feet float64) *eventv1.Command {
		return act("ara", declaring.KindMove, "", "", withParameters("bonus", "pick-up:sword", "feet", feet))
	}
	// Ara has no place: where it lies on the map does not matter.
	f := newTable(t).add(fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Put("ara", lies(map[string]int32{"feet": 15, "x": 500, "y": 0}))
	wantRefused(t, f.Try(walk(9)), cite.FumbleWeaponFlies)
	f.Must(walk(10))
	f.End("orc")
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
	// Ara has one, the sword has none.
	f = newTable(t).at(0, fighter("ara", "party")).at(50, fighter("orc", "monsters")).start()
	f.Put("ara", lies(map[string]int32{"feet": 20}))
	wantRefused(t, f.Try(fetch("ara", to(-10))), cite.FumbleWeaponFlies)
	f.Must(fetch("ara", to(-15)))
	f.End("orc")
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
	// Out of anybody's reach in one round, it is not offered: 36 ft of 30 and 5.
	for feet, is := range map[int32]bool{35: true, 36: false} {
		f = newTable(t).add(fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
		f.Put("ara", lies(map[string]int32{"feet": feet, "x": 0, "y": 0}))
		if o := f.listed("ara", declaring.KindMove, "")["Move"]; (parameterOf(o, "bonus") != nil) != is {
			t.Errorf("%d ft: %v", feet, o)
		}
	}
}

// spark.fumble.weapon-flies, spark.turn.declare: put into its hand before it gets there, a weapon is not picked up once more
func TestFetchWhatIsInHand(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(50, fighter("orc", "monsters")).start()
	f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "dropped", Values: map[string]int32{"feet": 5, "x": 5, "y": 0}}}})
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "pick-up:sword")))
	f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "stowed"}}})
	f.End("orc")
	if got := f.Creature("ara").Items["sword"].Place; got != "stowed" {
		t.Fatalf("the sword is %q", got)
	}
}

// spark.initiative.other-deeds, spark.fumble.weapon-flies: a way that somebody races is made too late to fetch a weapon at its end
func TestRacedToAWeapon(t *testing.T) {
	for _, raced := range []bool{false, true} {
		f := newTable(t).at(0, fighter("ara", "party")).at(50, fighter("orc", "monsters")).start()
		f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "dropped", Values: map[string]int32{"feet": 25, "x": -25, "y": 0}}}})
		f.Must(act("ara", declaring.KindMove, "", "", to(-20), withParameters("bonus", "pick-up:sword")))
		place := "main"
		if raced {
			place = "dropped"
			f.Must(deedOf("orc", "shouts", "ara"), 10, 12)
		} else {
			f.Must(deedOf("orc", "shouts", ""), 12)
		}
		if got := f.Creature("ara"); got.Items["sword"].Place != place || f.hasNote("sword is not reached") != raced || raced != (got.Position.X == 0) {
			t.Errorf("raced %v: the sword is %q, ara at %v", raced, got.Items["sword"].Place, got.Position)
		}
	}
}
