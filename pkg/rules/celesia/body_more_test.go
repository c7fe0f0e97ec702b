package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Dice of sheets are one roll of up to a hundred dice of up to a hundred sides, and up to a thousand.
func TestDiceOfSheets(t *testing.T) {
	for text, want := range map[string]body.DieSet{"1d1": {Count: 1, Sides: 1, Plus: 0}, "1d6": {Count: 1, Sides: 6, Plus: 0}, "100d100": {Count: 100, Sides: 100, Plus: 0}, "2d8+1": {Count: 2, Sides: 8, Plus: 1}, "1d6+0": {Count: 1, Sides: 6, Plus: 0}, "1d6+1000": {Count: 1, Sides: 6, Plus: 1000}} {
		if d, ok := body.ParseDice(text); !ok || d != want {
			t.Errorf("%s: %v, %t", text, d, ok)
		}
	}
	for _, text := range []string{"", "d", "6", "d6", "1d", "xd6", "1dx", "0d6", "-1d6", "101d6", "1d0", "1d-6", "1d101", "1d6+x", "1d6+-1", "1d6+1001", "1d6d6"} {
		if d, ok := body.ParseDice(text); ok {
			t.Errorf("%q is taken for %v", text, d)
		}
	}
}

// celesia.maneuver.size-limit and what else goes by sizes: their order and the space they fill, and
// whoever has no known one is medium. Points are whole squares apart in each direction alike.
func TestSizesAndSquares(t *testing.T) {
	for i, want := range []struct {
		size string
		side int32
	}{{"fine", 5}, {"diminutive", 5}, {"tiny", 5}, {"small", 5}, {"medium", 5}, {"large", 10}, {"huge", 15}, {"gargantuan", 20}, {"colossal", 30}} {
		c := &eventv1.Creature{Size: want.size}
		if body.SizeOf(c) != i || body.Footprint(c) != want.side {
			t.Errorf("%s: rank %d, space %d, want %d and %d", want.size, body.SizeOf(c), body.Footprint(c), i, want.side)
		}
	}
	if n := body.SizeOf(&eventv1.Creature{}); n != body.SizeOf(&eventv1.Creature{Size: "medium"}) {
		t.Errorf("without a size: rank %d", n)
	}
	from := &eventv1.Position{X: 1, Y: 2, Z: 3}
	for off, p := range map[string]*eventv1.Position{"": {X: 6, Y: -3, Z: 13}, "x": {X: 5, Y: 2, Z: 3}, "y": {X: 1, Y: 3, Z: 3}, "z": {X: 1, Y: 2, Z: 4}} {
		if body.OffSquares(from, p) != (off != "") {
			t.Errorf("off in %q: %t", off, off == "")
		}
	}
	f := duel(t, fighter("a", "party", sized("fine")), fighter("b", "foes"))
	for _, action := range []string{"bull-rush", "drag", "reposition", "trip"} {
		if o := optionsOf(f, "a", action); len(o) != 1 || slices.Contains(o[0].Targets, "b") {
			t.Errorf("%s of one much larger: %v", action, o)
		}
	}
}

// hurtBody is a creature with injuries and a body plan.
func hurtBody(b *eventv1.CelesiaBody, list ...*eventv1.Injury) *eventv1.Creature {
	return &eventv1.Creature{Id: "c", Sheet: &eventv1.Sheet{Section: &eventv1.Sheet_Celesia{Celesia: &eventv1.CelesiaSheet{Body: b}}}, Injuries: list}
}

func wound(id, kind, side string, severed int32) *eventv1.Injury {
	in := &eventv1.Injury{Id: id, Kind: kind, Side: side}
	if severed > 0 {
		in.Values = map[string]int32{"severed": severed}
	}
	return in
}

