package celesia

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/movement"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A table whose rows do not hold is refused, by the part of a row that is wrong; one
// at the border is taken.
func TestBrokenTables(t *testing.T) {
	// changed is a table with one row put in place of the one that begins so.
	changed := func(table, begins, row string) string {
		lines := strings.Split(table, "\n")
		for i, l := range lines {
			if strings.HasPrefix(l, begins) {
				lines[i] = row
				return strings.Join(lines, "\n")
			}
		}
		t.Fatalf("no row begins with %q", begins)
		return ""
	}
	for _, table := range []struct {
		name       string
		read       func(text string) error
		text       string
		good, bads map[string]string // a row by how the one begins that it takes the place of
	}{
		// celesia.attack.multiweapon
		{"multiweapon", func(text string) error { _, err := manners.ReadMultiweapon(text); return err },
			"light,feat,main,off\nno,no,-6,-10\nyes,no,-4,-8\nno,yes,-4,-4\nyes,yes,-2,-2\n",
			map[string]string{"no,no": "no,no,0,-10", "yes,no": "yes,no,-4,0"},
			map[string]string{"no,no": "no,no,some,-10", "no,no,": "no,no,-6,some", "no,no,-6": "no,no,1,-10", "no,no,-6,": "no,no,-6,1", "no,no,-6,-": "maybe,no,-6,-10",
				"no,no,-6,-1": "no,maybe,-6,-10", "yes,no": "no,no,-4,-8", "yes,yes": ""}},
		// celesia.injury.crippling-table
		{"crippling", func(text string) error { _, err := body.ReadCripples(text); return err },
			"from,to,row,title,negated,rule\n1,8,scar,Scar,5,r\n9,9,finger,Finger,15,r\n10,20,arm,Arm,40,r\n",
			map[string]string{"1,8": "1,8,scar,Scar,1,r"},
			map[string]string{"1,8": "one,8,scar,Scar,5,r", "1,8,": "1,eight,scar,Scar,5,r", "1,8,s": "1,8,scar,Scar,five,r", "1,8,sc": "0,8,scar,Scar,5,r", "1,8,sca": "1,8,scar,Scar,0,r",
				"1,8,scar": "1,8,,Scar,5,r", "9,9": "9,8,finger,Finger,15,r", "9,9,": "9,9,scar,Finger,15,r", "10,20": "10,21,arm,Arm,40,r", "10,20,": "10,19,arm,Arm,40,r", "10,20,a": "11,20,arm,Arm,40,r"}},
		// celesia.attack.special-scaling
		{"trade-offs", func(text string) error { _, err := manners.ReadSteps(text); return err },
			"a,b,c,d,e,f,g,h,i,j,k\n0,1,-1,2,3,1,3,1,-1,2,3\n1,1,-1,2,3,1,3,1,-1,2,3\n",
			map[string]string{"0,": "0,1,0,2,3,1,3,1,-1,2,3", "1,": "1,1,-1,2,3,1,3,1,0,2,3"},
			map[string]string{"0,": "0,0,-1,2,3,1,3,1,-1,2,3", "0,1": "0,1,-1,2,3,1,3,0,-1,2,3", "0,1,": "0,1,1,2,3,1,3,1,-1,2,3", "0,1,-": "0,1,-1,2,3,1,3,1,1,2,3",
				"0,1,-1": "0,1,-1,2,many,1,3,1,-1,2,3", "1,": "2,1,-1,2,3,1,3,1,-1,2,3"}},
	} {
		t.Run(table.name, func(t *testing.T) {
			if err := table.read(table.text); err != nil {
				t.Fatal(err)
			}
			for begins, row := range table.good {
				if err := table.read(changed(table.text, begins, row)); err != nil {
					t.Errorf("%s: %v", row, err)
				}
			}
			for begins, row := range table.bads {
				if table.read(changed(table.text, begins, row)) == nil {
					t.Errorf("%q is taken for the row %s", row, begins)
				}
			}
			if head, _, _ := strings.Cut(table.text, "\n"); table.read(head+"\n") == nil {
				t.Error("no rows are taken")
			}
		})
	}
}

