package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// two is content of two rules, each with an effect: house.t.it and house.t.other.
func two(t testing.TB, first, second string) *effects.Book {
	t.Helper()
	return packed(t, map[string]string{"rules.yaml": "- id: it\n  title: It\n  effects:\n    - " + first + "\n- id: other\n  title: Other\n  effects:\n    - " + second + "\n"})
}

// The hook push: straight away from who has the effect, never of oneself; who stands behind
// ends it at once, half a map is none, and whoever is pushed out of the saddle sits in it no more.
func TestHookPush(t *testing.T) {
	book := ruling(t, `{when: 'self.id == "a"', trigger: hit, hook: {name: push, values: {feet: "15"}}}`)
	t.Run("somebody right behind", func(t *testing.T) {
		f := plain(t, book)
		f.Roller = func(int) int { return 3 }
		f.AddAt(10, 0, fighter("c", "foes"))
		f.Roller = nil
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		f.wantAt("b", 5, 0)
	})
	t.Run("oneself", func(t *testing.T) {
		f := plain(t, ruling(t, `{when: 'self.id == "a"', trigger: hit, whom: self, hook: {name: push, values: {feet: "15"}}}`))
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		f.wantAt("a", 0, 0)
		if slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetMoved() != nil }) {
			t.Error("it is told as moved")
		}
	})
	for name, placed := range map[string][]string{"nobody has a place": nil, "who pushes alone": {"a"}, "who is pushed alone": {"b"}} {
		t.Run(name, func(t *testing.T) {
			f := by(t, book)
			f.add(fighter("a", "party"), fighter("b", "foes", unarmed()), horse(func(s *eventv1.Sheet) { s.Id, s.Side = "m", "foes" }))
			f.set(15, 5, 2)
			f.Resolve(func(r *rules.Resolution) error { return saddle.EnterMounted(r, "b", object("mounted_on", "m")) })
			for _, id := range placed {
				f.at(id, 30, 0)
			}
			f.Must(act("a", "attack", "sword", "b"), 15, 4)
			moved := seen(f, "moved", (*eventv1.Event).GetMoved)
			if len(moved) == 0 || moved[0].Creature != "b" || moved[0].Mode != "push" || moved[0].Feet != 15 {
				t.Errorf("moved %v", moved)
			}
			if body.MountOf(f.Creature("b")) != "" {
				t.Error("it is in the saddle still")
			}
			if at := f.Creature("b").Position; slices.Contains(placed, "b") != (at != nil) {
				t.Errorf("it is at %v", at)
			}
		})
	}
}