// celesia.injury.arm-severed: a hand is gone with the arm that it is on; where hands and arms are not
// as many nobody knows which.
func TestHandsGoWithArms(t *testing.T) {
	human, many := &eventv1.CelesiaBody{Hands: 2, Arms: 2, Fingers: 5}, &eventv1.CelesiaBody{Hands: 2, Arms: 4, Fingers: 5}
	for name, c := range map[string]struct {
		of   *eventv1.Creature
		part string
		want bool
	}{
		"the hand of a lost arm":     {hurtBody(human, wound("1", "arm", "left", 1)), "hand", true},
		"of the other arm":           {hurtBody(human, wound("1", "arm", "right", 1)), "hand", false},
		"of an arm that is hurt":     {hurtBody(human, wound("1", "arm", "left", 0)), "hand", false},
		"one with four arms":         {hurtBody(many, wound("1", "arm", "left", 1)), "hand", false},
		"a leg, when an arm is lost": {hurtBody(human, wound("1", "arm", "left", 1)), "leg", false},
		"the arm itself":             {hurtBody(human, wound("1", "arm", "left", 1)), "arm", true},
	} {
		if got := body.CutOff(c.of, c.part, "left"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// celesia.healing.crippling-restoration: what a restoration heals: crippling injuries of parts that
// are there; of fingers those that are not lost.
func TestWhatARestorationHeals(t *testing.T) {
	human := &eventv1.CelesiaBody{Hands: 2, Arms: 2, Fingers: 5, Eyes: 2, Legs: 2, Head: true}
	for name, c := range map[string]struct {
		list []*eventv1.Injury
		want bool // of the first
	}{
		"a scar":                           {[]*eventv1.Injury{wound("1", "scar", "", 0)}, true},
		"a hand":                           {[]*eventv1.Injury{wound("1", "hand", "left", 0)}, true},
		"a severed hand":                   {[]*eventv1.Injury{wound("1", "hand", "left", 1)}, false},
		"a hurt hand that was severed too": {[]*eventv1.Injury{wound("1", "hand", "left", 0), wound("2", "hand", "left", 1)}, false},
		"a hand on a severed arm":          {[]*eventv1.Injury{wound("1", "hand", "left", 0), wound("2", "arm", "left", 1)}, false},
		"a hand, the other arm severed":    {[]*eventv1.Injury{wound("1", "hand", "left", 0), wound("2", "arm", "right", 1)}, true},
		"no crippling injury":              {[]*eventv1.Injury{wound("1", "burn", "", 0)}, false},
		"a finger":                         {[]*eventv1.Injury{wound("1", "finger", "left", 0)}, true},
		"a finger of a severed hand":       {[]*eventv1.Injury{wound("1", "finger", "left", 0), wound("2", "hand", "left", 1)}, false},
		"one finger beside a lost one":     {[]*eventv1.Injury{wound("1", "finger", "left", 0), wound("2", "finger", "left", 0), wound("3", "finger", "left", 1)}, true},
	} {
		of := hurtBody(human, c.list...)
		if got := injury.Restorable(nil, of, of.Injuries[0]); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// celesia.healing.crippling-severed: regrown is the part with all that is on it; of fingers one, with
// one of the injuries of the same hand.
func TestWhatGrowsBack(t *testing.T) {
	for name, c := range map[string]struct {
		plan *eventv1.CelesiaBody
		list [][]*eventv1.Injury
		pick string
		left map[string]int
	}{
		"a finger beside others": {nil, [][]*eventv1.Injury{several(2, "finger", "left", 0), several(1, "finger", "left", 1), several(1, "finger", "right", 0)}, "",
			map[string]int{"finger left": 1, "finger right": 1}},
		"a finger, only the other hand hurt": {nil, [][]*eventv1.Injury{several(1, "finger", "left", 1), several(2, "finger", "right", 0)}, "",
			map[string]int{"finger right": 2}},
		"a finger beside a hand that is hurt": {nil, [][]*eventv1.Injury{several(1, "finger", "left", 1), several(1, "hand", "left", 0)}, "",
			map[string]int{"hand left": 1}},
		"an arm with hand and fingers": {nil, [][]*eventv1.Injury{several(1, "arm", "left", 1), several(1, "hand", "left", 0), several(1, "finger", "left", 0), several(1, "hand", "right", 0)}, "",
			map[string]int{"hand right": 1}},
		"an arm of four": {&eventv1.CelesiaBody{Hands: 2, Fingers: 5, Arms: 4, Legs: 2, Eyes: 2, Head: true}, [][]*eventv1.Injury{several(1, "arm", "2", 1), several(1, "hand", "left", 0)}, "",
			map[string]int{"hand left": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(*eventv1.Sheet) {}
			if c.plan != nil {
				change = bodyPlan(c.plan)
			}
			f := newTable(t).add(fighter("p", "party", change))
			f.Put("p", &eventv1.Vitals{Injuries: slices.Concat(c.list...)})
			f.Medicine(&eventv1.Harm{Deed: body.DeedRegrow, Target: "p", Cause: "test", Facts: map[string]string{"injury": c.pick}})
			got := map[string]int{}
			for _, in := range f.Creature("p").Injuries {
				got[in.Kind+" "+in.Side]++
			}
			for what, n := range c.left {
				if got[what] != n {
					t.Errorf("left: %v, want %v", got, c.left)
				}
			}
			if len(got) != len(c.left) {
				t.Errorf("left: %v, want %v", got, c.left)
			}
		})
	}
}

// celesia.injury.crippling-choice: an injury is offered for damage that takes hit points to 0 or
// lower; what temporary hit points take takes none.
func TestWhenAnInjuryIsOffered(t *testing.T) {
	for name, c := range map[string]struct {
		hp, temp, points int32
		want             bool
	}{
		"to 1":                            {10, 0, 9, false},
		"to 0":                            {10, 0, 10, true},
		"to 0 past temporary ones":        {10, 5, 15, true},
		"to 1 past temporary ones":        {10, 5, 14, false},
		"all in temporary ones":           {10, 20, 15, false},
		"all in temporary ones, disabled": {0, 5, 5, false},
		"past temporary ones, disabled":   {0, 5, 6, true},
		"all in temporary ones, below 0":  {-3, 5, 3, false},
	} {
		f := patient(t, 40, c.hp)
		f.Put("p", &eventv1.Vitals{HpTemp: &c.temp})
		err := f.TryResolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, hit("p", c.points, "")) })
		if err != nil {
			t.Fatal(err)
		}
		if got := len(f.Decisions) > 0; got != c.want {
			t.Errorf("%s: offered %t", name, got)
		}
	}
}

// celesia.death.coup-save, celesia.attack.coup-nonlethal, celesia.injury.burn-behaves: whom a gentle coup
// de grace finds unconscious makes no save; who is immune to nonlethal damage feels nothing of it, and
// everything of one that is not gentle.
func TestGentleCoup(t *testing.T) {
	coup := func(nature string) *eventv1.Harm {
		h := hit("p", 4, nature)
		h.Deed = body.DeedCoup
		return h
	}
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		do     func(f *table)
		nature string
		faces  []int
		out    bool
		dead   bool
		tally  int64
	}{
		"awake, the save made":       {nil, nil, body.NatureNonlethal, []int{20}, false, false, 4},
		"awake, it fails":            {nil, nil, body.NatureNonlethal, []int{1}, true, false, 4},
		"asleep already":             {nil, laid("p", body.CondUnconscious), body.NatureNonlethal, nil, true, false, 4},
		"out by it":                  {nil, func(f *table) { f.Count("p", body.CNonlethal, 38) }, body.NatureNonlethal, nil, true, false, 42},
		"asleep, not gentle":         {nil, laid("p", body.CondUnconscious), "", []int{1}, true, true, 0},
		"immune, gentle":             {immuneTo(body.ImmuneNonlethal), nil, body.NatureNonlethal, nil, false, false, 0},
		"immune to it, not gentle":   {immuneTo(body.ImmuneNonlethal), nil, "", []int{1}, false, true, 0},
		"immune to bleeding, gentle": {immuneTo(body.ImmuneBleed), nil, body.NatureNonlethal, []int{1}, true, false, 4},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(*eventv1.Sheet) {}
			if c.change != nil {
				change = c.change
			}
			f := patient(t, 40, 40, change)
			if c.do != nil {
				c.do(f)
			}
			f.Medicine(coup(c.nature), c.faces...)
			p := f.Creature("p")
			if body.Dead(p) != c.dead || !c.dead && body.Has(p, body.CondUnconscious) != c.out || p.Counters[body.CNonlethal] != c.tally {
				t.Errorf("dead %t, %v, tally %d", body.Dead(p), p.Conditions, p.Counters[body.CNonlethal])
			}
		})
	}
}

