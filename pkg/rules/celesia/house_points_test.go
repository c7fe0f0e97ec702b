package celesia

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/movement"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// plain is a fight of a, who has a bow and a touch spell of each sort, against b.
func plain(t testing.TB, book *effects.Book) *table {
	t.Helper()
	f := by(t, book)
	f.AddAt(0, 0, fighter("a", "party", hitPoints(100), section(func(c *eventv1.CelesiaSheet) {
		c.Weapons[0].AttackBonus = 0
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "spit", Kind: "natural-ranged", Dice: "1d6", Type: "acid", RangeFeet: 30, Limb: "mouth"})
		c.Spells = []*eventv1.CelesiaSpell{{Name: "jolt", Casting: "standard", Attack: "melee-touch", Dice: "1d6", Type: "electricity", CasterLevel: 1, Supernatural: true},
			{Name: "burst", Casting: "standard", Dice: "1d6", Type: "fire", CasterLevel: 1, RangeFeet: 30, Supernatural: true},
			{Name: "wave", Casting: "standard", Dice: "1d6", Type: "cold", CasterLevel: 1, RangeFeet: 30, Supernatural: true, Save: "reflex", SaveDc: 10, SaveEffect: "half"}}
	})))
	f.AddAt(5, 0, fighter("b", "foes", unarmed(), hitPoints(100), section(func(c *eventv1.CelesiaSheet) { c.TouchDefense = 24 })))
	f.set(15, 5)
	f.Hurt("a", 99) // so that content can tell what comes after the first roll of initiative
	f.Hurt("b", 99)
	return f
}

// rolled makes the roll of a point by a, with faces, and returns it.
func (f *table) rolled(point string, faces ...int) *eventv1.Roll {
	f.T.Helper()
	whole, part, _ := strings.Cut(point, "/")
	probe := func(do func(r *rules.Resolution, a, b *eventv1.Creature)) *eventv1.Roll {
		f.Resolve(func(r *rules.Resolution) error {
			do(r, r.Creature("a"), r.Creature("b"))
			return nil
		}, faces...)
		return f.Roll("probe")
	}
	switch whole {
	case house.PointAttack:
		switch part {
		case "melee":
			f.Must(act("a", "attack", "sword", "b"), faces...)
		case "ranged":
			f.Must(act("a", "attack", "spit", "b"), faces...)
		case "spell":
			f.Must(act("a", "cast", "jolt", "b"), faces...)
		}
		return f.Roll("/to-hit")
	case house.PointSave:
		return probe(func(r *rules.Resolution, a, _ *eventv1.Creature) {
			strike.RollSaving(r, "probe", a, nil, part, 10, "probe", nil, "")
		})
	case body.PointManeuver:
		return probe(func(r *rules.Resolution, a, b *eventv1.Creature) {
			strike.RollManeuverCheck(r, "probe", part, a, b, checks.ManeuverDefense(b, false), nil, "")
		})
	case house.PointInitiative:
		f.Resolve(func(r *rules.Resolution) error { strike.RollPlaces(r, []string{"a"}, nil, nil); return nil }, faces...)
		return f.Roll("initiative/a")
	}
	switch part {
	case "concentration":
		f.Resolve(func(r *rules.Resolution) error {
			checks.D20{Label: "probe", Creature: "a", Point: house.PointCheck + body.PartConcentration}.Roll(r)
			return nil
		}, faces...)
		return f.Roll("probe")
	case "constitution":
		f.Count("a", body.CRun, 12)
		f.Resolve(func(r *rules.Resolution) error { movement.Endures(r, "a"); return nil }, faces...)
		return f.Roll("endurance/a")
	case "strength", "dexterity", "intelligence", "wisdom", "charisma":
		f.Must(act("a", "ability-check", "", "", withParameters("ability", part, "dc", 12)), faces...)
		return f.Roll("check/" + part)
	}
	return probe(func(r *rules.Resolution, a, _ *eventv1.Creature) {
		strike.RollSkillCheck(r, "probe", a, body.RollKind{Name: part}, 10, "probe", nil, nil, "")
	})
}

// Every roll that content may change is changed: by a number, by advantage, by
// dice that are rolled again; and by nothing for who does not have it.
func TestEveryRollOfContent(t *testing.T) {
	support := System{}.Content()
	bonus := func(point string) int32 { // what a adds without content
		switch whole, part, _ := strings.Cut(point, "/"); {
		case whole == house.PointAttack, whole == body.PointManeuver:
			return 5
		case part == "constitution":
			return 1
		}
		return 0
	}
	for _, point := range support.Kinds[effects.KindReroll] {
		if strings.HasPrefix(point, house.PointDamage) {
			continue
		}
		for _, tc := range []struct {
			kind   effects.Kind
			effect string
			faces  []int
			want   int32
		}{
			{effects.KindModifier, `modifier: {to: ` + point + `, amount: "3"}`, []int{2}, 2 + 3},
			{effects.KindEdge, `edge: {to: ` + point + `, direction: advantage}`, []int{2, 4}, 4},
			{effects.KindEdge, `edge: {to: ` + point + `, direction: disadvantage}`, []int{4, 2}, 2},
			{effects.KindReroll, `reroll: {to: ` + point + `, up_to: 2}`, []int{2, 4}, 4},
			{effects.KindReroll, `reroll: {to: ` + point + `, at_least: 4}`, []int{3}, 4},
		} {
			if !slices.Contains(support.Kinds[tc.kind], point) {
				t.Errorf("%s at %s is not said", tc.kind, point)
			}
			f := plain(t, ruling(t, `{when: 'self.id == "a" && self.hp < 100', `+tc.effect+`}`))
			if got, want := f.rolled(point, tc.faces...).Total, tc.want+bonus(point); got != want {
				t.Errorf("%s: %d, want %d", tc.effect, got, want)
			}
			f.wantCited(it)
			if tc.kind != effects.KindModifier {
				continue
			}
			g := plain(t, ruling(t, `{when: 'self.id == "b" && self.hp < 100', `+tc.effect+`}`))
			if got, want := g.rolled(point, 3).Total, 3+bonus(point); got != want {
				t.Errorf("%s of another: %d, want %d", tc.effect, got, want)
			}
		}
	}
}