// The hook disarm: all that the target holds, or the item named alone.
func TestHookDisarm(t *testing.T) {
	for values, want := range map[string][2]string{
		"":                         {body.PlaceDropped, body.PlaceDropped},
		`, values: {item: dagger}`: {body.PlaceMain, body.PlaceDropped},
		`, values: {item: sword}`:  {body.PlaceDropped, body.PlaceOff},
		`, values: {item: bow}`:    {body.PlaceMain, body.PlaceOff},
	} {
		f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: hit, hook: {name: disarm`+values+`}}`))
		f.add(fighter("a", "party"), fighter("b", "foes", section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
		})))
		f.set(15, 5)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		if got := [2]string{body.Where(f.Creature("b"), "sword"), body.Where(f.Creature("b"), "dagger")}; got != want {
			t.Errorf("%s: sword %s, dagger %s, want %v", values, got[0], got[1], want)
		}
	}
}

// The hook lose-acts: of one source it counts once, two sources both count.
func TestHookLoseActs(t *testing.T) {
	lose := `{when: 'self.id == "a"', trigger: hit, hook: {name: lose-acts}}`
	for name, c := range map[string]struct {
		book *effects.Book
		want int64
	}{
		"one source, two hits": {ruling(t, lose), 2},
		"two sources":          {two(t, lose, lose), 1},
	} {
		f := plain(t, c.book)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		f.End("a")
		if f.acts("b") != c.want {
			t.Errorf("%s: %d acts, want %d", name, f.acts("b"), c.want)
		}
		f.End("b")
		f.End("a")
		if f.acts("b") != 3 {
			t.Errorf("%s: %d acts in the turn after", name, f.acts("b"))
		}
	}
}

// The hooks cripple and bleed: who is immune to critical hits takes the injury that is named alone,
// and who is immune to bleeding does not bleed, which everyone is told.
func TestHooksAndImmunities(t *testing.T) {
	build := func(t *testing.T, hook string, immune ...string) *table {
		f := by(t, ruling(t, `{when: 'self.id == "a"', trigger: hit, hook: `+hook+`}`))
		f.add(fighter("a", "party"), fighter("b", "foes", immuneTo(immune...)))
		return f.set(15, 5)
	}
	for name, c := range map[string]struct {
		hook   string
		immune []string
		faces  []int
		want   int
	}{
		"a row":                   {`{name: cripple, values: {row: scar}}`, nil, []int{15, 4}, 1},
		"a row, immune":           {`{name: cripple, values: {row: scar}}`, []string{body.ImmuneCritical}, []int{15, 4}, 1},
		"by a roll":               {`{name: cripple}`, nil, []int{15, 4, 3}, 1},
		"by a roll, immune":       {`{name: cripple}`, []string{body.ImmuneCritical}, []int{15, 4}, 0},
		"by a roll, other immune": {`{name: cripple}`, []string{body.ImmuneBleed}, []int{15, 4, 3}, 1},
	} {
		f := build(t, c.hook, c.immune...)
		f.Must(act("a", "attack", "sword", "b"), c.faces...)
		if n := len(f.Creature("b").Injuries); n != c.want {
			t.Errorf("%s: %d injuries, want %d", name, n, c.want)
		}
	}
	for immune, bleeds := range map[string]int64{body.ImmuneCritical: 1, body.ImmuneBleed: 0} {
		f := build(t, `{name: bleed}`, immune)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		if f.Creature("b").Counters[body.CBleed] != bleeds {
			t.Errorf("immune to %s: bleeds %d, want %d", immune, f.Creature("b").Counters[body.CBleed], bleeds)
		}
		if told := f.noted(it); told != (bleeds == 0) {
			t.Errorf("immune to %s: told %t", immune, told)
		}
	}
}

// A condition of content that is laid again by the same begins anew; that of another bearer, or
// of another rule, or of another sort, is another.
func TestConditionsOfContentLaidAgain(t *testing.T) {
	lay := `{when: 'self.side == "party"', trigger: hit, condition: {condition: shaken, rounds: "1"}}`
	for name, c := range map[string]struct {
		book  *effects.Book
		by    []string
		count int
	}{
		"twice by one":              {ruling(t, lay), []string{"a", "a"}, 1},
		"by two":                    {ruling(t, lay), []string{"a", "c"}, 2},
		"by two rules of one":       {two(t, lay, lay), []string{"a"}, 2},
		"two conditions of one":     {two(t, lay, `{when: 'self.side == "party"', trigger: hit, condition: {condition: sickened, rounds: "1"}}`), []string{"a", "a"}, 1},
		"by two rules of one twice": {two(t, lay, lay), []string{"a", "a"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := by(t, c.book)
			f.add(fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "party"))
			f.set(15, 10, 5)
			for i, id := range c.by {
				if i > 0 && id != c.by[i-1] {
					f.End("a")
					f.End("b")
				}
				f.Must(act(id, "attack", "sword", "b"), 15, 4)
			}
			want := c.count
			if len(c.by) == 2 && c.by[0] != c.by[1] {
				// The first is over with the next turn of who laid it; c's lasts on.
				f.End("c")
				want--
			}
			if n := f.count("b", body.CondShaken); n != want {
				t.Errorf("shaken %d times, want %d: %v", n, want, f.Creature("b").Conditions)
			}
		})
	}
}
