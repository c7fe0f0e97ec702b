package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// instead is an ability by which an action is done in place of an attack of opportunity.
func instead(action string, provokes bool) func(*eventv1.Sheet) {
	return abilities(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeOpportunity, Action: action, Provokes: provokes})
}

// deadly is a sword that fells whomever it hits.
var deadly = &eventv1.CelesiaWeapon{Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1, DamageBonus: 50}

// celesia.reaction.chain, celesia.reaction.opportunity-substitute: what is done in place of an attack
// of opportunity provokes once, whether the action does or the ability is said to, and one who is
// felled for it never begins.
func TestSubstitutesThatProvoke(t *testing.T) {
	for name, c := range map[string]struct {
		action   string
		provokes bool
		asked    bool
	}{
		"an ability":                          {"", false, false},
		"an ability that provokes":            {"", true, true},
		"a trip":                              {"trip", false, false},
		"a trip that provokes by the ability": {"trip", true, true},
		"a grapple":                           {"grapple", false, true},
		"a grapple that provokes anyhow":      {"grapple", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", instead(c.action, c.provokes), hitPoints(10)), fighter("c", "party", ability("dexterity", 14), section(func(s *eventv1.CelesiaSheet) { s.Features, s.InitiativeBonus = []string{body.FeatCombatReflexes}, -10 })))
			f.Roller = func(int) int { return 8 }
			f.Must(act("a", "move", "", "", way(-10, 0)))
			f.Answer(body.DecReaction+"/b", "instead:x")
			times := 0
			for len(f.Decisions) > 0 {
				times++
				f.Answer(body.DecReaction+"/c", "no")
			}
			if (times == 1) != c.asked || times > 1 {
				t.Errorf("asked %d times, want it asked: %t", times, c.asked)
			}
		})
	}
	for name, action := range map[string]string{"an ability": "", "a trip": "trip"} {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", instead(action, true), cmb(30), hitPoints(1)), fighter("c", "party", weapon(deadly)))
		f.Must(act("a", "move", "", "", way(-10, 0)))
		f.Answer(body.DecReaction+"/b", "instead:x")
		f.Answer(body.DecReaction+"/c", "attack:sword", 11, 8)
		if len(f.Decisions) > 0 {
			f.Answer(body.DecCrippling, "none")
		}
		if body.Has(f.Creature("a"), body.CondProne) || !f.noted(cite.ActionProvoke) || f.Creature("b").Counters[body.CReactions] != 0 {
			t.Errorf("%s: done by one who was felled; told %t", name, f.noted(cite.ActionProvoke))
		}
		f.wantAt("a", -10, 0)
	}
}

// celesia.reaction.immediate-ability, celesia.reaction.counter: an ability that provokes is never
// begun by one who is felled for it, and keeps its use; a counter provokes nobody.
func TestImmediateAbilitiesThatProvoke(t *testing.T) {
	for name, c := range map[string]struct {
		kind  string
		asked bool
	}{"an ability": {"", true}, "a counter": {body.KindCounter, false}} {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", hitPoints(1), abilities(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeImmediate, Kind: c.kind, Uses: 1, Readied: true, Provokes: true})),
			fighter("c", "party", weapon(deadly)))
		f.Must(act("a", "attack", "sword", "b"))
		f.Roller = func(sides int) int { return map[int]int{20: 2}[sides] }
		if c.asked {
			f.Roller = nil
		}
		f.Answer(body.DecReaction+"/b", "ability:x")
		if got := len(f.Decisions) > 0; got != c.asked {
			t.Fatalf("%s: open %v", name, f.Decisions)
		}
		left := f.Creature("b").Counters[body.CLeft+"x"]
		if !c.asked {
			if left != 0 {
				t.Errorf("%s: %d left", name, left)
			}
			continue
		}
		f.Answer(body.DecReaction+"/c", "attack:sword", 11, 8)
		f.Roller = func(int) int { return 2 }
		if len(f.Decisions) > 0 {
			f.Answer(body.DecCrippling, "none")
		}
		if left := f.Creature("b").Counters[body.CLeft+"x"]; left != 1 || !f.noted(cite.ActionProvoke) {
			t.Errorf("%s: %d left, told %t", name, left, f.noted(cite.ActionProvoke))
		}
	}
}

