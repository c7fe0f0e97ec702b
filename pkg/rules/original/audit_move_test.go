package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Cases of moving that take several rules at once, worked out from their words.

// original.movement.spellcaster-10-feet: whoever has cast goes 10 feet in the round, by
// whatever kind of movement, and all that it could go where that is less.
func TestWhoHasCastGoesTenFeet(t *testing.T) {
	const far = cite.MovementSpellcaster10Feet
	for _, c := range []struct {
		name, action, target string
		speed                int32
		steps                []int32 // feet, one after the other; the last is refused by rule
		rule                 string
		faces                []int
	}{
		{"leaves a busy foe 11 feet off", "disengage", "", 120, []int32{11}, far, nil},
		{"leaves a busy foe 10 feet off", "disengage", "", 120, []int32{10}, "", nil},
		{"goes through a line 11 feet", "through", "orc", 120, []int32{11}, far, nil},
		{"goes through a line 10 feet", "through", "orc", 120, []int32{10}, "", nil},
		{"shifts 5 feet and leaves 6 more", "disengage", "", 120, []int32{-5, 6}, far, nil},
		{"shifts 5 feet and leaves 5 more", "disengage", "", 120, []int32{-5, 5}, "", nil},
		{"shifts 10 feet and would go through", "through", "orc", 120, []int32{-5, -5, 1}, far, nil},
		{"shifts 10 feet and would leave", "disengage", "", 120, []int32{-5, -5, 1}, far, nil},
		{"shifts 10 feet and would shift", "move", "", 120, []int32{-5, -5, 1}, far, nil},
		{"is as slow as 8 feet", "disengage", "", 8, []int32{9}, far, nil},
		{"goes all its 8 feet", "disengage", "", 8, []int32{8}, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The foe stands 5 feet off and has another to fight.
			f := newTable(t).at(0, mage(speed(c.speed))).at(-5, one("orc", "orcs", points(50))).at(-10, one("friend", "party")).start(nil, 1, 6, 2)
			f.WantActive("mage")
			f.Must(act("mage", "cast", "glow", ""))
			at := int32(0)
			for i, feet := range c.steps {
				last := i == len(c.steps)-1
				action, target := c.action, c.target
				if !last { // to and fro beside the foe: the sign says that it is no journey
					action, target, feet = "move", "", 5
					at = 5 - at
				} else {
					at += feet
				}
				err := f.Try(act("mage", action, "", target, path(at)))
				switch {
				case last && c.rule != "":
					wantRefused(t, err, c.rule)
					if f.Creature("mage").Position.X == at {
						t.Error("it went all the same")
					}
				case err != nil:
					t.Fatal(err)
				case f.Creature("mage").Position.X != at:
					t.Fatalf("at %d, want %d", f.Creature("mage").Position.X, at)
				}
			}
			if c.rule != "" && len(c.steps) == 3 && f.legal("mage", c.action) {
				t.Errorf("%s is offered", c.action)
			}
		})
	}
	// One who has not cast goes half its move by any of them.
	f := newTable(t).at(0, mage()).at(-5, one("orc", "orcs", points(50))).at(-10, one("friend", "party")).start(nil, 1, 6, 2)
	wantRefused(t, f.Try(act("mage", "disengage", "", "", path(61))), cite.MovementFreeDisengage)
	f.Must(act("mage", "disengage", "", "", path(60)))
}

// original.movement.engaged-restricts: small shifts of place stay in melee all the way,
// not only at their end.
func TestAWayOutAndBackLeavesMelee(t *testing.T) {
	for _, c := range []struct {
		name string
		way  []int32
		rule string
	}{
		{"out to 11 feet and back", []int32{-6, 0, 0, 0}, cite.MovementEngagedRestricts},
		{"out to 10 feet and back", []int32{-5, 0, 0, 0}, ""},
		{"far out to one side and back", []int32{0, 25, 0, 0}, cite.MovementEngagedRestricts},
		{"round the foe", []int32{5, 5, 10, 0, 5, -5, 0, 0}, ""},
		{"and away at the end", []int32{0, 5, -20, 0}, cite.MovementEngagedRestricts},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs", points(50))).start(nil, 6, 1)
			err := f.Try(act("a", "move", "", "", along(c.way...)))
			if c.rule != "" {
				wantRefused(t, err, c.rule)
				return
			}
			if n := len(c.way); err != nil || f.Creature("a").Position.X != c.way[n-2] || f.Creature("a").Position.Y != c.way[n-1] {
				t.Fatalf("%v, %v", err, f.Creature("a").Position)
			}
		})
	}
	// One in melee with nobody goes where it likes.
	f := newTable(t).at(0, one("a", "party")).at(50, one("orc", "orcs", points(50))).start(nil, 6, 1)
	f.Must(act("a", "move", "", "", along(-25, 0, 0, 0)))
}