// celesia.death.stable-broken-by-damage, celesia.healing.any-cure-stabilizes: what changes nothing
// does nothing: a cure of no points stabilises nobody, and no lost Constitution breaks no stability.
func TestDeedsOfNothing(t *testing.T) {
	for name, c := range map[string]struct {
		life  eventv1.LifeStatus
		h     *eventv1.Harm
		want  eventv1.LifeStatus
		quiet bool
	}{
		"a cure of 1":          {bleeds, &eventv1.Harm{Deed: body.DeedHeal, Amount: 1}, stable, false},
		"a cure of 0":          {bleeds, &eventv1.Harm{Deed: body.DeedHeal, Amount: 0}, bleeds, true},
		"no Constitution lost": {stable, &eventv1.Harm{Deed: mending.DeedConstitution, Amount: 0}, stable, true},
		"a point of it":        {stable, &eventv1.Harm{Deed: mending.DeedConstitution, Amount: 1}, bleeds, false},
		"settled":              {stable, &eventv1.Harm{Deed: body.DeedSettle}, stable, true},
		"first aid by nobody":  {bleeds, &eventv1.Harm{Deed: body.DeedFirstAid}, bleeds, false},
		"exertion of nothing":  {bleeds, &eventv1.Harm{Deed: body.DeedStrain, Amount: 0}, bleeds, true},
	} {
		f := patient(t, 40, -15)
		if c.life == stable {
			f.Put("p", &eventv1.Vitals{Life: stable})
		}
		f.WantLife("p", c.life)
		c.h.Target, c.h.Cause = "p", "test"
		f.Medicine(c.h)
		f.WantLife("p", c.want)
		if told := len(f.Events) > 0; c.quiet && slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetHealing() != nil || e.GetDamage() != nil }) {
			t.Errorf("%s: told of something: %t", name, told)
		}
		if c.h.Deed == body.DeedFirstAid && !f.noted(cite.HealingHealCheckStabilizes) {
			t.Errorf("%s: nobody is told why", name)
		}
	}
	t.Run("settling takes up what stands", func(t *testing.T) {
		f := patient(t, 40, 40)
		f.Resolve(func(r *rules.Resolution) error {
			r.Set("p", body.CNonlethal, 20, "test")
			return f.System.Medicine().Deed(r, &eventv1.Harm{Deed: body.DeedSettle, Target: "p"})
		})
		if !body.Has(f.Creature("p"), body.CondStaggered) {
			t.Error("not staggered at half")
		}
	})
}