// celesia.reaction.chain, celesia.turn.reaction-timing: a reaction that the one before it has made
// impossible is not taken, and not spent.
func TestReactionMadeImpossible(t *testing.T) {
	f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {5, 5}}, fighter("a", "party", cmd(10)), fighter("b", "foes", instead("bull-rush", false), cmb(30)), fighter("c", "foes"))
	f.Must(act("a", "sheathe", "sword", ""))
	f.Answer(body.DecReaction+"/b", "instead:x")
	f.Answer(body.DecReaction+"/c", "attack:sword", 10)
	if f.Creature("b").Counters[body.CReactions] != 0 || f.Creature("c").Counters[body.CReactions] != 1 || len(f.Attacks()) != 0 {
		t.Errorf("reactions of b %d, of c %d; attacks %v, a at %v", f.Creature("b").Counters[body.CReactions], f.Creature("c").Counters[body.CReactions], f.Attacks(), f.Creature("a").Position)
	}
}

// celesia.reaction.opportunity-substitute: the grapple in place of an attack needs one to replace,
// and both free of grapples.
func TestGrappleInPlaceOfAnAttack(t *testing.T) {
	for name, c := range map[string]struct {
		foe     []func(*eventv1.Sheet)
		do      func(f *table)
		offered bool
	}{
		"both free":      {nil, nil, true},
		"itself held":    {nil, laid("b", body.CondGrappled), false},
		"the other held": {nil, laid("a", body.CondGrappled), false},
		"unarmed":        {[]func(*eventv1.Sheet){unarmed()}, nil, false},
	} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", append(c.foe, features(body.FeatOpportunityHold))...))
		if c.do != nil {
			c.do(f)
		}
		f.Must(act("a", "sheathe", "sword", ""))
		got := len(f.Decisions) == 1 && slices.ContainsFunc(f.Decisions[0].Options, func(o *eventv1.DecisionOption) bool { return o.Id == "grapple" })
		if got != c.offered {
			t.Errorf("%s: open %v", name, f.Decisions)
		}
	}
}

// celesia.action.provoke: whoever is brought down, held or felled on its way goes no farther.
func TestStoppedOnTheWay(t *testing.T) {
	for name, c := range map[string]struct {
		with   func(*eventv1.Sheet)
		answer string
		faces  []int
		x      int32
	}{
		"hit":     {attacks(5), "attack:sword", []int{15, 1}, 30},
		"tripped": {instead("trip", false), "instead:x", []int{19}, 10},
		"held":    {instead("grapple", false), "instead:x", []int{19}, 10},
	} {
		f := newTable(t, body.SetOnTheWay+"=on").add(fighter("a", "party", cmd(10)), fighter("b", "foes", c.with))
		f.at("a", 0, 0)
		f.at("b", 15, 5)
		f.start(nil, 18, 10)
		f.End("a")
		f.End("b")
		f.Must(act("a", "move", "", "", way(30, 0)))
		f.Answer(body.DecReaction+"/b", c.answer, c.faces...)
		if at := f.Creature("a").Position.X; at != c.x {
			t.Errorf("%s: at %d, want %d; %v", name, at, c.x, f.Creature("a").Conditions)
		}
	}
	// Without a map there is no way to be stopped on.
	f := newTable(t, body.SetOnTheWay+"=on").add(fighter("a", "party"), fighter("b", "foes")).set(18, 10)
	f.Must(act("a", "move", "", "", withFacts("feet", 30)))
	if moved := seen(f, "moved", (*eventv1.Event).GetMoved); len(moved) != 1 || moved[0].Feet != 30 {
		t.Errorf("moved %v", moved)
	}
}

