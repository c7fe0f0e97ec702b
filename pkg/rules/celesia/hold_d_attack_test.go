package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.attack.martial-power: three steps at a base attack bonus of 5 are 6 temporary hit points, half as
// many again with a shield in use: not with one put away, nor with whatever else is in hand.
func TestMartialPowerBehindAShield(t *testing.T) {
	for name, c := range map[string]struct {
		kind, place string
		want        int32
	}{"nothing": {"", body.PlaceStowed, 6}, "a shield": {body.ThingShield, body.PlaceOff, 9}, "a shield put away": {body.ThingShield, body.PlaceStowed, 6}, "a rope": {body.ThingRope, body.PlaceOff, 6}} {
		f := duel(t, fighter("a", "party", ability("constitution", 13), section(func(s *eventv1.CelesiaSheet) { s.Stances = []string{"steel"} }),
			carrying(&eventv1.CelesiaThing{Name: "thing", Kind: c.kind, Place: c.place})), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionMartial)), 2)
		if got := f.Creature("a").GetHpTemp(); got != c.want {
			t.Errorf("%s: %d temporary hit points, want %d", name, got, c.want)
		}
	}
}

// celesia.attack.power-attack, celesia.attack.precision-strike: two steps at a base attack bonus of 5 are 4 damage; 6
// with a weapon in both hands, by Power Attack alone; 2 in the off hand. Of several attacks in one action the
// hand counts that each is made with, whichever it is held in; what is shot has none of it.
func TestTradedDamageByTheHand(t *testing.T) {
	strong := ability("strength", 14, "dexterity", 14)
	sword, knife := inHand("sword", 1, body.PlaceMain), inHand("knife", 1, body.PlaceOff)
	staff := inHand("staff", 2, body.PlaceBoth)
	staff.DoubleDice = "1d6"
	spit := &eventv1.CelesiaWeapon{Name: "spit", Kind: body.KindNaturalRanged, Dice: "1d6", RangeFeet: 30, Limb: "mouth"}
	for name, c := range map[string]struct {
		arms             []*eventv1.CelesiaWeapon
		action, item     string
		power, precision []int32 // of each attack
	}{
		"main hand":                       {[]*eventv1.CelesiaWeapon{sword, knife}, "attack", "sword", []int32{4}, []int32{4}},
		"off hand":                        {[]*eventv1.CelesiaWeapon{sword, knife}, "attack", "knife", []int32{2}, []int32{2}},
		"both hands":                      {[]*eventv1.CelesiaWeapon{staff}, "attack", "staff", []int32{6}, []int32{4}},
		"two weapons":                     {[]*eventv1.CelesiaWeapon{sword, knife}, "multiweapon", "sword", []int32{4, 2}, []int32{4, 2}},
		"two weapons, led by the left":    {[]*eventv1.CelesiaWeapon{sword, knife}, "multiweapon", "knife", []int32{4, 2}, []int32{4, 2}},
		"two ends of one in both hands":   {[]*eventv1.CelesiaWeapon{staff}, "multiweapon", "staff", []int32{4, 2}, []int32{4, 2}},
		"what is shot, later in the turn": {[]*eventv1.CelesiaWeapon{sword, spit}, "attack", "spit", []int32{0}, []int32{0}},
	} {
		for option, want := range map[string][]int32{mending.OptionPower: c.power, mending.OptionPrecision: c.precision} {
			t.Run(name+" "+option, func(t *testing.T) {
				f := duel(t, fighter("a", "party", strong, weapons(c.arms...)), fighter("b", "foes", unarmed(), hitPoints(400)))
				f.Roller = func(sides int) int { return sides - 1 }
				more := []func(*eventv1.TakeAction){with(option)}
				if c.item == "spit" {
					f.Must(act("a", "attack", "sword", "b", more...))
					f.Roller = func(sides int) int { return sides - 1 }
					more = nil
				}
				f.Must(act("a", c.action, c.item, "b", more...))
				for len(f.Decisions) > 0 {
					f.Choose("no") // no cleave
				}
				title := map[string]string{mending.OptionPower: "Power Attack", mending.OptionPrecision: "Precision Strike"}[option]
				var got, rolls []int32
				for _, e := range f.Published {
					if r := e.GetRoll(); r != nil && strings.HasSuffix(r.Label, "/damage") {
						got = append(got, from(r.Modifiers, title))
					} else if r != nil && strings.HasSuffix(r.Label, "/to-hit") {
						rolls = append(rolls, from(r.Modifiers, title))
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s adds %v, want %v", title, got, want)
				}
				for _, n := range rolls {
					if (n == -2) != (c.item != "spit") {
						t.Errorf("%s takes %v off the rolls", title, rolls)
					}
				}
			})
		}
	}
}

// celesia.attack.ranged-target: what is shot needs a line of sight; a blow in reach falls without one.
func TestLineOfSight(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 60})
	for _, c := range []struct {
		change func(*eventv1.Sheet)
		item   string
		facts  []any
		reason string
	}{
		{bow, "w", []any{"line_of_sight", false}, "NO_LINE_OF_SIGHT"}, {bow, "w", []any{"line_of_sight", true}, ""}, {bow, "w", nil, ""},
		{unarmed(), "fist", []any{"line_of_sight", false}, ""}, {unarmed(), "fist", nil, ""},
	} {
		f := duel(t, fighter("a", "party", c.change), fighter("b", "foes", unarmed()))
		f.Roller = func(sides int) int { return sides / 2 }
		wantReason(t, f.Try(act("a", "attack", c.item, "b", withFacts(c.facts...))), c.reason, cite.AttackRangedTarget)
	}
}

