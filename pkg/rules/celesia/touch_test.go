package celesia

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestTouchingMany(t *testing.T) {
	bless := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Healing: "1d8+3", TouchMany: true, Uses: 2})
	// crowd is a caster among so many allies beside it and so many at 10 feet.
	crowd := func(t *testing.T, beside, off int) *table {
		f := newTable(t).add(fighter("a", "party", bless, weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 2, Reach: true})), fighter("z", "foes", unarmed()))
		f.at("a", 0, 0)
		f.at("z", 200, 0)
		near := [][2]int32{{5, 0}, {-5, 0}, {0, 5}, {0, -5}, {5, 5}, {-5, -5}, {5, -5}, {-5, 5}}
		faces := []int{19}
		for i := range beside + off {
			id := string(rune('b' + i))
			f.add(fighter(id, "party"))
			at := near[i%8]
			if i >= beside {
				at = [2]int32{2 * at[0], 2 * at[1]}
			}
			f.at(id, at[0], at[1])
			faces = append(faces, 18-i)
		}
		f.start(nil, append(faces, 2)...)
		f.Must(act("a", "cast", "s", "a"), 1)
		f.End("a")
		for i := range beside + off {
			f.End(string(rune('b' + i)))
		}
		f.End("z")
		return f
	}
	t.Run(cite.SpellTouchSixAllies, func(t *testing.T) {
		f := crowd(t, 4, 3)
		wantRefused(t, f.Try(act("a", "touch-allies", "", "b,c,d,e,f")), cite.SpellTouchSixAllies)
		wantRefused(t, f.Try(act("a", "touch-allies", "", "z", withFacts("distance", 5))), cite.SpellTouchSixAllies)
		for _, id := range []string{"b", "c", "d", "e"} {
			f.Hurt(id, 10)
		}
		f.Must(act("a", "touch-allies", "", "b,c,d,e"), 1, 2, 3, 4)
		for i, id := range []string{"b", "c", "d", "e"} {
			f.WantHP(id, 10+3+int32(i)+1)
		}
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.spell.touch-six-allies six of eight", func(t *testing.T) {
		f := crowd(t, 8, 0)
		if err := f.Try(act("a", "touch-allies", "", "b,c,d,e,f,g,h")); err == nil {
			t.Error("seven were touched")
		}
		f.Must(act("a", "touch-allies", "", "b,c,d,e,g,i"), 1, 1, 1, 1, 1, 1)
		f.End("a")
		for i := range 8 {
			f.End(string(rune('b' + i)))
		}
		f.End("z")
		wantRefused(t, f.Try(act("a", "touch-allies", "", "b")), cite.SpellTouchSixAllies) // the spell is spent
	})
}

func TestIdentifying(t *testing.T) {
	ray := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift", Dice: "1d6", RangeFeet: 30})
	f := duel(t, fighter("a", "party", ray), fighter("b", "foes", unarmed(), skilled("spellcraft", 7)))
	wantRefused(t, f.Try(act("b", "identify-spell", "", "a")), cite.SpellIdentifyBeingCast)
	f.Count("b", body.CReactions, 0) // no reaction is left
	for range 2 {
		f.Must(act("a", "cast", "s", "b"), 1)
		f.Must(act("b", "identify-spell", "", "a", withParameters("dc", 18)), 11) // in a's turn
		if r := f.Roll("check/spellcraft"); r.Total != 18 || r.Outcome != "success" {
			t.Errorf("roll %v", r)
		}
		wantRefused(t, f.Try(act("b", "identify-spell", "", "a")), cite.SpellIdentifyBeingCast)
	}
	f.round()
	wantRefused(t, f.Try(act("b", "identify-spell", "", "a")), cite.SpellIdentifyBeingCast)
}