// celesia.maneuver.grapple-move-hazard, celesia.injury.disabled-strain: the attempt to break free is
// a reaction, and costs a disabled foe one point.
func TestBreakingFreeStrains(t *testing.T) {
	for hp, want := range map[int32]int32{5: 5, 0: -1} {
		f := held9(t, captive())
		f.Hurt("b", hp)
		f.Must(act("a", "grapple-continued", "", ""), 20)
		f.Answer(body.DecHold, "move")
		f.Must(act("a", "move", "", "", way(-20, 0), withFacts("hazard", true)))
		f.Answer(answers.DecHazard, "maneuver", 2)
		f.WantHP("b", want)
	}
}

// celesia.maneuver.grapple-move: a foe that was to be moved and was not is not moved in a later turn
// without being kept up for it.
func TestTheMoveOfAHoldIsOfItsTurn(t *testing.T) {
	f := held9(t, captive())
	f.Must(act("a", "grapple-continued", "", ""), 20)
	f.Answer(body.DecHold, "move")
	f.round()
	if f.Creature("a").Marks[body.MDragging] != "" {
		t.Error("it may be moved still")
	}
	f.Must(act("a", "grapple-continued", "", ""), 20)
	f.Answer(body.DecHold, "pin")
	wantReason(t, f.Try(act("a", "move", "", "", way(-20, 0))), "HOLDING", cite.ManeuverGrappleMove)
}

// celesia.action.sleight-of-hand-provoke: failed by 5, the one it was to be taken from may strike;
// where nobody is named, nobody.
func TestSleightOfHandFromNobody(t *testing.T) {
	for from, asked := range map[string]bool{"b": true, "": false} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		words := []any{"dc", 20}
		if from != "" {
			words = append(words, "from", from)
		}
		f.Must(act("a", "sleight-of-hand", "", "", withParameters(words...)), 10)
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("from %q: open %v", from, f.Decisions)
		}
	}
}

// celesia.injury.disabled-strain: whoever dies of what its act brought about strains no more.
func TestNoStrainOfTheDead(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", weapon(deadly)))
	f.at("b", 30, 0)
	f.Hurt("a", 0)
	f.readied("b", "approach")
	f.Must(act("a", "move", "", "", way(15, 0)))
	f.Must(act("a", "move", "", "", way(25, 0)))
	f.Answer(body.DecReaction+"/b", "readied", 11, 8)
	for len(f.Decisions) > 0 {
		f.Answer(body.DecCrippling, "none")
	}
	f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	f.WantHP("a", 0-1-58)
}

// celesia.action.provoke: whatever provokes has a word by which readied actions know it.
func TestWhatProvokesCanSetOff(t *testing.T) {
	for _, a := range strike.All() {
		if a.Provoke != nil && a.Trigger == "" {
			t.Errorf("%s provokes and is nobody's trigger", a.ID)
		}
	}
}

// celesia.attack.multiweapon, celesia.attack.unarmed-provoke: each foe answers a bare fist that is
// aimed at it; one that pushes the attacker away is not struck. What is readied for whatever comes is
// set off by the action, not again by its second blow.
func TestTheSecondFistAnswered(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		blows  []string
	}{"pushed": {"instead:x", []string{"a miss"}}, "let pass": {"no", []string{"a miss", "a miss"}}} {
		fists := section(func(s *eventv1.CelesiaSheet) {
			s.Weapons = []*eventv1.CelesiaWeapon{{Name: "fist", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true, Limb: "right-hand"}, {Name: "kick", Kind: "unarmed", Dice: "1d3", Nonlethal: true, Light: true, Limb: "leg"}}
		})
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", fists, cmd(10)), fighter("b", "foes", defends(60)), fighter("c", "foes", defends(60), instead("bull-rush", false), cmb(30)))
		f.readied("c", "any")
		f.Must(act("a", "multiweapon", "fist", "b,c", withParameters("off", "kick")))
		f.wantOptions(body.DecReaction, "no", "attack:sword", "otherwise:sword") // b's; c's is its own
		f.Roller = func(int) int { return 10 }
		for len(f.Decisions) > 1 {
			f.Answer(body.DecReaction+"/c", "no")
		}
		f.Answer(body.DecReaction+"/b", "no")
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "c" || slices.ContainsFunc(f.Decisions[0].Options, func(o *eventv1.DecisionOption) bool { return o.Id == "readied" }) {
			t.Fatalf("%s: open %v", name, f.Decisions)
		}
		f.Answer(body.DecReaction+"/c", c.answer)
		var blows []string
		for _, e := range f.Published {
			if a := e.GetAttack(); a != nil {
				blows = append(blows, a.Attacker+" "+a.Outcome)
			}
		}
		if !slices.Equal(blows, c.blows) {
			t.Errorf("%s: %v, want %v; a at %v", name, blows, c.blows, f.Creature("a").Position)
		}
	}
}

