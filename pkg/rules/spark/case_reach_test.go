package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// way gives an action a path of points.
func way(points ...[3]int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, p := range points {
			t.Path = append(t.Path, &eventv1.Position{X: p[0], Y: p[1], Z: p[2]})
		}
	}
}

// spark.reaction.opportunity-attack: what leaves a reach and what does not, along every axis, for long reaches and large bodies; a way
// that passes through a reach leaves it, one that ends in it does not
func TestWhatLeavesAReach(t *testing.T) {
	for _, c := range []struct {
		name    string
		size    string // of the orc at the origin
		reach   int32
		from    [3]int32
		path    [][3]int32
		asked   bool
		stopped [3]int32 // where the one who is asked about stands meanwhile
	}{
		{"east, straight away", "medium", 5, [3]int32{5, 0, 0}, [][3]int32{{10, 0, 0}}, true, [3]int32{5, 0, 0}},
		{"north, straight away", "medium", 5, [3]int32{0, 5, 0}, [][3]int32{{0, 10, 0}}, true, [3]int32{0, 5, 0}},
		{"south-west, across the corner", "medium", 5, [3]int32{-5, -5, 0}, [][3]int32{{-10, -10, 0}}, true, [3]int32{-5, -5, 0}},
		{"up", "medium", 5, [3]int32{5, 0, 0}, [][3]int32{{5, 0, 10}}, true, [3]int32{5, 0, 5}},
		{"up, still beside", "medium", 5, [3]int32{5, 0, 0}, [][3]int32{{5, 0, 5}}, false, [3]int32{}},
		{"along the side", "medium", 5, [3]int32{5, -5, 0}, [][3]int32{{5, 5, 0}}, false, [3]int32{}},
		{"around it", "medium", 5, [3]int32{5, 0, 0}, [][3]int32{{5, 5, 0}, {0, 5, 0}, {-5, 0, 0}}, false, [3]int32{}},
		{"past it", "medium", 5, [3]int32{-15, 5, 0}, [][3]int32{{15, 5, 0}}, true, [3]int32{5, 5, 0}},
		{"up to it", "medium", 5, [3]int32{-15, 5, 0}, [][3]int32{{5, 5, 0}}, false, [3]int32{}},
		{"a spear's length, inside", "medium", 10, [3]int32{5, 0, 0}, [][3]int32{{10, 0, 0}}, false, [3]int32{}},
		{"a spear's length, out", "medium", 10, [3]int32{5, 0, 0}, [][3]int32{{15, 0, 0}}, true, [3]int32{10, 0, 0}},
		{"from a large one, east", "large", 5, [3]int32{10, 0, 0}, [][3]int32{{15, 0, 0}}, true, [3]int32{10, 0, 0}},
		{"from a large one, west", "large", 5, [3]int32{-5, 0, 0}, [][3]int32{{-10, 0, 0}}, true, [3]int32{-5, 0, 0}},
		{"along a large one", "large", 5, [3]int32{10, 0, 0}, [][3]int32{{10, 10, 0}}, false, [3]int32{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			orc, ara := fighter("orc", "monsters"), fighter("ara", "party")
			orc.Size = c.size
			orc.GetSpark().Weapons[0].ReachFeet = c.reach
			f := newTable(t)
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: orc, Position: &eventv1.Position{}}}})
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: ara, Position: &eventv1.Position{X: c.from[0], Y: c.from[1], Z: c.from[2]}}}})
			f.start()
			f.Must(act("ara", declaring.KindMove, "", "", way(c.path...)))
			f.End("orc")
			if asked := len(f.Decisions) > 0; asked != c.asked {
				t.Fatalf("asked %v, want %v", asked, c.asked)
			}
			end := c.path[len(c.path)-1]
			if c.asked {
				if p := f.Creature("ara").Position; p.X != c.stopped[0] || p.Y != c.stopped[1] || p.Z != c.stopped[2] {
					t.Fatalf("asked at %v, want %v", p, c.stopped)
				}
				f.Choose("sword", 15, 1)
				f.WantHP("ara", 26)
			}
			if p := f.Creature("ara").Position; p.X != end[0] || p.Y != end[1] || p.Z != end[2] {
				t.Fatalf("ends at %v, want %v", p, end)
			}
		})
	}
}

// spark.reaction.opportunity-attack: whose reach a move leaves is what is said of it, where it is said, wherever everybody stands; only
// whoever has a weapon ready is asked
func TestProvokesAsStated(t *testing.T) {
	for _, c := range []struct {
		name   string
		stated []string
		asked  bool
	}{{"said to leave one that is far", []string{"orc"}, true}, {"said to leave nobody", []string{}, false}, {"said to leave one with empty hands", []string{"imp"}, false}, {"said to leave a friend", []string{"wen"}, false}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).
				at(50, fighter("imp", "monsters", func(s *eventv1.SparkSheet) { s.Weapons = s.Weapons[1:] })).start()
			f.Must(act("ara", declaring.KindMove, "", "", to(-10), withFacts("provokes", c.stated)))
			f.pass()
			if asked := len(f.Decisions) > 0; asked != c.asked {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.asked {
				f.Choose("sword", 15, 1)
				f.WantAttacks("orc hit")
				f.WantHP("ara", 26)
			}
			if x := f.Creature("ara").Position.X; x != -10 {
				t.Fatalf("at %d", x)
			}
		})
	}
	// What is said beats what is measured the other way round too.
	f := duel(t)
	f.Must(act("ara", declaring.KindMove, "", "", to(-10), withFacts("provokes", []string{})))
	f.End("orc")
	if len(f.Decisions) > 0 || f.Creature("orc").Counters[body.CReaction] != 1 {
		t.Fatalf("asked %v", f.Decisions)
	}
}