// celesia.maneuver.bull-rush: straight back, along the longer way where that is even;
// the same on every side.
func TestAway(t *testing.T) {
	from := standing("c", "medium", 0, 0)
	for at, want := range map[[2]int32][2]int32{{5, 0}: {5, 0}, {-5, 0}: {-5, 0}, {0, 5}: {0, 5}, {0, -5}: {0, -5}, {5, 5}: {5, 5}, {-5, -5}: {-5, -5}, {5, -5}: {5, -5},
		{10, 5}: {5, 5}, {-10, -5}: {-5, -5}, {5, 10}: {5, 5}, {-5, -10}: {-5, -5}, {15, 5}: {5, 0}, {-15, -5}: {-5, 0}, {5, 15}: {0, 5}, {-5, -15}: {0, -5}, {0, 0}: {0, 0}} {
		if got := answers.Away(from, standing("t", "medium", at[0], at[1])); got.X != want[0] || got.Y != want[1] || got.Z != 0 {
			t.Errorf("%v: pushed by %v, want %v", at, got, want)
		}
	}
	above := standing("t", "medium", 5, 0)
	above.Position.Z = -5
	if got := answers.Away(from, above); got.X != 5 || got.Z != -5 {
		t.Errorf("from above: %v", got)
	}
}

// celesia.movement.run: in one direction, whatever the direction.
func TestStraight(t *testing.T) {
	at := func(xyz ...int32) *eventv1.Position { return &eventv1.Position{X: xyz[0], Y: xyz[1], Z: xyz[2]} }
	for name, c := range map[string]struct {
		way  []*eventv1.Position
		want bool
	}{
		"nowhere":              {nil, true},
		"one point":            {[]*eventv1.Position{at(5, 20, 0)}, true},
		"along x":              {[]*eventv1.Position{at(5, 0, 0), at(10, 0, 0)}, true},
		"slanting upwards":     {[]*eventv1.Position{at(5, 5, 5), at(20, 20, 20)}, true},
		"a bend on the ground": {[]*eventv1.Position{at(5, 5, 0), at(10, 0, 0)}, false},
		"a bend over x":        {[]*eventv1.Position{at(5, 0, 5), at(10, 0, 0)}, false},
		"a bend over y":        {[]*eventv1.Position{at(0, 5, 5), at(0, 10, 0)}, false},
		"there and back":       {[]*eventv1.Position{at(10, 0, 0), at(5, 0, 0)}, false},
		"back over y":          {[]*eventv1.Position{at(0, 10, 0), at(0, 5, 0)}, false},
		"back over z":          {[]*eventv1.Position{at(0, 0, 10), at(0, 0, 5)}, false},
		"a stop on the way":    {[]*eventv1.Position{at(5, 0, 0), at(5, 0, 0), at(10, 0, 0)}, true},
	} {
		if got := movement.Straight(at(0, 0, 0), c.way); got != c.want {
			t.Errorf("%s: straight %v", name, got)
		}
	}
	if !movement.Straight(nil, []*eventv1.Position{at(5, 5, 0), at(10, 0, 0)}) {
		t.Error("without a map nothing is bent")
	}
}

// celesia.maneuver.overrun: to the first free space behind the foe within the speed, else
// to the last in front of it.
func TestBeyondFoe(t *testing.T) {
	for name, c := range map[string]struct {
		speed  int32
		others []*eventv1.Creature
		want   []int32
	}{
		"the speed reaches just behind": {15, nil, []int32{15}},
		"it does not":                   {10, nil, []int32{5}},
		"the first space is taken":      {30, []*eventv1.Creature{standing("o", "medium", 15, 0)}, []int32{20}},
		"and nothing behind is free":    {15, []*eventv1.Creature{standing("o", "medium", 15, 0)}, []int32{5}},
		"nor before":                    {15, []*eventv1.Creature{standing("o", "medium", 15, 0), standing("p", "medium", 5, 0)}, nil},
	} {
		me, foe := standing("c", "medium", 0, 0), standing("t", "medium", 10, 0)
		me.Sheet = fighter("c", "party", walks(c.speed))
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": me, "t": foe}}
		for _, o := range c.others {
			s.Creatures[o.Id] = o
		}
		var got []int32
		for _, p := range maneuvers.BeyondFoe(s, me, foe) {
			got = append(got, p.X)
		}
		if len(got) != len(c.want) || len(got) == 1 && got[0] != c.want[0] {
			t.Errorf("%s: to %v, want %v", name, got, c.want)
		}
	}
}