// original.movement.through-line: those contest it who are within striking distance of
// the way; one who was named and is not, or cannot get at it, does not.
func TestOnlyThoseOnTheWayContestIt(t *testing.T) {
	for _, c := range []struct {
		name    string
		x, y    int32
		without bool // no place on the map
		wall    bool
		contest bool
	}{
		{"10 feet beside the way", 30, 10, false, false, true},
		{"11 feet beside the way", 30, 11, false, false, false},
		{"300 feet away", 300, 0, false, false, false},
		{"behind a wall", 30, 5, false, true, false},
		{"without a place", 0, 0, true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", dex(0)))
			orc := one("orc", "orcs", points(50), dex(0))
			if c.without {
				f.add(orc)
			} else {
				f.off(c.x, c.y, orc)
			}
			f.start(nil, 6, 1)
			if c.wall {
				f.Put("a", &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelApart, To: "orc"}}})
			}
			var faces []int
			if c.contest {
				faces = []int{3, 4, 2}
			}
			f.Must(act("a", "through", "", "orc", along(60, 0)), faces...)
			if got := f.Attacks(); c.contest != (len(got) == 1) || f.Creature("a").Position.X != 60 {
				t.Errorf("%v", got)
			}
		})
	}
}

// original.movement.retreat-contest, original.movement.running: who turns and flees does
// nothing else in the round, so that it defends itself in no other way either.
func TestNobodyRetreatsWhoDefends(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(f *table)
		rule string
	}{
		"has done nothing":          {func(*table) {}, ""},
		"parries":                   {func(f *table) { f.Must(act("a", "parry", "", "")) }, cite.MovementRunning},
		"has set its spear":         {func(f *table) { f.Must(act("a", "set-spear", "", "")) }, cite.MovementRunning},
		"withdraws on the spot":     {func(f *table) { f.Must(act("a", "withdraw", "", "", path(0))) }, cite.MovementRunning},
		"has shifted its place":     {func(f *table) { f.Must(act("a", "move", "", "", path(1))) }, cite.MovementRunning},
		"has attacked":              {func(f *table) { f.Must(act("a", "attack", "spear", "orc"), 2) }, cite.MovementRunning},
		"has said whom it shields":  {func(f *table) { f.Must(act("a", "shield", "", "orc")) }, ""},
		"has turned to a flank":     {func(f *table) { f.Resolve(tie("orc", body.RelFlanks, "a")); f.Must(act("a", "face", "", "orc")) }, ""},
		"has its weapon dropped":    {func(f *table) { f.drops("a", "spear") }, ""},
		"has an obstacle elsewhere": {func(f *table) { f.Resolve(tie("a", body.RelApart, "nobody")) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), arms(spear), shield(1), dex(0))).at(5, one("orc", "orcs", points(50), arms(spear), dex(0))).start(nil, 6, 1)
			c.do(f)
			cmd := act("a", "retreat", "", "", path(-120))
			if legal := f.legal("a", "retreat"); legal != (c.rule == "") {
				t.Errorf("offered: %v", legal)
			}
			if c.rule != "" {
				wantRefused(t, f.Try(cmd), c.rule)
				return
			}
			f.Must(cmd, 6, 1, 6, 6)
		})
	}
}

// stun does so much damage that only knocks out.
func (f *table) stun(id string, n int32) {
	f.T.Helper()
	f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: id, Parts: []*eventv1.DamagePart{{Type: body.PartTemporary, Rolled: n}}})
}

// drops has a weapon lie at its owner's feet.
func (f *table) drops(id, item string) {
	f.T.Helper()
	f.Put(id, &eventv1.Vitals{Items: map[string]*eventv1.ItemState{item: {Place: body.PlaceDropped, At: id}}})
}