// spark.fumble.alt-retrieve: who may attack one who fetches its weapon is what is said of it, where it is said
func TestFetchProvokesAsStated(t *testing.T) {
	for _, c := range []struct {
		stated []string
		asked  []string
	}{{[]string{}, nil}, {[]string{"far"}, []string{"far"}}, {nil, []string{"orc"}}} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(40, fighter("far", "monsters")).start()
		var said []func(*eventv1.TakeAction)
		if c.stated != nil {
			said = append(said, withFacts("provokes", c.stated))
		}
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", said...))
		f.pass(1, 3)
		f.Choose("reflex", 2, 5, 7) // 5 ft to the west
		f.Choose("fetch")
		var asked []string
		for _, d := range f.Decisions {
			asked = append(asked, d.Creature)
		}
		if !slices.Equal(asked, c.asked) {
			t.Fatalf("%v: asked %v, want %v", c.stated, asked, c.asked)
		}
		for range asked {
			f.Choose("sword", 15, 1)
		}
		if got := f.Creature("ara"); got.Items["sword"].Place != "main" || got.Position.X != -5 {
			t.Fatalf("%v at %v", got.Items["sword"], got.Position)
		}
		f.WantHP("ara", 30-int32(4*len(asked)))
	}
}

// spark.turn.touch-spells-with-melee, spark.turn.movement-first: a touch reaches 5 ft and a spell its range, each at its border, and what
// is said of the distance beats what is measured
func TestSpellsAtTheirRange(t *testing.T) {
	for _, c := range []struct {
		name, spell string
		at          int32
		said        []any
		reaches     bool
	}{
		{"a touch at 5 ft", "touch", 5, nil, true},
		{"a touch at 10 ft", "touch", 10, nil, false},
		{"a touch at 10 ft, said to be 5", "touch", 10, []any{"distance", 5.0}, true},
		{"a touch at 5 ft, said to be 6", "touch", 5, []any{"distance", 6.0}, false},
		{"fire at 60 ft", "fire", 60, nil, true},
		{"fire at 65 ft", "fire", 65, nil, false},
		{"fire at 65 ft, said to be 60", "fire", 65, []any{"distance", 60.0}, true},
		{"fire at 20 ft, said to be 61", "fire", 20, []any{"distance", 61.0}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", mage)).at(c.at, fighter("orc", "monsters")).start()
			f.Must(act("ara", declaring.KindCast, c.spell, "orc", withFacts(c.said...)))
			dice := []int{10}
			switch {
			case c.reaches && c.spell == "touch":
				dice = []int{10, 4} // 16 against 14
			case c.reaches:
				dice = []int{10, 2, 2, 2} // the save fails
			}
			f.End("orc", dice...)
			f.WantHP("orc", 30-map[bool]int32{true: 4}[c.reaches])
			if got, want := f.Creature("ara").Counters[body.CMana], int64(20)-map[string]int64{"touch": 3, "fire": 6}[c.spell]; got != want {
				t.Fatalf("%d mana, want %d", got, want)
			}
		})
	}
}

// spark.critical.multiplier, spark.turn.touch-spells-with-melee: a spell that must hit has a critical range and a multiplier of its own;
// a natural 1 only fails
func TestCriticalTouch(t *testing.T) {
	for _, c := range []struct {
		from int32
		dice []int
		lost int32
		want string
	}{
		{0, []int{20, 13, 4}, 12, "ara critical"}, {0, []int{19, 4}, 4, "ara hit"}, {19, []int{19, 20, 4}, 20, "ara critical"},
		{19, []int{18, 4}, 4, "ara hit"}, {2, []int{1}, 0, "ara miss"}, {2, []int{2, 3, 4}, 4, "ara critical"},
	} {
		f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.Spells[1].CriticalFrom = c.from })).at(5, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindCast, "touch", "orc"))
		f.End("orc", c.dice...)
		f.WantAttacks(c.want)
		f.WantHP("orc", 30-c.lost)
	}
}