// celesia.attack.ranged-bonus: the penalty of range comes with each increment beyond the first; at no distance
// there is none, however short the increment.
func TestRangePenaltyByDistance(t *testing.T) {
	for _, c := range []struct{ increment, feet, want int32 }{{20, 0, 0}, {20, 20, 0}, {20, 21, -2}, {20, 40, -2}, {20, 41, -4}, {1, 0, 0}, {1, 1, 0}, {1, 2, -2}} {
		dart := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindThrown, Dice: "1d4", Hands: 1, RangeFeet: c.increment, RangePenalty: 2})
		f := duel(t, fighter("a", "party", dart), fighter("b", "foes", unarmed()))
		f.Must(act("a", "attack", "w", "b", withFacts("distance", float64(c.feet))), 2)
		if got := from(f.Roll("/to-hit").Modifiers, "range"); got != c.want {
			t.Errorf("%d feet by %d: %d, want %d", c.feet, c.increment, got, c.want)
		}
	}
}

// celesia.damage.off-hand, celesia.damage.thrown: in the off hand melee damage has half of each bonus; what is thrown
// from it has all of them.
func TestOffHandIsOfMelee(t *testing.T) {
	for kind, want := range map[string]int32{body.KindMelee: 2, body.KindThrown: 4} {
		w := &eventv1.CelesiaWeapon{Name: "w", Kind: kind, Dice: "1d4", Hands: 1, Hand: body.PlaceOff, RangeFeet: 10}
		var got int32
		for _, m := range mending.DamageModifiers(&eventv1.Creature{Sheet: fighter("a", "party", ability("strength", 18), weapons(w))}, w) {
			got += m.Value
		}
		if got != want {
			t.Errorf("%s: %d, want %d", kind, got, want)
		}
	}
}

