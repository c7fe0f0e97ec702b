package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.condition.staggered-by-nonlethal, celesia.condition.unconscious-by-nonlethal: half is
// taken exactly, with the smallest numbers too; without any tally nobody is staggered by it.
func TestSmallTallies(t *testing.T) {
	for _, c := range []struct {
		hp              int32
		nonlethal, burn int64
		staggered, out  bool
	}{{1, 0, 0, false, false}, {1, 1, 0, true, false}, {2, 1, 0, true, false}, {3, 1, 0, false, false}, {3, 2, 0, true, false}, {3, 1, 1, true, false},
		{2, 1, 1, true, false}, {2, 2, 1, true, true}, {1, 0, 2, true, true}, {0, 0, 0, false, false}, {0, 1, 0, true, true}, {-1, 0, 0, false, false}} {
		f := patient(t, 40, 40)
		f.Put("p", &eventv1.Vitals{Hp: &c.hp, Counters: map[string]int64{body.CNonlethal: c.nonlethal, body.CBurn: c.burn}})
		p := f.Creature("p")
		if got := body.Has(p, body.CondUnconscious); got != c.out {
			t.Errorf("%d points, %d and %d: unconscious %v, want %v", c.hp, c.nonlethal, c.burn, got, c.out)
		}
		if got := body.Has(p, body.CondStaggered); got != (c.staggered && !c.out) {
			t.Errorf("%d points, %d and %d: staggered %v, want %v", c.hp, c.nonlethal, c.burn, got, c.staggered && !c.out)
		}
		if c.hp <= 0 && !c.out && p.Life != limping {
			t.Errorf("%d points: %v", c.hp, p.Life)
		}
	}
}

// celesia.injury.disabled-one-less-act, celesia.healing.above-zero-restores: within one turn an
// act is lost with the last hit point and back with the first, less those spent.
func TestActsComeAndGoWithHitPoints(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	f.Must(act("a", "step", "", "", way(0, 5)))
	f.Hurt("a", -3)
	f.wantActs("a", 1, cite.InjuryDisabledOneLessAct)
	f.Hurt("a", 1)
	f.wantActs("a", 2, cite.TurnThreeActs)
	f.Must(act("a", "step", "", "", way(0, 0)))
	f.Must(act("a", "step", "", "", way(0, 5)))
	f.Hurt("a", -3) // two of three acts are spent and more: none is owed
	if f.acts("a") != 0 {
		t.Errorf("%d acts", f.acts("a"))
	}
	f.Must(act("a", "drop-item", "sword", "")) // free, and no strain
	f.WantHP("a", -3)
	f.WantActive("a")
}

// celesia.damage.degrees-weapon: the parts of a DV are those that the sheet tells apart.
func TestPartsOfADefense(t *testing.T) {
	for name, c := range map[string]struct {
		defense, touch, dex int32
		want                map[string]int32
	}{
		"with armour":        {18, 12, 2, map[string]int32{"without armour": 10, "armour": 6, "Dexterity": 2}},
		"no touch DV said":   {18, 0, 2, map[string]int32{"defense on the sheet": 16, "Dexterity": 2}},
		"no armour":          {12, 12, 2, map[string]int32{"defense on the sheet": 10, "Dexterity": 2}},
		"a better touch DV":  {12, 14, 0, map[string]int32{"defense on the sheet": 12}},
		"without a Dex part": {17, 10, 0, map[string]int32{"without armour": 10, "armour": 7}},
	} {
		s := fighter("a", "party", section(func(s *eventv1.CelesiaSheet) {
			s.Defense, s.TouchDefense, s.DefenseDexterity = c.defense, c.touch, c.dex
		}))
		dv := strike.Defense(&eventv1.Creature{Id: "a", Sheet: s}, false)
		sum := int32(0)
		for _, m := range dv.Modifiers {
			sum += m.Value
			if c.want[m.Source] != m.Value {
				t.Errorf("%s: %s %d, want %d", name, m.Source, m.Value, c.want[m.Source])
			}
		}
		if len(dv.Modifiers) != len(c.want) || sum != dv.Value || dv.Value != c.defense {
			t.Errorf("%s: DV %d of %v", name, dv.Value, dv.Modifiers)
		}
	}
}