// celesia.death.stabilize-continuous-damage, celesia.injury.head-daze: at the start of a turn the dead
// suffer nothing more and the unconscious are not dazed; without continuous damage nothing comes.
func TestStartOfATurnOfABody(t *testing.T) {
	turn := &eventv1.Harm{Deed: body.DeedTurnStart, Target: "p", Cause: "the turn begins"}
	damage := func(f *table) (n int) {
		for _, e := range f.Log {
			if e.GetDamage() != nil {
				n++
			}
		}
		return n
	}
	t.Run("bleeding that kills", func(t *testing.T) {
		for hp, want := range map[int32]int{-22: 1, 30: 2} {
			f := patient(t, 40, hp)
			f.Count("p", body.CBleed, 5, mending.CContinuous, 3)
			f.Roller = func(int) int { return 1 }
			f.Log = nil
			f.Medicine(turn)
			for len(f.Decisions) > 0 {
				f.Choose("none")
			}
			if n := damage(f); n != want {
				t.Errorf("at %d: damage %d times, want %d", hp, n, want)
			}
		}
	})
	t.Run("five head injuries", func(t *testing.T) {
		for name, c := range map[string]struct {
			heads int
			hp    int32
			rolls int
		}{"awake": {5, 40, 1}, "four": {4, 40, 0}, "disabled": {5, 0, 1}, "dying": {5, -15, 0}} {
			f := patient(t, 40, c.hp, con(12))
			f.Put("p", &eventv1.Vitals{Injuries: several(c.heads, "head", "", 0)})
			f.Roller = func(sides int) int { return sides }
			f.Medicine(turn)
			if n := len(f.Rolls("daze/p")); n != c.rolls {
				t.Errorf("%s: %d rolls, want %d", name, n, c.rolls)
			}
		}
	})
	bled := func(life eventv1.LifeStatus) *eventv1.Creature {
		return &eventv1.Creature{Id: "p", Life: life, Counters: map[string]int64{body.CBleed: 1}}
	}
	if mending.BodySuffers(bled(eventv1.LifeStatus_LIFE_STATUS_DEAD)) || !mending.BodySuffers(bled(eventv1.LifeStatus_LIFE_STATUS_ALIVE)) {
		t.Error("the living bleed, the dead do not")
	}
}