// The rule that the acts of a turn are told with is that of what set their number.
//
// celesia.turn.three-acts, celesia.mount.moved-two-acts, celesia.mount.control-check,
// celesia.condition.staggered-by-nonlethal, celesia.injury.disabled-one-less-act, celesia.initiative.natural-1
func TestAllowanceRule(t *testing.T) {
	for name, c := range map[string]struct {
		round int32
		do    func(c *eventv1.Creature)
		want  string
	}{
		"nothing":                     {1, func(*eventv1.Creature) {}, cite.TurnThreeActs},
		"a natural 1":                 {1, func(c *eventv1.Creature) { c.Counters[body.CFirst] = -1 }, cite.InitiativeNatural1},
		"a natural 20":                {1, func(c *eventv1.Creature) { c.Counters[body.CFirst] = 1 }, cite.InitiativeNatural20},
		"a natural 1 in the surprise": {0, func(c *eventv1.Creature) { c.Counters[body.CFirst] = -1 }, cite.SurpriseActs},
		"a mount that went 5 feet":    {1, func(c *eventv1.Creature) { c.Counters[body.CRode] = 5 }, cite.TurnThreeActs},
		"a mount that went farther":   {1, func(c *eventv1.Creature) { c.Counters[body.CRode] = 10 }, cite.MountMovedTwoActs},
		"staggered":                   {1, func(c *eventv1.Creature) { c.Conditions = []*eventv1.Condition{{Name: body.CondStaggered}} }, cite.ConditionStaggeredByNonlethal},
		"a mount that is out of hand": {1, func(c *eventv1.Creature) { c.Conditions = []*eventv1.Condition{{Name: manners.CondUnruled}} }, cite.MountControlCheck},
		"disabled":                    {1, func(c *eventv1.Creature) { c.Life = eventv1.LifeStatus_LIFE_STATUS_DISABLED }, cite.InjuryDisabledOneLessAct},
		"disabled and on a fast mount": {1, func(c *eventv1.Creature) {
			c.Life, c.Counters[body.CRode] = eventv1.LifeStatus_LIFE_STATUS_DISABLED, 50
		}, cite.MountMovedTwoActs},
	} {
		hp := int32(40)
		who := standing("c", "medium", 0, 0)
		who.Sheet, who.Hp, who.Counters = fighter("c", "party"), &hp, map[string]int64{}
		c.do(who)
		if _, got := strike.Allowed(&eventv1.State{Round: c.round}, who); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// What a sheet counts out is what it says, and nothing of what it does not count.
func TestStores(t *testing.T) {
	sheet := fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
		c.Spells = []*eventv1.CelesiaSpell{{Name: "endless"}, {Name: "thrice", Uses: 3}}
		c.Potions = []*eventv1.CelesiaPotion{{Name: "cure", Count: 2}}
		c.Things = []*eventv1.CelesiaThing{{Name: "rope", Kind: body.ThingRope}, {Name: "wand", Kind: body.ThingTrigger, Spell: &eventv1.CelesiaSpell{Name: "x", Uses: 1}},
			{Name: "ring", Kind: body.ThingCommand, Spell: &eventv1.CelesiaSpell{Name: "y"}}}
		c.SpecialAbilities = []*eventv1.CelesiaAbility{{Name: "once", Time: body.TimeFree, Uses: 1}, {Name: "always", Time: body.TimeFree}}
	}))
	want := map[string]int64{"thrice": 3, "cure": 2, "wand": 1, "once": 1}
	got := (System{}).Stores(sheet)
	for name, n := range want {
		if got[body.CLeft+name] != n {
			t.Errorf("%s: %d, want %d", name, got[body.CLeft+name], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("counts out %v", got)
	}
}

// What of a sheet does not hold together is said of the field.
func TestSheetHangsTogether(t *testing.T) {
	flask := func(kind string, splash bool) func(*eventv1.CelesiaSheet) {
		return func(c *eventv1.CelesiaSheet) {
			c.Weapons[2] = &eventv1.CelesiaWeapon{Name: "oil", Kind: kind, Dice: "1d6", Hands: 1, RangeFeet: 10, Splash: splash, Load: body.LoadFlask, Hand: "stowed"}
		}
	}
	stance := strings.Repeat("s", 64)
	for name, c := range map[string]struct {
		change func(*eventv1.CelesiaSheet)
		field  string
	}{
		"a flask that is thrown and splashes": {flask(body.KindThrown, true), ""},
		"a flask that does not splash":        {flask(body.KindThrown, false), "weapons[2].load"},
		"a flask that is shot":                {flask(body.KindProjectile, true), "weapons[2].load"},
		"a bow that is loaded":                {func(c *eventv1.CelesiaSheet) { c.Weapons[2].Load = body.LoadHand }, ""},
		"a sword that is loaded":              {func(c *eventv1.CelesiaSheet) { c.Weapons[0].Load = body.LoadHand }, "weapons[0].load"},
		"two hands for one":                   {func(c *eventv1.CelesiaSheet) { c.Weapons[0].Hands, c.Weapons[0].Hand = 2, body.PlaceOff }, "weapons[0].hand"},
		"two hands for two":                   {func(c *eventv1.CelesiaSheet) { c.Weapons[0].Hands, c.Weapons[0].Hand = 2, body.PlaceBoth }, ""},
		"a double weapon in one hand":         {func(c *eventv1.CelesiaSheet) { c.Weapons[0].DoubleDice = "1d6" }, "weapons[0].double_dice"},
		"a double weapon": {func(c *eventv1.CelesiaSheet) {
			c.Weapons[0].Hands, c.Weapons[0].Hand, c.Weapons[0].DoubleDice = 2, body.PlaceBoth, "1d6"
		}, ""},
		"a double bow":             {func(c *eventv1.CelesiaSheet) { c.Weapons[2].DoubleDice = "1d6" }, "weapons[2].double_dice"},
		"a stance of 64 bytes":     {func(c *eventv1.CelesiaSheet) { c.Stances = []string{stance} }, ""},
		"one of 65":                {func(c *eventv1.CelesiaSheet) { c.Stances = []string{stance + "s"} }, "stances[0]"},
		"a stance without a name":  {func(c *eventv1.CelesiaSheet) { c.Stances = []string{""} }, "stances[0]"},
		"a stance twice":           {func(c *eventv1.CelesiaSheet) { c.Stances = []string{"x", "y", "x"} }, "stances[2]"},
		"a companion":              {func(c *eventv1.CelesiaSheet) { c.Companion = "h" }, ""},
		"a companion of two words": {func(c *eventv1.CelesiaSheet) { c.Companion = "h h" }, "companion"},
		"a secondary sword":        {func(c *eventv1.CelesiaSheet) { c.Weapons[0].Secondary = true }, "weapons[0].secondary"},
		"a secondary claw": {func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "claw", Kind: body.KindNatural, Dice: "1d4", Secondary: true})
		}, ""},
		"a command without a spell": {func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: body.ThingCommand}}
		}, "things[0].spell"},
		"a scroll without a spell": {func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: body.ThingCompletion}}
		}, "things[0].spell"},
		"a rope with a spell": {func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Kind: body.ThingRope, Spell: &eventv1.CelesiaSpell{Name: "s", Casting: "standard"}}}
		}, "things[0].spell"},
		"two things in a hand": {func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Place: body.PlaceOff}, {Name: "y", Place: body.PlaceOff}}
		}, "things[1].place"},
		"two things carried": {func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "x", Place: body.PlaceCarried}, {Name: "y", Place: body.PlaceCarried}}
		}, ""},
		"a potion that attacks": {func(c *eventv1.CelesiaSheet) {
			c.Potions = []*eventv1.CelesiaPotion{{Name: "p", Count: 1, Spell: &eventv1.CelesiaSpell{Name: "s", Attack: "melee-touch"}}}
		}, "potions[0].spell"},
	} {
		v := (System{}).CheckSheet(fighter("a", "party", section(c.change)))
		switch {
		case c.field == "" && len(v) > 0:
			t.Errorf("%s: %v", name, v)
		case c.field != "" && !hasField(v, "sheet.celesia."+c.field):
			t.Errorf("%s: want %s among %v", name, c.field, v)
		}
	}
}

func hasField(v []fault.Violation, field string) bool {
	for _, x := range v {
		if x.Field == field {
			return true
		}
	}
	return false
}
