package celesia

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.action.aid-another, celesia.attack.engaged-definition: with a melee weapon that is there;
// what nobody knows of a foe is no reason that it is in melee with nobody; whom a readied aid meets
// is known later.
func TestAidWithWhatAgainstWhom(t *testing.T) {
	f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes"), fighter("c", "party", unarmed()))
	wantField(t, f.Try(act("a", "aid-another", "axe", "b")), "take.item", "melee weapon")
	wantField(t, f.Try(act("a", "aid-another", "bow", "b")), "take.item", "melee weapon")

	aids := func(s *eventv1.State) bool {
		for _, o := range (System{}).Options(rules.Query{State: s, Creature: "a", Actions: []string{"aid-another"}}) {
			if o.Legal && slices.Contains(o.Targets, "b") {
				return true
			}
		}
		return false
	}
	for name, c := range map[string]struct {
		change func(s *eventv1.State)
		want   bool
	}{
		"b threatens c":             {func(*eventv1.State) {}, true},
		"nobody threatens":          {func(s *eventv1.State) { s.Creatures["b"].Sheet.GetCelesia().Weapons = nil }, false},
		"what b has nobody knows":   {func(s *eventv1.State) { s.Creatures["b"].Sheet = nil }, true},
		"what c has nobody knows":   {func(s *eventv1.State) { s.Creatures["b"].Sheet.GetCelesia().Weapons, s.Creatures["c"].Sheet = nil, nil }, true},
		"b is known and far from c": {func(s *eventv1.State) { s.Creatures["c"].Position.X = 60 }, false},
	} {
		s := proto.CloneOf(f.State)
		c.change(s)
		if got := aids(s); got != c.want {
			t.Errorf("%s: listed %t", name, got)
		}
	}
	f.Must(act("a", "ready", "sword", "b", withParameters("action", "aid-another", "trigger", "attack", "friend", "c"), withFacts("friend_engaged", false)))
}

// celesia.surprise.awareness: a check that was failed leaves unaware who was, and one that was made
// leaves aware who was.
func TestAwarenessAsItWas(t *testing.T) {
	for name, c := range map[string]struct {
		unaware bool
		face    int
		after   bool
		told    int
	}{"unaware, fails": {true, 5, true, 0}, "unaware, makes it": {true, 15, false, 1}, "aware, fails": {false, 5, true, 1}, "aware, makes it": {false, 15, false, 0}} {
		f := newTable(t).add(fighter("b", "foes"))
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party"), Facts: object("unaware", c.unaware)}}})
		f.Must(act("a", "reactive-check", "", "", checking("perception", "", "dc", 15, "awareness", true)), c.face)
		told := len(seen(f, "added", (*eventv1.Event).GetConditionAdded)) + len(seen(f, "removed", (*eventv1.Event).GetConditionRemoved))
		if body.Has(f.Creature("a"), body.CondSurprised) != c.after || told != c.told {
			t.Errorf("%s: %v, told %d times", name, f.Creature("a").Conditions, told)
		}
	}
}

// celesia.maneuver.chokehold-effects, celesia.injury.hand-all-lost: words need a voice, gestures a
// hand where there are hands; what needs neither is cast all the same.
func TestComponentsOfWhoHasNone(t *testing.T) {
	cast := func(verbal, somatic bool, do func(*table), change ...func(*eventv1.Sheet)) error {
		f := duel(t, fighter("a", "party", append(change, spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Verbal: verbal, Somatic: somatic}))...), fighter("b", "foes", unarmed()))
		do(f)
		return f.Try(act("a", "cast", "s", "a"))
	}
	handless := section(func(c *eventv1.CelesiaSheet) {
		c.Body, c.Weapons = &eventv1.CelesiaBody{Eyes: 2, Legs: 4, Head: true}, []*eventv1.CelesiaWeapon{{Name: "bite", Kind: "natural", Dice: "1d6", Limb: "mouth"}}
	})
	wantReason(t, cast(true, false, laid("a", body.CondChoked)), "CHOKED", cite.ManeuverChokeholdEffects)
	wantReason(t, cast(false, false, laid("a", body.CondChoked)), "", "")
	wantReason(t, cast(false, true, laid("a", body.CondHandsBound)), "HANDS_LOST", cite.InjuryHandAllLost)
	wantReason(t, cast(false, false, laid("a", body.CondHandsBound)), "", "")
	wantReason(t, cast(false, true, func(*table) {}, handless), "", "")
}