// Every number that content may change: defences, by what is set and what is
// added; attacks against who has the effect; damage.
func TestEveryNumberOfContent(t *testing.T) {
	for _, tc := range []struct {
		effect  string
		point   string
		faces   []int
		defence int32
	}{
		{`modifier: {to: armor-class, amount: "3"}`, "attack/melee", []int{2}, 15 + 3},
		{`modifier: {to: armor-class/full, amount: "3"}`, "attack/ranged", []int{2}, 15 + 3},
		{`modifier: {to: armor-class/touch, amount: "3"}`, "attack/melee", []int{2}, 15},
		{`modifier: {to: armor-class/touch, amount: "3"}`, "attack/spell", []int{2}, 24 + 3},
		{`set: {value: armor-class/full, amount: base + 4}`, "attack/melee", []int{2}, 15 + 4},
		{`set: {value: armor-class/touch, amount: "28"}`, "attack/spell", []int{2}, 28},
		{`modifier: {to: maneuver-defense, amount: "5"}`, "maneuver/trip", []int{2}, 15 + 5},
		{`set: {value: maneuver-defense, amount: "22"}`, "maneuver/trip", []int{2}, 22},
		{`edge: {to: attacked, direction: disadvantage}`, "attack/melee", []int{7, 2}, 15},
		{`edge: {to: attacked/melee, direction: disadvantage}`, "attack/melee", []int{7, 2}, 15},
		{`edge: {to: attacked/ranged, direction: disadvantage}`, "attack/ranged", []int{7, 2}, 15},
		{`edge: {to: attacked/spell, direction: disadvantage}`, "attack/spell", []int{7, 2}, 24},
	} {
		f := plain(t, ruling(t, `{when: 'self.id == "b" && self.hp < 100', `+tc.effect+`}`))
		if got := f.rolled(tc.point, tc.faces...); got.Target.Value != tc.defence || got.Total != 2+5 {
			t.Errorf("%s: %d against %d, want 7 against %d", tc.effect, got.Total, got.Target.Value, tc.defence)
		}
	}
	// What is set stands in place of the sheet's number: flat-footed counts on top.
	f := by(t, ruling(t, `set: {value: armor-class/full, amount: "18"}`))
	f.add(fighter("a", "party"), fighter("b", "foes", section(func(s *eventv1.CelesiaSheet) { s.DefenseDexterity = 3 }))).start(nil, 15, 5)
	f.Must(act("a", "attack", "sword", "b", withFacts("distance", 5)), 2)
	if got := f.Roll("/to-hit").Target.Value; got != 18-3 {
		t.Errorf("flat-footed: %d, want 15", got)
	}
	for _, tc := range []struct {
		effect, action, item string
		faces                []int
		want                 int32
	}{
		{`modifier: {to: damage/melee, amount: "3"}`, "attack", "sword", []int{15, 4}, 7},
		{`modifier: {to: damage/melee, amount: "-9"}`, "attack", "sword", []int{15, 4}, 0},
		{`modifier: {to: damage/ranged, dice: 1d4, amount: "1", type: cold}`, "attack", "spit", []int{15, 2, 4}, 4 + 3},
		{`modifier: {to: damage/melee, dice: -1d4}`, "attack", "sword", []int{15, 2, 5}, 3},
		{`modifier: {to: damage/spell, amount: "2"}`, "cast", "burst", []int{5}, 7},
		{`modifier: {to: damage/spell, dice: 1d6, type: cold}`, "cast", "burst", []int{5, 3}, 8},
		{`reroll: {to: damage/melee, up_to: 2}`, "attack", "sword", []int{15, 2, 6}, 6},
		{`reroll: {to: damage/ranged, at_least: 4}`, "attack", "spit", []int{15, 2}, 4},
		{`reroll: {to: damage/spell, up_to: 1}`, "cast", "burst", []int{1, 6}, 6},
		{`critical_range: {from: from - 3}`, "attack", "sword", []int{17}, 16},
	} {
		f := plain(t, ruling(t, `{when: 'self.id == "a" && self.hp < 100', `+tc.effect+`}`))
		f.Must(act("a", tc.action, tc.item, "b"), tc.faces...)
		if got := 99 - f.Creature("b").GetHp(); got != tc.want {
			t.Errorf("%s: %d points, want %d", tc.effect, got, tc.want)
		}
		f.wantCited(it)
	}
}