// celesia.injury.scar and its like: a row counts for the skills it names, and of performances and
// crafts for each kind; a kind of another skill is another skill.
func TestSkillsOfRows(t *testing.T) {
	for _, c := range []struct {
		list  []string
		skill string
		want  bool
	}{
		{checks.SocialSkills, "bluff", true}, {checks.SocialSkills, "perform", true}, {checks.SocialSkills, "perform-dance", true}, {checks.SocialSkills, "bluff-cards", false},
		{checks.HandSkills, "craft-bows", true}, {checks.HandSkills, "ride", true}, {checks.HandSkills, "ride-camel", false}, {checks.HandSkills, "perform-dance", false},
		{checks.HandSkills, "craft", true}, {checks.LegSkills, "perform-dance", true}, {checks.LegSkills, "perform-string", false}, {checks.LegSkills, "craft-bows", false},
	} {
		if got := checks.Among(c.list, c.skill); got != c.want {
			t.Errorf("%s in %v: %t", c.skill, c.list, got)
		}
	}
}

// celesia.injury.finger-hand-lost: a hand without fingers hampers like an injured hand, and not a
// second time where the hand is injured as well.
func TestFingersAndTheirHand(t *testing.T) {
	human := &eventv1.CelesiaBody{Hands: 2, Arms: 2, Fingers: 5}
	lost := func(side string) []*eventv1.Injury { return several(5, "finger", side, 0) }
	for name, c := range map[string]struct {
		list []*eventv1.Injury
		want int
	}{
		"all of a hand":      {lost("left"), 1},
		"all of both":        {slices.Concat(lost("left"), lost("right")), 2},
		"four of a hand":     {several(4, "finger", "left", 0), 0},
		"and the hand":       {append(lost("left"), wound("h", "hand", "left", 0)), 0},
		"and the other hand": {append(lost("left"), wound("h", "hand", "right", 0)), 1},
		"the hand alone":     {[]*eventv1.Injury{wound("h", "hand", "left", 0)}, 0},
	} {
		k := body.RollKind{Roll: checks.RollSkill, Name: "climb"}
		if n := len(checks.FingerEdges(hurtBody(human, c.list...), k)); n != c.want {
			t.Errorf("%s: %d sources, want %d", name, n, c.want)
		}
	}
}