// celesia.dice.dis-dazzled, celesia.dice.dis-deafened, celesia.dice.dis-blind-skills,
// celesia.dice.dis-broken-tool: each hampers the checks that it speaks of, and no others.
func TestWhichChecksAreHampered(t *testing.T) {
	for name, c := range map[string]struct {
		condition, skill, purpose string
		facts                     bool
		hampered                  bool
	}{
		"dazzled, to see":              {"dazzled", "perception", "sight", false, true},
		"dazzled, opposed":             {"dazzled", "perception", "opposed", false, false},
		"dazzled, another by sight":    {"dazzled", "sense-motive", "sight", false, false},
		"deafened, opposed":            {"deafened", "perception", "opposed", false, true},
		"deafened, to see":             {"deafened", "perception", "sight", false, false},
		"deafened, another opposed":    {"deafened", "sense-motive", "opposed", false, false},
		"blinded, by Strength":         {"blinded", "climb", "", false, true},
		"blinded, by Dexterity":        {"blinded", "ride", "", false, true},
		"blinded, by Charisma":         {"blinded", "bluff", "", false, false},
		"with a broken tool":           {"broken-tool", "disable-device", "", false, true},
		"with one that is said broken": {"", "disable-device", "", true, true},
		"with none that is broken":     {"", "disable-device", "", false, false},
	} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		if c.condition != "" {
			f.Afflict("a", c.condition)
		}
		f.Roller = func(int) int { return 10 }
		f.Must(act("a", "skill-check", "", "", checking(c.skill, c.purpose, "dc", 15), withFacts("broken_tool", c.facts)))
		if got := len(f.Roll("check/" + c.skill).Dice); (got == 2) != c.hampered {
			t.Errorf("%s: %d dice, edges %v", name, got, f.Roll("check/"+c.skill).Edges)
		}
	}
}

// celesia.attack.lethal-with-nonlethal-weapon, celesia.damage.unarmed-lethal: where the table takes 4
// off for a lethal blow with bare hands, what else is turned is at disadvantage still.
func TestTurnedBlowsWhereFistsTakeAPenalty(t *testing.T) {
	sap := &eventv1.CelesiaWeapon{Name: "sap", Kind: "melee", Dice: "1d6", Hands: 1, Hand: "main", Nonlethal: true}
	fist := &eventv1.CelesiaWeapon{Name: "fist", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true}
	for _, c := range []struct {
		setting, item string
		dice          int
		penalty       int32
	}{{"penalty", "fist", 1, -4}, {"penalty", "sap", 2, 0}, {"disadvantage", "fist", 2, 0}, {"disadvantage", "sap", 2, 0}} {
		f := duel(t, fighter("a", "party", section(func(s *eventv1.CelesiaSheet) { s.Weapons = []*eventv1.CelesiaWeapon{sap, fist} })), fighter("b", "foes", unarmed(), defends(60)), body.SetLethalUnarmed+"="+c.setting)
		f.Roller = func(int) int { return 10 }
		f.Must(act("a", "attack", c.item, "b", withParameters("damage", "lethal")))
		r := f.Roll("to-hit")
		if got := from(r.Modifiers, "lethal unarmed strike"); len(r.Dice) != c.dice || got != c.penalty {
			t.Errorf("%s, %s: %d dice and %d", c.setting, c.item, len(r.Dice), got)
		}
	}
}

// celesia.action.feint-effect: a foe misled again was misled once; what else the same one did to it
// stays.
func TestFeintedAgain(t *testing.T) {
	f := duel(t, fighter("a", "party", skilled("bluff", 30), skilled("intimidate", 30)), fighter("b", "foes", unarmed()))
	f.Must(act("a", "demoralize", "", "b", withParameters("dc", 10, "rounds", 5)), 10)
	f.Must(act("a", "feint", "", "b"), 10)
	f.round()
	f.Must(act("a", "feint", "", "b"), 10)
	if f.count("b", body.CondFeinted) != 1 || f.count("b", body.CondShaken) != 1 {
		t.Errorf("%v", f.Creature("b").Conditions)
	}
}