// celesia.reaction.counter, celesia.reaction.immediate-ability: each is offered by its rule.
func TestImmediateAbilitiesAreOfferedByTheirRule(t *testing.T) {
	able := abilities(&eventv1.CelesiaAbility{Name: "riposte", Time: body.TimeImmediate, Kind: body.KindCounter, Trigger: "attack", Readied: true},
		&eventv1.CelesiaAbility{Name: "veil", Time: body.TimeImmediate, Trigger: "attack", Uses: 1})
	f := duel(t, fighter("a", "party", able), fighter("b", "foes"))
	f.End("a")
	f.Must(act("b", "attack", "sword", "a"))
	rules := map[string]string{}
	for _, o := range f.Decisions[0].Options {
		rules[o.Id] = o.Rule
	}
	if rules["ability:riposte"] != cite.ReactionCounter || rules["ability:veil"] != cite.ReactionImmediateAbility {
		t.Errorf("offered by %v", rules)
	}
	f.Answer(body.DecReaction, "ability:riposte", 2)
	f.Must(act("b", "attack", "sword", "a"), 2) // the reaction is used, and the counter
	if n := f.Creature("a").Counters[body.CLeft+"riposte"]; n != 0 {
		t.Errorf("%d left of the counter", n)
	}
}

// celesia.equipment.shield: only what is on the arm is dropped, by whoever is free to.
func TestDroppingAShield(t *testing.T) {
	shield := carrying(&eventv1.CelesiaThing{Name: "buckler", Kind: body.ThingShield, ShieldBonus: 2, Place: body.PlaceOff})
	f := duel(t, fighter("a", "party", shield), fighter("b", "foes", unarmed()))
	if got := strike.Defense(f.Creature("a"), false).Value; got != 17 {
		t.Errorf("DV %d with it, want 17", got)
	}
	wantField(t, f.Try(act("a", "drop-shield", "nothing", "")), "take.item")
	wantReason(t, f.Try(act("a", "ready-shield", "buckler", "")), "NOT_THERE", cite.EquipmentShield)
	f.Must(act("a", "drop-shield", "buckler", ""))
	if got := strike.Defense(f.Creature("a"), false).Value; got != 15 {
		t.Errorf("DV %d without it, want 15", got)
	}
	wantReason(t, f.Try(act("a", "drop-shield", "buckler", "")), "NOT_THERE", cite.EquipmentShield)
	wantReason(t, f.Try(act("a", "ready-shield", "buckler", "")), "NOT_THERE", cite.EquipmentShield)
	f.Must(act("a", "pick-up", "buckler", ""))
	g := duel(t, fighter("a", "party", shield), fighter("b", "foes", unarmed()))
	tiedUp("a")(g)
	wantReason(t, g.Try(act("a", "drop-shield", "buckler", "")), "PINNED", cite.ManeuverPin)
}

// A table that does not hold names the row, the first being 1, and says when it is for
// want of a number.
func TestRowsAreNamed(t *testing.T) {
	const head, good = "from,to,row,title,negated,rule\n", "1,4,scar,Scar,5,r\n"
	for text, want := range map[string]string{head + "x,4,scar,Scar,5,r\n": "row 1: not numbers", head + good + "5,x,major-scar,Major,10,r\n": "row 2: not numbers", head + good + "5,8,major-scar,Major,x,r\n": "row 2: not numbers",
		head + good + "9,8,major-scar,Major,10,r\n": "row 2", head + "0,4,scar,Scar,5,r\n": "row 1", head + "1,4,scar,Scar,0,r\n": "row 1", head + "1,21,scar,Scar,5,r\n": "row 1", head + "1,4,,Scar,5,r\n": "row 1"} {
		if _, err := body.ReadCripples(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// celesia.death.stabilize-continuous-damage: of two sorts of continuous damage each is told
// only where there is some.
func TestOnlyWhatBleedsIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		bleed, other int64
		want         []string
	}{"neither": {0, 0, nil}, "bleeding": {2, 0, []string{"bleeding"}}, "acid": {0, 3, []string{"continuous damage"}}, "both": {1, 1, []string{"bleeding", "continuous damage"}}} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Put("b", &eventv1.Vitals{Injuries: several(5, "head", "", 0), Counters: map[string]int64{body.CBleed: c.bleed, "continuous": c.other}})
		f.End("a", 100)
		var got []string
		for _, e := range f.Events {
			if d := e.GetDamage(); d != nil && d.Target == "b" {
				got = append(got, d.Cause)
				if d.Amount == 0 {
					t.Errorf("%s: nothing of %s is told", name, d.Cause)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: told of %v, want %v", name, got, c.want)
		}
		f.WantHP("b", 40-int32(c.bleed+c.other))
	}
}