// celesia.reaction.complete-readied: acts spent in the own turn do not keep one from taking later
// what it has readied, though it may have fewer acts by then; and without a map nobody asks the way.
func TestReadiedByWhoHasFewerActs(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", defends(11)))
	f.Must(ready("attack", "sword", "", "attack"))
	f.Afflict("a", body.CondStaggered)
	f.Must(act("b", "attack", "sword", "a"))
	f.Answer(body.DecReaction+"/a", "readied", 15, 4, 2)
	f.WantAttacks("a hit", "b miss")

	g := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).set(15, 5)
	g.Must(ready("move", "", "", "attack"))
	g.Must(act("b", "attack", "sword", "a"))
	g.Answer(body.DecReaction+"/a", "readied", 2)
	if len(g.Decisions) != 0 {
		t.Errorf("open %v", g.Decisions)
	}
}

// celesia.reaction.counterspell: a spell that was to go with a blow and is countered is cast for
// nothing, and the blow is never struck.
func TestCounteredSpellstrike(t *testing.T) {
	for holds, hp := range map[string]int32{"yes": 40, "no": 40 - 3 - 2} {
		f := duel(t, fighter("a", "party", attacks(5), features(body.FeatSpellstrike), spell(&eventv1.CelesiaSpell{Name: "grasp", Casting: "standard", Dice: "1d4", CasterLevel: 1, Uses: 1, Magus: true, Attack: "melee-touch"})),
			fighter("b", "foes", unarmed(), features(body.FeatCounterspell), defends(15)))
		f.Roller = func(sides int) int { return map[int]int{20: 12, 8: 3, 4: 2}[sides] }
		f.Must(act("a", "spellstrike", "sword", "b", withParameters("spell", "grasp")))
		f.Answer(body.DecReaction+"/b", "counterspell")
		f.Answer(body.DecCounter, holds)
		f.WantHP("b", hp)
		if f.Creature("a").Counters[body.CLeft+"grasp"] != 0 {
			t.Error("a use is left")
		}
	}
}

// celesia.item.spell-completion, celesia.spell.cast-defensively, celesia.mount.cast-while-moving: a
// scroll whose spell is lost is used up and does nothing: by a failed check of casting defensively,
// or of casting on the move.
func TestScrollLost(t *testing.T) {
	scroll := carrying(&eventv1.CelesiaThing{Name: "scroll", Kind: body.ThingCompletion, Place: "off", Spell: &eventv1.CelesiaSpell{Name: "words", Casting: "standard", Dice: "1d4", CasterLevel: 1, RangeFeet: 300, Uses: 1, Level: 1}})
	for name, c := range map[string]struct {
		ride, words bool
		face        int
		hp          int32
	}{
		"defensively, 16": {false, true, 16, 40}, "defensively, 17": {false, true, 17, 38},
		"on the move, 10": {true, false, 10, 40}, "on the move, 11": {true, false, 11, 38},
	} {
		f := cavalry(t, fighter("a", "party", scroll), horse(), fighter("b", "foes", unarmed()))
		cmd := act("a", "use-item", "scroll", "b")
		if c.ride {
			f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
			cmd = act("a", "use-item", "scroll", "b", withParameters("moving", true))
		}
		if c.words {
			cmd = act("a", "use-item", "scroll", "b", withParameters("defensively", true))
		}
		f.Roller = func(sides int) int { return map[int]int{20: c.face, 4: 2}[sides] }
		f.Must(cmd)
		f.WantHP("b", c.hp)
		if body.Where(f.Creature("a"), "scroll") != body.PlaceGone {
			t.Errorf("%s: the scroll is there still", name)
		}
	}
}