// celesia.maneuver.reposition: a way is measured where both stand on the map.
func TestRepositionOnHalfAMap(t *testing.T) {
	for _, placed := range []string{"a", "b"} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", unarmed())).set(15, 5)
		f.at(placed, 0, 0)
		wantRefusedAny(t, f.Try(act("a", "reposition", "", "b", way(5, 5))))
		f.Must(act("a", "reposition", "", "b"), 2)
	}
}

// celesia.injury.disabled-strain: what takes acts costs as many points, strenuous or not; of what
// takes none a quickened spell costs one, and no longer concentrating on it none.
func TestWhatStrainsTheDisabled(t *testing.T) {
	build := func(t *testing.T) *table {
		f := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) {
			c.Spells = []*eventv1.CelesiaSpell{{Name: "quick", Casting: "standard", Quickened: true, Concentration: true, Condition: "dazzled", RangeFeet: 30}, {Name: "slow", Casting: "standard", Dice: "1d4", RangeFeet: 30}}
		})), fighter("b", "foes", unarmed()))
		f.Hurt("a", 0)
		return f
	}
	for _, c := range []struct {
		spell     string
		strenuous bool
		hp        int32
	}{{"slow", false, -2}, {"quick", false, -1}, {"slow", true, -2}, {"quick", true, -1}} {
		f := build(t)
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", "cast", c.spell, "b", withFacts("strenuous", c.strenuous)))
		f.WantHP("a", c.hp)
	}
	f := build(t)
	f.Must(act("a", "cast", "quick", "b"))
	f.Must(act("a", "cease-concentrating", "quick", ""))
	f.WantHP("a", -1)
	g := build(t)
	g.Must(act("a", "cast", "quick", "b"))
	g.Must(act("a", "cease-concentrating", "quick", "", withFacts("strenuous", true)))
	g.WantHP("a", -2)
}

// celesia.initiative.check: whoever comes in when nobody has the turn has it.
func TestJoiningWhenNobodyCanAct(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "foes"))
	f.start(nil, 15, 5)
	for _, id := range []string{"a", "b"} {
		f.Afflict(id, body.CondUnconscious)
	}
	f.WantActive()
	f.Must(comesIn(fighter("c", "party"), 0, 0), 10)
	f.WantActive("c")
}

// celesia.attack.into-melee, celesia.attack.engaged-definition: it takes an ally of the shooter who
// is an enemy of the target in melee with it, and one within 10 feet; it need not be the same.
func TestIntoMeleeAmongSeveral(t *testing.T) {
	pike := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 2, Reach: true})
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60})
	for name, c := range map[string]struct {
		target, side string
		near         bool
		pikes        int
		dice         int
	}{
		"one near, without arms":          {"b", "foes", true, 0, 1},
		"pikes at 10 feet":                {"b", "foes", false, 6, 1},
		"pikes, and one near":             {"b", "foes", true, 6, 2},
		"a friend beside an armed friend": {"b", "party", true, 6, 1},
	} {
		f := newTable(t).add(fighter("a", "party", bow), fighter(c.target, c.side, unarmed()))
		f.at("a", 0, 40)
		f.at("b", 0, 0)
		for i := range c.pikes {
			id := string(rune('c' + i))
			f.add(fighter(id, "party", pike))
			at := [][2]int32{{-10, -10}, {-10, 0}, {-10, 10}, {10, -10}, {10, 0}, {10, 10}}[i]
			f.at(id, at[0], at[1])
		}
		if c.near {
			f.add(fighter("z", "party", unarmed()))
			f.at("z", 5, 0)
		}
		place := 20
		f.Roller = func(int) int { place--; return place }
		f.start(nil)
		for f.State.Active[0] != "a" {
			f.End(f.State.Active[0])
		}
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", "attack", "w", c.target))
		if got := len(f.Roll("to-hit").Dice); got != c.dice {
			t.Errorf("%s: %d dice", name, got)
		}
	}
}