func TestComponentsTakeTime(t *testing.T) {
	t.Run(cite.SpellPrepareComponents, func(t *testing.T) {
		for acts, want := range map[int32]int64{0: 1, 1: 0} {
			statue := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30, ComponentActs: acts})
			f := duel(t, fighter("a", "party", statue), fighter("b", "foes", unarmed()))
			f.Must(act("a", "cast", "s", "b"), 4)
			if f.acts("a") != want {
				t.Errorf("bulk %d: %d acts left, want %d", acts, f.acts("a"), want)
			}
		}
		full := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30, ComponentActs: 2})
		f := duel(t, fighter("a", "party", full), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "cast", "s", "b")), cite.ActionFullFrame)
	})
	t.Run("celesia.spell.prepare-components 1-round", func(t *testing.T) {
		slow := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "1-round", Dice: "1d6", RangeFeet: 30, ComponentActs: 1})
		f := duel(t, fighter("a", "party", slow), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "b")) // 1 + 2 acts now, the third of the casting next turn
		f.round()
		f.WantHP("b", 40)
		f.Must(act("a", "continue-casting", "", ""), 4)
		f.WantHP("b", 36)
	})
	t.Run("celesia.injury.disabled-strain quickened", func(t *testing.T) {
		quick := spell(&eventv1.CelesiaSpell{Name: "s", Casting: "standard", Dice: "1d6", RangeFeet: 30, Quickened: true})
		f := duel(t, fighter("a", "party", quick), fighter("b", "foes"))
		f.Hurt("a", -2)
		f.Must(act("a", "cast", "s", "b"), 4)
		f.WantHP("a", -3)
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
		f.Must(act("a", "drop-prone", "", "", withFacts("strenuous", true))) // the game master's word
		f.WantHP("a", -4)
		f.Must(act("a", "speak", "", ""))
		f.WantHP("a", -4)
	})
	t.Run(cite.EquipmentDrawNockArrow, func(t *testing.T) {
		f := duel(t, fighter("a", "party", weapon(longbow(0))), fighter("b", "foes", unarmed(), defends(60)))
		for range 3 {
			f.Must(act("a", "attack", "w", "b"), 2)
		}
		if f.acts("a") != 0 {
			t.Errorf("%d acts left, want 0", f.acts("a"))
		}
	})
	t.Run(cite.ActionFreeAbility, func(t *testing.T) { // celesia.action.free-linked
		f := duel(t, fighter("a", "party", abilities(&eventv1.CelesiaAbility{Name: "flourish", Time: body.TimeFree, Supports: "attack"})), fighter("b", "foes", unarmed()))
		if err := f.Try(act("a", "use-ability", "flourish", "")); err == nil {
			t.Error("before the attack that it goes with")
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		f.Must(act("a", "use-ability", "flourish", ""))
		if f.acts("a") != 2 {
			t.Errorf("%d acts left, want 2", f.acts("a"))
		}
	})
}

func TestImmediateAbilities(t *testing.T) {
	with := func(a *eventv1.CelesiaAbility) *table {
		a.Name, a.Time = "x", body.TimeImmediate
		return duel(t, fighter("a", "party"), fighter("b", "foes", abilities(a)))
	}
	offered := func(f *table) bool {
		if len(f.Decisions) == 0 {
			return false
		}
		for _, o := range f.Decisions[0].Options {
			if o.Id == "ability:x" {
				return true
			}
		}
		return false
	}
	t.Run(cite.ReactionCounter, func(t *testing.T) {
		f := with(&eventv1.CelesiaAbility{Kind: body.KindCounter, Trigger: "attack", Readied: true})
		f.Must(act("a", "attack", "sword", "b"))
		if !offered(f) {
			t.Fatalf("asked %v", f.Decisions)
		}
		f.Answer(body.DecReaction, "ability:x", 2)
		if c := f.Creature("b"); c.Counters[body.CReactions] != 0 || c.Counters[body.CLeft+"x"] != 0 || len(f.Decisions) != 0 {
			t.Error("a reaction and the readied maneuver are spent, nobody is provoked")
		}
		f = with(&eventv1.CelesiaAbility{Kind: body.KindCounter, Trigger: "attack"})
		f.Must(act("a", "attack", "sword", "b"), 2)
		if offered(f) {
			t.Error("known but not readied")
		}
	})
	t.Run(cite.ReactionImmediateAbility, func(t *testing.T) {
		f := with(&eventv1.CelesiaAbility{Trigger: "attack"})
		f.Must(act("a", "attack", "sword", "b"))
		f.Answer(body.DecReaction, "ability:x", 2)
		f.Must(act("a", "sheathe", "sword", ""))
		if len(f.Decisions) != 0 {
			t.Error("an attack of opportunity is left")
		}
		f = with(&eventv1.CelesiaAbility{Trigger: "cast"})
		f.Must(act("a", "attack", "sword", "b"), 2)
		if offered(f) {
			t.Error("set off by something else")
		}
		if err := f.Try(act("b", "use-ability", "x", "")); err == nil {
			t.Error("used as an action")
		}
	})
	t.Run("celesia.reaction.immediate-ability provokes", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", abilities(&eventv1.CelesiaAbility{Name: "x", Time: body.TimeImmediate, Provokes: true})), fighter("c", "party"))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		f.at("c", 10, 0)
		f.start(nil, 19, 10, 5)
		for _, id := range strings.Split("abc", "") {
			f.End(id)
		}
		f.Must(act("a", "attack", "sword", "b"))
		f.Answer(body.DecReaction+"/b", "ability:x")
		if len(f.Decisions) != 1 || f.Decisions[0].Creature != "c" { // not a, whose own turn it is
			t.Fatalf("asked %v", f.Decisions)
		}
		f.Answer(body.DecReaction+"/c", "no", 2)
	})
}