// celesia.attack.nonlethal-with-lethal-weapon, celesia.attack.lethal-with-nonlethal-weapon: what shoots deals lethal damage
// alone, unless its own is not.
func TestNatureOfDamageOffered(t *testing.T) {
	for name, c := range map[string]struct {
		kind      string
		nonlethal bool
		want      []string
	}{
		"sword": {body.KindMelee, false, []string{"lethal", "nonlethal"}}, "sap": {body.KindMelee, true, []string{"lethal", "nonlethal"}},
		"dart": {body.KindThrown, false, []string{"lethal"}}, "bola": {body.KindThrown, true, []string{"lethal", "nonlethal"}},
	} {
		w := &eventv1.CelesiaWeapon{Name: "w", Kind: c.kind, Dice: "1d4", Hands: 1, RangeFeet: 10, Nonlethal: c.nonlethal}
		f := duel(t, fighter("a", "party", weapons(w)), fighter("b", "foes", unarmed()))
		if got, _ := wordsOf(optionsOf(f, "a", "attack")[0], "damage"); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		f.Roller = func(sides int) int { return sides / 2 }
		for _, nature := range []string{"lethal", "nonlethal"} {
			if err := f.Peek(act("a", "attack", "w", "b", withParameters("damage", nature))); (err == nil) != slices.Contains(c.want, nature) {
				t.Errorf("%s, %s: %v", name, nature, err)
			}
		}
	}
}

// celesia.attack.multiweapon: a word that names no melee weapon is told with one that is near, wherever it stands.
func TestStrayWeaponsAreNamed(t *testing.T) {
	f := duel(t, fighter("a", "party", weapons(inHand("sword", 1, body.PlaceMain), inHand("knife", 1, body.PlaceOff),
		&eventv1.CelesiaWeapon{Name: "dart", Kind: body.KindThrown, Dice: "1d4", Hands: 1, RangeFeet: 10, Hand: "stowed"},
		&eventv1.CelesiaWeapon{Name: "kick", Kind: body.KindNatural, Dice: "1d4", Limb: "foot"})), fighter("b", "foes", unarmed()))
	for near, words := range map[string][]any{"knife": {"off", "knief"}, "sword": {"offs", []string{"sward", "knife"}}, "kick": {"offs", []string{"knife", "kcik"}}} {
		wantField(t, f.Try(act("a", "multiweapon", "sword", "b", withParameters(words...))), "take.parameters.off", "melee weapon", near)
	}
	wantField(t, f.Try(act("a", "multiweapon", "sword", "b", withParameters("off", "dart"))), "take.parameters.off", "melee weapon")
}

// celesia.turn.extra-acts-no-stack: of several effects the one that gives most counts where nobody picks, the first by
// name of those that give as much; and it is cited.
func TestMostOfTheExtraActs(t *testing.T) {
	for name, c := range map[string]struct {
		zeal, haste int32
		picked      string
		acts        int64
		rule        string
	}{
		"the first gives more":  {2, 1, "effect.zeal", 5, cite.TurnExtraActsNoStack},
		"the second gives more": {1, 2, body.CondHasted, 5, cite.TurnHaste},
		"both give as much":     {1, 1, "effect.zeal", 4, cite.TurnExtraActsNoStack},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party"), fighter("b", "foes"))
			f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHasted, Cause: "test", Values: map[string]int32{"acts": c.haste}}, {Name: "effect.zeal", Cause: "test", Values: map[string]int32{"acts": c.zeal}}}})
			f.End("a")
			f.wantOptions(body.DecExtra, body.MostActs, "effect.zeal", body.CondHasted)
			f.Choose(body.MostActs)
			if got := f.Creature("b").Marks[body.MExtra]; got != c.picked {
				t.Errorf("picked %q, want %q", got, c.picked)
			}
			f.wantActs("b", c.acts, c.rule)
		})
	}
}