// celesia.attack.multiweapon: what is named must be there and be for melee, as the first weapon and
// as another; a second double weapon strikes as itself.
func TestMultiweaponWithWhat(t *testing.T) {
	list := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Light: true, Hand: "off"})
	})
	f := duel(t, fighter("a", "party", list), fighter("b", "foes", unarmed(), defends(60)))
	for _, name := range []string{"bow", "axe"} {
		wantField(t, f.Try(act("a", "multiweapon", name, "b")), "take.item", "melee weapon")
		wantField(t, f.Try(act("a", "multiweapon", name, "b", withParameters("off", name))), "take.item", "melee weapon")
		wantField(t, f.Try(act("a", "multiweapon", "sword", "b", withParameters("off", name))), "take.parameters.off", "melee weapon")
		wantField(t, f.Try(act("a", "multiweapon", "sword", "b", withParameters("offs", []string{"dagger", name}))), "take.parameters.off", "melee weapon")
	}
	bare := duel(t, fighter("a", "party", section(func(c *eventv1.CelesiaSheet) { c.Weapons = c.Weapons[1:2] })), fighter("b", "foes", unarmed()))
	wantField(t, bare.Try(act("a", "multiweapon", "axe", "b")), "take.item", "melee weapon")
	wantReason(t, bare.Try(act("a", "multiweapon", "fist", "b")), "ONE_WEAPON", cite.AttackMultiweapon)

	staves := section(func(c *eventv1.CelesiaSheet) {
		c.Body = &eventv1.CelesiaBody{Hands: 4, Arms: 4, Legs: 2, Eyes: 2, Head: true}
		c.Weapons = []*eventv1.CelesiaWeapon{{Name: "bite", Kind: "natural", Dice: "1d4", Limb: "mouth"}, {Name: "staff", Kind: "melee", Dice: "1d6", DoubleDice: "1d4", Hands: 2, Hand: "both"}}
	})
	g := duel(t, fighter("a", "party", staves, attacks(9)), fighter("b", "foes", unarmed(), defends(9)))
	g.Roller = func(sides int) int { return map[int]int{20: 9, 4: 4, 6: 6}[sides] }
	g.Must(act("a", "multiweapon", "bite", "b", withParameters("off", "staff")))
	for _, r := range g.Rolls("/damage") {
		if r.Label == "multiweapon/2/damage" && r.Expression != "1d6" {
			t.Errorf("the staff does %s", r.Expression)
		}
	}
}

// celesia.action.ready: what is to be readied must be said and be there; whom it is for is said of
// what heals alone, and acts are put in whole.
func TestReadyingWhat(t *testing.T) {
	wand := carrying(&eventv1.CelesiaThing{Name: "wand", Kind: body.ThingTrigger, Place: "off", Spell: &eventv1.CelesiaSpell{Name: "cure", Casting: "standard", Healing: "1d8"}})
	build := func(t *testing.T) *table { return duel(t, fighter("a", "party", wand), fighter("b", "foes")) }
	f := build(t)
	wantField(t, f.Try(act("a", "ready", "", "", withParameters("trigger", "attack"))), "take.parameters.action", "missing")
	wantField(t, f.Try(ready("cast", "fireball", "", "attack")), "take.item", "spell")
	wantReason(t, f.Try(ready("use-item", "wand", "", "attack")), "NO_TARGET", cite.ActionReady)
	wantField(t, f.Try(ready("grapple", "", "", "attack", "commit", 1)), "take.parameters.commit", "no parameter here")
	f.Must(ready("use-item", "wand", "a", "attack"))
	f = build(t)
	f.Must(ready("sheathe", "wand", "", "attack"))
	f = build(t)
	f.Must(ready("grapple", "", "", "attack"))
}