// celesia.critical.threat: with the setting of natural faces a natural 20 hits and a natural 1
// misses whatever the total, and no other face does.
func TestNaturalFacesOfAttacks(t *testing.T) {
	for _, c := range []struct {
		naturals           bool
		natural, total, dv int32
		want               string
	}{
		{true, 20, 25, 60, "critical"}, {true, 19, 25, 60, "failure"}, {true, 19, 60, 60, "success"}, {true, 1, 60, 20, "failure"}, {true, 2, 60, 20, "success"},
		{false, 20, 25, 60, "failure"}, {false, 1, 60, 20, "success"}, {false, 19, 60, 60, "success"},
	} {
		if got, _ := mending.JudgeAttack(c.naturals, c.dv, 20, true)(c.natural, c.total); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// celesia.mount.lance-charge: a lance, on a mount, at the one who was charged.
func TestWhenALanceIsDoubled(t *testing.T) {
	lance, sword := &eventv1.CelesiaWeapon{Name: "l", Lance: true}, &eventv1.CelesiaWeapon{Name: "s"}
	charging := func(variant string) *eventv1.Creature {
		return &eventv1.Creature{Conditions: []*eventv1.Condition{{Name: body.CondCharging, Variant: variant, Source: "b"}}}
	}
	for name, c := range map[string]struct {
		by   *eventv1.Creature
		w    *eventv1.CelesiaWeapon
		at   string
		want bool
	}{
		"a lance on a mount": {charging(mending.VariantMounted), lance, "b", true}, "on foot": {charging(""), lance, "b", false},
		"a sword": {charging(mending.VariantMounted), sword, "b", false}, "at another": {charging(mending.VariantMounted), lance, "c", false}, "without a charge": {&eventv1.Creature{}, lance, "b", false},
	} {
		if got := mending.LanceCharge(c.by, body.Attack{Weapon: c.w, Target: c.at}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// celesia.dice.adv-invisible-attacker: where an unseen creature is, those know who control it, and those
// of whoever holds it or bears it; where a side's is, everyone.
func TestWhoKnowsWhereTheUnseenAre(t *testing.T) {
	for name, c := range map[string]struct {
		c    *eventv1.Creature
		want []string
	}{
		"in sight":             {&eventv1.Creature{Id: "c"}, nil},
		"invisible":            {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}}}, []string{"c"}},
		"lost from sight":      {&eventv1.Creature{Id: "c", Marks: map[string]string{body.MUnseen: "yes"}}, []string{"c"}},
		"held":                 {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}, {Name: body.CondGrappled, Source: "h"}}}, []string{"c", "h"}},
		"held by nobody knows": {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}, {Name: body.CondGrappled}}}, []string{"c"}},
		"shaken by somebody":   {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}, {Name: body.CondShaken, Source: "h"}}}, []string{"c"}},
		"riding":               {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}}, Relations: []*eventv1.Relation{{Kind: body.RelRides, To: "m"}}}, []string{"c", "m"}},
		"ridden":               {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}}, Relations: []*eventv1.Relation{{Kind: body.RelCarries, To: "r"}}}, []string{"c", "r"}},
		"holding":              {&eventv1.Creature{Id: "c", Conditions: []*eventv1.Condition{{Name: body.CondInvisible}}, Relations: []*eventv1.Relation{{Kind: body.RelHolds, To: "x"}}}, []string{"c"}},
	} {
		want := event.Everyone()
		if c.want != nil {
			want = event.Controllers(c.want...)
		}
		if got := body.Whereabouts(c.c); got.String() != want.String() {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"c": {Id: "c"}}}
	for subject, all := range map[string]bool{"": true, event.SidePrefix + "party": true, "c": false} {
		if got := (System{}).Audience(s, rules.FactCounter, "anything", subject); (got.String() == event.Everyone().String()) != all {
			t.Errorf("a counter of %q: %v", subject, got)
		}
	}
}