// celesia.reaction.immediate-ability, celesia.reaction.opportunity-substitute: what is used as a reaction is no action of
// one's turn.
func TestReactionsAreNoActions(t *testing.T) {
	f := duel(t, fighter("a", "party", abilities(&eventv1.CelesiaAbility{Name: "riposte", Time: body.TimeImmediate}, &eventv1.CelesiaAbility{Name: "snatch", Time: body.TimeOpportunity},
		&eventv1.CelesiaAbility{Name: "flash", Time: body.TimeSwift})), fighter("b", "foes"))
	var got []string
	for _, o := range optionsOf(f, "a", "use-ability") {
		got = append(got, o.Item)
	}
	if !slices.Equal(got, []string{"flash"}) {
		t.Errorf("offered %v", got)
	}
	for _, item := range []string{"riposte", "snatch", "flush"} {
		wantField(t, f.Try(act("a", "use-ability", item, "")), "take.item", "ability")
	}
	f.Must(act("a", "use-ability", "flash", ""))
}

// celesia.attack.stray-line, celesia.attack.stray-resolution: a line along the edge of a space does not cross it; of those
// as far from the target the one whom the line comes to first is struck first.
func TestStrayLineAtTheEdge(t *testing.T) {
	line := func(c, target *eventv1.Creature, others ...*eventv1.Creature) []string {
		s := &eventv1.State{Creatures: map[string]*eventv1.Creature{c.Id: c, target.Id: target}}
		for _, o := range others {
			s.Creatures[o.Id] = o
		}
		return manners.InTheWay(s, &eventv1.TakeAction{}, c, target, 500)
	}
	shooter, target := standing("s", "large", 0, 0), standing("t", "large", 20, 0)
	if got := line(shooter, target, standing("above", "", 40, 5), standing("below", "", 40, 0)); len(got) > 0 {
		t.Errorf("struck %v", got)
	}
	if got := line(shooter, target, standing("across", "large", 40, 0)); !slices.Equal(got, []string{"across"}) {
		t.Errorf("struck %v", got)
	}
	shooter, target = standing("s", "large", 0, 0), standing("t", "large", 0, 20)
	if got := line(shooter, target, standing("left", "", 0, 40), standing("right", "", 5, 40)); len(got) > 0 {
		t.Errorf("struck %v", got)
	}
	shooter, target = standing("s", "", 0, 0), standing("t", "", 20, 10)
	if got := line(shooter, target, standing("first", "", 25, 10), standing("after", "", 25, 15)); !slices.Equal(got, []string{"first", "after"}) {
		t.Errorf("in the order %v", got)
	}
	if got := line(shooter, target, standing("zenith", "", 25, 10), standing("after", "", 25, 15)); !slices.Equal(got, []string{"zenith", "after"}) {
		t.Errorf("in the order %v", got)
	}
}

// celesia.movement.charge, celesia.movement.charge-conditions: with a weapon for melee, over clear ground.
func TestChargeOverClearGround(t *testing.T) {
	build := func(t *testing.T) *table {
		return crowd(t, [][2]int32{{0, 0}, {30, 0}}, fighter("a", "party"), fighter("b", "foes"))
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "charge", "sword", "b", more...)
	}
	said := func(fact string, is bool) []func(*eventv1.TakeAction) {
		return []func(*eventv1.TakeAction){withFacts(fact, is)}
	}
	wantRefusals(t, build, cmd, []refusal{
		{name: "clear"}, {name: "said to be clear", more: []func(*eventv1.TakeAction){withFacts("difficult", false, "blocked", false)}},
		{name: "difficult", more: said("difficult", true), reason: "NOT_CLEAR", rule: cite.MovementChargeConditions},
		{name: "blocked", more: said("blocked", true), reason: "NOT_CLEAR", rule: cite.MovementChargeConditions},
	})
	for _, item := range []string{"bow", "sabre"} {
		wantField(t, build(t).Try(act("a", "charge", item, "b")), "take.item", "melee weapon")
	}
}