// celesia.turn.action-classes: an action of 2 or 3 acts is begun with a part of them; one of 4 is
// not, and loading is where it takes so many, and not where it runs on.
func TestWhatIsBegunInParts(t *testing.T) {
	cast := func(more int32) error {
		f := duel(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d4", RangeFeet: 30, ComponentActs: more})), fighter("b", "foes", unarmed()))
		f.Afflict("a", body.CondHasted)
		f.round()
		return f.Try(act("a", "cast", "s", "b", withParameters("commit", 1)))
	}
	wantReason(t, cast(0), "", "")
	wantReason(t, cast(1), "", "")
	wantField(t, cast(2), "take.parameters.commit", "cannot be begun")
	for rapid, begun := range map[bool]bool{true: true, false: false} {
		f := duel(t, shooter(body.LoadSimple, rapid), fighter("b", "foes", unarmed(), defends(60)))
		f.Must(act("a", "attack", "w", "b"), 2)
		f.round()
		err := f.Try(act("a", "load-firearm", "w", "", withParameters("commit", 1)))
		if (err == nil) != begun {
			t.Errorf("Rapid Reload %t: %v", rapid, err)
		}
	}
}

// celesia.action.complex-frame: whoever carries on one task breaks its others, and nobody else's.
func TestCarryingOnOneOfTwoTasks(t *testing.T) {
	begin := func(id, name string) *eventv1.Command {
		return act(id, "begin-task", "", "", withParameters("task", name, "needed", 6))
	}
	f := crowd(t, [][2]int32{{0, 0}, {30, 0}, {60, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "foes"))
	f.Must(begin("a", "dig"))
	f.Must(begin("a", "saw"))
	f.Must(act("a", "continue-task", "saw", ""))
	f.End("a")
	for range 3 {
		f.Must(map[bool]*eventv1.Command{true: begin("b", "row"), false: act("b", "continue-task", "row", "")}[f.State.Tasks["task-b-row"] == nil])
	}
	f.End("b")
	f.End("c")
	f.Must(act("a", "continue-task", "dig", ""), nil...)
	for id, done := range map[string]int32{"task-a-dig": 1, "task-a-saw": 0, "task-b-row": 3} {
		if got := f.State.Tasks[id].GetValues()["done"]; got != done {
			t.Errorf("%s: %d acts done, want %d: %v", id, got, done, f.State.Tasks[id])
		}
	}
}

// celesia.action.administer-to-unconscious: whoever is down can be given a potion.
func TestWhoIsGivenAPotion(t *testing.T) {
	flask := section(func(c *eventv1.CelesiaSheet) {
		c.Potions = []*eventv1.CelesiaPotion{{Name: "cure", Healing: "1d8", Count: 1}}
	})
	for name, c := range map[string]struct {
		do   func(*table)
		want bool
	}{"well": {func(*table) {}, false}, "dying": {func(f *table) { f.Hurt("b", -15) }, true}, "asleep": {laid("b", body.CondUnconscious), true}, "stunned": {laid("b", body.CondStunned), false}} {
		f := duel(t, fighter("a", "party", flask), fighter("b", "party"))
		c.do(f)
		got := slices.ContainsFunc(optionsOf(f, "a", "administer"), func(o *eventv1.Option) bool { return o.Legal && slices.Contains(o.Targets, "b") })
		if got != c.want {
			t.Errorf("%s: listed %t", name, got)
		}
		if !c.want {
			wantReason(t, f.Try(act("a", "administer", "cure", "b")), "CONSCIOUS", cite.ActionAdministerToUnconscious)
		}
	}
}

// celesia.attack.stray-resolution: a missile that misses somebody in the shooter's own space flies
// nowhere.
func TestMissInOnesOwnSpace(t *testing.T) {
	dart := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "thrown", Dice: "1d4", Hands: 1, RangeFeet: 20})
	for x, blows := range map[int32][]string{0: {"a miss"}, 5: {"a miss", "a hit"}} {
		f := newTable(t).add(fighter("a", "party", dart), fighter("b", "foes", unarmed(), defends(60)), fighter("c", "foes", unarmed(), defends(5)))
		f.at("a", 0, 0)
		f.set(18, 10, 5)
		f.at("b", x, 0)
		f.at("c", 10, 0)
		f.Roller = func(sides int) int { return sides / 2 }
		f.Must(act("a", "attack", "w", "b", withFacts("into_melee", false)))
		if got := f.Attacks(); !slices.Equal(got, blows) {
			t.Errorf("b at %d: %v, want %v", x, got, blows)
		}
	}
}