// celesia.maneuver.grapple-pin, celesia.maneuver.chokehold-effects: what is of the same variant or from
// the same creature, but another condition, is not it.
func TestConditionsOfTheSameSource(t *testing.T) {
	c := &eventv1.Creature{Id: "b", Conditions: []*eventv1.Condition{{Id: "1", Name: body.CondShaken, Variant: answers.VariantRopes, Source: "a"}, {Id: "2", Name: checks.CondEntangled, Variant: "tar", Source: "a"},
		{Id: "3", Name: body.CondShaken, Variant: "net"}}}
	if answers.Tied(c) != nil || answers.HeldBy(c) != "" || checks.Netted(c) != nil {
		t.Errorf("tied %v, held by %q, in a net %v", answers.Tied(c), answers.HeldBy(c), checks.Netted(c))
	}
	c.Conditions = append(c.Conditions, &eventv1.Condition{Id: "4", Name: body.CondPinned, Variant: answers.VariantRopes}, &eventv1.Condition{Id: "5", Name: body.CondGrappled, Source: "a"}, &eventv1.Condition{Id: "6", Name: checks.CondEntangled, Variant: "net"})
	if answers.Tied(c).GetId() != "4" || answers.HeldBy(c) != "a" || checks.Netted(c).GetId() != "6" {
		t.Errorf("tied %v, held by %q, in a net %v", answers.Tied(c), answers.HeldBy(c), checks.Netted(c))
	}
}

// celesia.attack.stray-line: a line enters the inside of a space, in each direction alike, and not
// where it only runs along its edge; whoever has no place is in no line.
func TestStrayLines(t *testing.T) {
	for name, c := range map[string]struct {
		others map[string][2]int32
		want   []string
	}{
		"straight behind":          {map[string][2]int32{"c": {30, 0}}, []string{"c"}},
		"beside the line":          {map[string][2]int32{"c": {30, 5}}, nil},
		"on the other side":        {map[string][2]int32{"c": {30, -5}}, nil},
		"two behind, nearest last": {map[string][2]int32{"c": {40, 0}, "d": {30, 0}}, []string{"d", "c"}},
		"in front of the target":   {map[string][2]int32{"c": {10, 0}}, nil},
	} {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"a": standing("a", "medium", 0, 0), "b": standing("b", "medium", 20, 0), "n": {Id: "n", Size: "medium"}}}
		for id, at := range c.others {
			s.Creatures[id] = standing(id, "medium", at[0], at[1])
		}
		if got := manners.InTheWay(s, &eventv1.TakeAction{}, s.Creatures["a"], s.Creatures["b"], 500); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	for name, c := range map[string]struct {
		w    *eventv1.CelesiaWeapon
		feet int32
		want int32
	}{
		"in the first increment": {&eventv1.CelesiaWeapon{RangeFeet: 30}, 30, 30}, "in the second": {&eventv1.CelesiaWeapon{RangeFeet: 30}, 31, 60},
		"splash": {&eventv1.CelesiaWeapon{RangeFeet: 30, Splash: true}, 10, 0}, "without a range": {&eventv1.CelesiaWeapon{}, 10, 0}, "of a single foot": {&eventv1.CelesiaWeapon{RangeFeet: 1}, 1, 1},
	} {
		if got := manners.StrayLimit(c.w, c.feet); got != c.want {
			t.Errorf("%s: %d feet, want %d", name, got, c.want)
		}
	}
}

// celesia.damage.unarmed-lethal: who strikes unarmed better turns fists without drawback, and nothing
// else that deals nonlethal damage.
func TestWhatImprovedUnarmedTurns(t *testing.T) {
	whip := &eventv1.CelesiaWeapon{Name: "whip", Kind: "melee", Dice: "1d3", Hands: 1, Nonlethal: true}
	for name, c := range map[string]struct {
		item  string
		feats []string
		dice  int
	}{
		"a fist": {"fist", nil, 2}, "a fist, trained": {"fist", []string{body.FeatImprovedUnarmed}, 1}, "a whip": {"whip", nil, 2}, "a whip, trained": {"whip", []string{body.FeatImprovedUnarmed}, 2},
	} {
		f := duel(t, fighter("a", "party", features(c.feats...), section(func(s *eventv1.CelesiaSheet) { s.Weapons[0] = whip })), fighter("b", "foes", unarmed()))
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", "attack", c.item, "b", withParameters("damage", "lethal")))
		if n := len(f.Roll("to-hit").Dice); n != c.dice {
			t.Errorf("%s: %d dice, want %d", name, n, c.dice)
		}
	}
}