// celesia.movement.charge-advantage: who charges as a reaction while nobody has the turn has the advantage until the end
// of its own.
func TestChargeBetweenTheTurns(t *testing.T) {
	f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: round-start, hook: {name: provoke}}`))
	f.AddAt(0, 0, fighter("a", "party"))
	f.AddAt(30, 0, fighter("b", "foes"))
	f.set(15, 5)
	f.End("a")
	f.Must(act("b", "ready", "sword", "", withParameters("action", "charge", "trigger", "any")))
	f.WantActive()
	f.wantOptions(body.DecReaction, "no", "readied")
	f.Choose("readied")
	f.wantAt("b", 5, 0)
	f.WantActive("a")
	if u := body.Condition(f.Creature("b"), body.CondCharging).GetUntil(); u.GetCreature() != "b" || u.GetWhen() != "end-of-turn" {
		t.Errorf("charging until %v", u)
	}
	f.End("a")
	f.End("b")
	if body.Has(f.Creature("b"), body.CondCharging) {
		t.Error("charging after its turn")
	}
}

// celesia.movement.move: nobody looks farther than 160 feet for where a creature can go, and only then more is left.
func TestSquaresBeyondThoseListed(t *testing.T) {
	for feet, cut := range map[int32]bool{155: false, 160: false, 165: true} {
		f := newTable(t).add(fighter("a", "party", walks(feet)))
		f.at("a", 100, 100)
		for i := range int32(9) {
			if i == 4 {
				continue
			}
			id := "f" + body.Itoa(i)
			f.add(fighter(id, "foes", unarmed()))
			f.at(id, 95+5*(i%3), 95+5*(i/3))
		}
		f.start(nil, 20, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8)
		o := optionsOf(f, "a", "move")[0]
		if !o.Legal || o.SquaresCut != cut || len(o.Squares) > 0 {
			t.Errorf("%d feet: legal %v, %d squares, more are left %v", feet, o.Legal, len(o.Squares), o.SquaresCut)
		}
	}
}

// celesia.critical.extras-maximised: damage of content of a type is damage of its own; dice of it are their maximum on a
// critical hit, but for those of which some are dropped.
func TestDamageThatContentAdds(t *testing.T) {
	for name, c := range map[string]struct {
		effect string
		faces  []int
		want   []int32 // of the parts
		types  []string
	}{
		"a number":                          {`modifier: {to: damage, amount: "3"}`, []int{15, 4}, []int32{7}, []string{"slashing"}},
		"a number of a type":                {`modifier: {to: damage, amount: "3", type: fire}`, []int{15, 4}, []int32{4, 3}, []string{"slashing", "fire"}},
		"dice":                              {`modifier: {to: damage, dice: 2d4, type: fire}`, []int{15, 1, 2, 4}, []int32{4, 3}, []string{"slashing", "fire"}},
		"a number of a type, critical":      {`modifier: {to: damage, amount: "3", type: fire}`, []int{20, 1}, []int32{17, 3}, []string{"slashing", "fire"}},
		"dice, critical":                    {`modifier: {to: damage, dice: 2d4, type: fire}`, []int{20, 1}, []int32{17, 8}, []string{"slashing", "fire"}},
		"the best of two dice, critical":    {`modifier: {to: damage, dice: 2d4kh1, type: fire}`, []int{20, 2, 3, 1}, []int32{17, 3}, []string{"slashing", "fire"}},
		"the best of two dice, no critical": {`modifier: {to: damage, dice: 2d4kh1, type: fire}`, []int{15, 2, 3, 4}, []int32{4, 3}, []string{"slashing", "fire"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := plain(t, ruling(t, c.effect))
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			for _, e := range f.Events {
				if d := e.GetDamage(); d != nil && d.Target == "b" {
					var got []int32
					var types []string
					for _, p := range d.Parts {
						got, types = append(got, p.Rolled), append(types, p.Type)
					}
					if !slices.Equal(got, c.want) || !slices.Equal(types, c.types) {
						t.Errorf("%v %v, want %v %v", got, types, c.want, c.types)
					}
				}
			}
		})
	}
}