// spark.fumble.alt-pulled-legs, spark.turn.movement-first: a leg pulled in a reaction of the first half shortens the move that was
// declared before: half of 25 ft is 12, so that the third step of 5 ft is not made
func TestPulledLegBeforeTheWay(t *testing.T) {
	for _, c := range []struct {
		speed, end int32
		save       int
	}{{30, -15, 2}, {25, -10, 2}, {30, -25, 15}} {
		walker := fighter("ara", "party")
		walker.Speeds["walk"] = c.speed
		f := newTable(t, body.RuleAlt+"=on").at(0, walker).at(5, fighter("orc", "monsters")).start()
		f.Must(act("orc", declaring.KindMove, "", "", to(15)))
		f.Must(act("ara", declaring.KindMove, "", "", to(-25)))
		f.Choose("sword", 1, 16, c.save)
		if x := f.Creature("ara").Position.X; x != c.end {
			t.Errorf("speed %d, save %d: ends at %d, want %d", c.speed, c.save, x, c.end)
		}
	}
}

// spark.action.move: one without a place that says its way stands at the first point of it, and has gone from there
func TestWayOfOneWithoutAPlace(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(0, 35))), cite.ActionMove)
	f.Must(act("ara", declaring.KindMove, "", "", to(100, 130)))
	f.End("orc")
	if p := f.Creature("ara").Position; p.GetX() != 130 {
		t.Fatalf("at %v", p)
	}
	var feet int32
	for _, e := range f.Events {
		feet += e.GetMoved().GetFeet()
	}
	if feet != 30 {
		t.Fatalf("%d ft, want 30", feet)
	}
}

// spark.action.move: one that cannot walk goes as fast as the best of what it can; one that walks, as it walks
func TestHowFarWithoutWalking(t *testing.T) {
	for _, c := range []struct {
		speeds  map[string]int32
		most    float64
		because string
	}{
		{map[string]int32{"fly": 60, "swim": 20}, 60, cite.ActionMove}, {map[string]int32{"swim": 20}, 20, cite.ActionMove},
		{map[string]int32{"walk": 20, "fly": 60}, 20, cite.ActionMove},
	} {
		s := fighter("ara", "party")
		s.Speeds = c.speeds
		f := newTable(t).add(s, fighter("orc", "monsters")).start()
		wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("feet", c.most+1))), c.because)
		f.Must(act("ara", declaring.KindMove, "", "", withParameters("feet", c.most)))
	}
}

// spark.initiative.other-deeds, spark.fumble.weapon-flies: whoever is raced for its move does not come to fetch a weapon on the way
func TestRacedWhileFetching(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
	f.Put("ara", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"sword": {Place: "dropped", Values: map[string]int32{"x": 15, "y": 0, "feet": 15}}}})
	f.Must(act("ara", declaring.KindMove, "", "", to(15), withParameters("bonus", "pick-up:sword")))
	f.Must(deedOf("orc", "kick the sword away", "ara"), 10, 5)
	if !f.hasNote("sword is not reached") || f.Creature("ara").Items["sword"].Place != "dropped" {
		t.Fatalf("%v", f.Creature("ara").Items["sword"])
	}
}

// spark.action.bonus: a bonus action taken first comes before the earliest of one's blows, whichever of them that is
func TestDraughtBeforeTheEarliestBlow(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { twoHanded(s); s.ArmorClass = 10 })).
		at(5, fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.ArmorClass = 30 })).start()
	f.Hurt("ara", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "potion:potion", "bonus_first", true)))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 2, 12, 10, 8, 1) // 8, 18 and the orc's 15: she drinks at 18
	f.WantHP("ara", 8)
	if n := f.Creature("ara").Counters[body.CLeft+"potion"]; n != 1 {
		t.Fatalf("%d potions", n)
	}
}

// spark.critical.multiplier, spark.fumble.weapon-chipped, spark.dice.rounding: a weapon of no dice does what it does, chips within
// what is multiplied, never less than nothing
func TestWeaponWithoutDice(t *testing.T) {
	for _, c := range []struct {
		name  string
		bonus int32
		chips int
		sneak bool
		dice  []int
		lost  int32
	}{
		{"3", 3, 0, false, []int{15}, 3},
		{"chipped once", 3, 1, false, []int{15}, 2},
		{"chipped to less than nothing", 3, 4, false, []int{15}, 0},
		{"three times 3 less 1", 3, 1, false, []int{20, 13}, 6},
		{"with the dice of a sneak attack", 3, 0, true, []int{15, 2, 4}, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := proto.CloneOf(sword)
			w.DamageDice, w.DamageBonus = "", c.bonus
			f := duel(t, armedWith(w), func(s *eventv1.SparkSheet) { s.SneakAttack = "2d6" })
			f.Count("ara", body.CChip+"sword", c.chips)
			f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("sneak", c.sneak)))
			f.End("orc", c.dice...)
			f.WantHP("orc", 30-c.lost)
		})
	}
}

// spark.fumble.trip-two-rounds: whoever stumbled by the game master's word, without a rule said, is refused by the rule of trips
func TestBarredByTheGameMaster(t *testing.T) {
	f := duel(t)
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondStumbled, Until: body.UntilRound(1), Values: map[string]int32{"from": 1}}}})
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleTripTwoRounds)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
		if o.Action == declaring.KindAttack && (o.Legal || o.Rule != cite.FumbleTripTwoRounds) {
			t.Errorf("listed: %v", o)
		}
	}
	f.End("ara")
	f.End("orc")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
}