// original.attack.range-bands: a range that is stated makes a throw of it, even where no
// place is known; nobody comes to be in melee by it.
func TestARangeIsNoMelee(t *testing.T) {
	for _, c := range []struct {
		item, band string
		melee      bool
		modifier   int32
	}{
		{"spear", "short", false, 1}, {"spear", "medium", false, 0}, {"spear", "long", false, -1}, {"spear", "", true, 0}, {"sword", "long", true, 0},
	} {
		t.Run(c.item+" "+c.band, func(t *testing.T) {
			f := newTable(t).add(one("a", "party", class("cleric", 1), arms(spear, blade), dex(0), str(0), need(15))).add(strongFoe()).start(nil, 6, 1)
			var facts []func(*eventv1.TakeAction)
			if c.band != "" {
				facts = append(facts, withFacts("range", c.band))
			}
			f.Must(act("a", "attack", c.item, "b", facts...), 10)
			if got := sum(f.Roll("to-hit")); got != c.modifier {
				t.Errorf("modifiers %d", got)
			}
			if got := body.Is(f.Creature("a"), body.RelEngaged, "b"); got != c.melee {
				t.Errorf("in melee: %v", got)
			}
		})
	}
}

// sum is what was added to a roll.
func sum(r *eventv1.Roll) int32 { return body.Sum(r.Modifiers) }

// original.movement.half-move-and-attack, original.movement.in-melee-definition: nobody
// shoots at a foe with whom it is in melee, be the distance measured or stated.
func TestABowAtArmsLength(t *testing.T) {
	for _, c := range []struct {
		name   string
		feet   int32
		change func(f *table)
		rule   string
	}{
		{"10 feet", 10, nil, cite.MovementHalfMoveAndAttack},
		{"11 feet", 11, nil, ""},
		{"none", 0, nil, cite.MovementHalfMoveAndAttack},
		{"10 feet, one knocked out", 10, func(f *table) { f.stun("b", 100) }, ""},
		{"10 feet, behind a wall", 10, func(f *table) { f.Resolve(tie("b", body.RelApart, "a")) }, ""},
	} {
		for _, stated := range []bool{true, false} {
			t.Run(c.name, func(t *testing.T) {
				f := newTable(t)
				var facts []func(*eventv1.TakeAction)
				if stated {
					facts = append(facts, withFacts("distance", int(c.feet)))
					f.add(one("a", "party", arms(bow, blade), dex(0))).add(strongFoe())
				} else {
					f.at(0, one("a", "party", arms(bow, blade), dex(0))).at(c.feet, strongFoe())
				}
				f.start(nil, 6, 1)
				f.Roller = func(int) int { return 2 } // morale of one who is out
				if c.change != nil {
					c.change(f)
				}
				err := f.Try(act("a", "attack", "bow", "b", facts...))
				if c.rule != "" {
					wantRefused(t, err, c.rule)
				} else if err != nil || f.Roll("to-hit").Modifiers[0].Rule != cite.AttackRangeBands {
					t.Fatal(err)
				}
			})
		}
	}
}

// original.movement.in-melee-definition: a way on the map is for those who have a place
// on it; what is said of one who has none is its length.
func TestAWayWithoutAPlace(t *testing.T) {
	f := newTable(t).add(one("a", "party")).at(50, one("orc", "orcs", points(50))).start(nil, 6, 1)
	for _, action := range []string{"move", "run", "flee"} {
		wantFault(t, f.Try(act("a", action, "", "", path(5))), "take.path")
	}
	f.Must(act("a", "move", "", "", withParameters("feet", 60)))
	if f.Creature("a").Counters[body.CMoved] != 60 {
		t.Fatal(f.Creature("a").Counters)
	}
}

// original.movement.retreat-passersby: those named as passed are foes, each once.
func TestWhoIsPassed(t *testing.T) {
	f := newTable(t).add(one("a", "party", dex(0)), one("friend", "party"), one("orc", "orcs", dex(0)), one("idle", "orcs")).start(object("engaged", false), 6, 5, 1, 1)
	f.Resolve(tie("a", body.RelEngaged, "orc"))
	for name, ids := range map[string][]string{"take.facts.passes[1]": {"idle", "friend"}, "take.facts.passes[2]": {"idle", "orc", "idle"}} {
		wantFault(t, f.Try(act("a", "retreat", "", "", withParameters("feet", 60), withFacts("passes", ids))), name)
	}
	// The one it breaks away from is in melee and strikes once at most: by the contest.
	f.Must(act("a", "retreat", "", "", withParameters("feet", 60), withFacts("passes", []string{"orc", "idle"})), 1, 6, 2, 2, 6, 6)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc miss", "idle miss"}) {
		t.Fatal(got)
	}
}
