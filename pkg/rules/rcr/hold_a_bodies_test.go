package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bursts gives a creature a death burst of 1d6 fire within so many feet.
func bursts(feet int32) func(*eventv1.Sheet) {
	return feature(&eventv1.RcrFeature{Name: "death burst", Feet: feet, Dice: "1d6", Type: "fire", Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 30}})
}

// kill has a creature take more than it has.
func (f *table) kill(id string) {
	f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: id, Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 200, Type: "slashing"}}})
	f.Must(act("z", "called-check", "", "", withParameters("skill", "athletics"))) // the act after which it comes at the latest
}

// rcr.trait.death-burst: whoever dies of a burst bursts in turn, in the order of the ids; who has
// no place is not within any distance; a distance that the sheet gives is that.
func TestBurstsInTurn(t *testing.T) {
	for name, c := range map[string]struct {
		feet   int32
		hp     int32 // of b, who bursts as well
		placed bool  // c, beside b, has a place
		hurt   []string
	}{
		"b lives":           {0, 40, true, []string{"b"}},
		"b dies and bursts": {0, 1, true, []string{"b", "c"}},
		"c is nowhere":      {0, 1, false, []string{"b"}},
		"within a foot":     {1, 40, true, nil},
		"within 10":         {10, 40, true, []string{"b", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "monsters", bursts(c.feet)), 0, 0)
			f.place(fighter("b", "monsters", bursts(0)), 5, 0)
			if c.placed {
				f.place(fighter("c", "monsters"), 10, 0)
			} else {
				f.add(fighter("c", "monsters"))
			}
			f.place(fighter("z", "party"), 90, 90)
			f.start(nil, 5, 4, 3, 20)
			f.Hurt("b", c.hp)
			f.Hurt("c", 39)
			f.falls(11)
			f.kill("a")
			for id, hp := range map[string]int32{"b": c.hp, "c": 39, "z": 40} {
				if got := f.Creature(id).GetHp() < hp; got != slices.Contains(c.hurt, id) {
					t.Errorf("%s is hurt: %v", id, got)
				}
			}
		})
	}
}

// rcr.trait.death-burst: where it has no place the log says that it bursts, and which saving throws
// are called for; nobody is harmed.
func TestBurstWithoutPlaces(t *testing.T) {
	for feet, want := range map[int32]string{0: "a explodes: dexterity saving throws, DC 30, within 5 feet", 20: "a explodes: dexterity saving throws, DC 30, within 20 feet"} {
		f := newTable(t).add(fighter("a", "monsters", bursts(feet)), fighter("b", "party"), fighter("z", "party")).start(nil, 5, 4, 20)
		f.falls(11)
		f.kill("a")
		if got := f.byNote(cite.TraitDeathBurst); len(got) != 1 || got[0] != want {
			t.Errorf("told %q, want %q", got, want)
		}
		f.WantHP("b", 40)
	}
}

// rcr.trait.death-burst: who has come back to life bursts when it dies again.
func TestBurstsOfTwoDeaths(t *testing.T) {
	f := newTable(t)
	f.place(fighter("a", "monsters", bursts(0)), 0, 0)
	f.place(fighter("b", "party"), 5, 0)
	f.place(fighter("z", "party"), 90, 90)
	f.start(nil, 5, 4, 20)
	f.falls(11)
	f.kill("a")
	f.WantHP("b", 37)
	f.kill("a")
	f.WantHP("b", 37) // dead it bursts no more
	f.Resolve(func(r *resolution) error {
		r.Emit(&eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}, &eventv1.LifeChanged{Creature: "a", Status: eventv1.LifeStatus_LIFE_STATUS_ALIVE})
		return nil
	})
	f.Hurt("a", 40)
	f.Must(act("z", "called-check", "", "", withParameters("skill", "athletics")))
	f.WantHP("b", 37)
	f.kill("a")
	f.WantHP("b", 34)
}

// rcr.trait.death-burst, rcr.trait.fire-aura, rcr.trait.barbed-hide, rcr.trait.heated-body,
// rcr.trait.stench: a body harms nobody by a trait for which the sheet gives no numbers.
func TestBodiesWithoutNumbers(t *testing.T) {
	save := &eventv1.RcrSave{Ability: "constitution", Dc: 30}
	for _, name := range []string{"death burst", "death throes", body.TraitFireAura, body.TraitBarbedHide, body.TraitHeatedBody, body.TraitStench} {
		for missing, x := range map[string]*eventv1.RcrFeature{
			"nothing":          {Dice: "1d6", Type: "fire", Save: save},
			"the dice":         {Type: "fire", Save: save},
			"the type":         {Dice: "1d6", Save: save},
			"the saving throw": {Dice: "1d6", Type: "fire"},
		} {
			t.Run(name+" without "+missing, func(t *testing.T) {
				x.Name = name
				harms := missing == "nothing"
				switch name {
				case body.TraitStench:
					harms = missing != "the saving throw"
				case body.TraitFireAura, body.TraitBarbedHide, body.TraitHeatedBody:
					harms = harms || missing == "the saving throw"
				}
				f := newTable(t)
				f.place(fighter("a", "monsters", feature(x)), 0, 0)
				f.place(fighter("b", "party"), 60, 0)
				f.place(fighter("z", "party"), 90, 90)
				f.start(nil, 5, 20, 10)
				f.Place("b", 5, 0)
				f.Must(afflicting("a", body.CondGrappled, "b"))
				f.falls(11)
				f.Must(act("b", "attack", "sword", "a", stated("advantage:test"))) // heat
				f.falls(15)
				f.Must(act("b", "called-check", "", "", withParameters("skill", "athletics")))
				f.Count("b", body.CAction, 1)
				f.Must(act("b", "attack", "sword", "a"))
				f.End("b")
				f.End("z") // barbs and fire
				f.falls(1)
				f.End("a") // stench
				f.kill2("a")
				c := f.Creature("b")
				if got := c.GetHp() < 40 || body.Has(c, body.CondPoisoned); got != harms {
					t.Errorf("it harms: %v", got)
				}
			})
		}
	}
}

// kill2 kills a creature in the turn of b.
func (f *table) kill2(id string) {
	f.falls(1)
	f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: id, Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 200, Type: "slashing"}}})
	f.Must(act("b", "called-check", "", "", withParameters("skill", "athletics")))
}

// rcr.trait.fire-aura, rcr.trait.barbed-hide: at the start of the turn of one that lives, be it
// dying; who dies as its turn begins burns nobody any more.
func TestFireOfTheDying(t *testing.T) {
	for name, c := range map[string]struct {
		failures int
		points   int32
	}{"it goes on dying": {0, 6}, "it dies": {2, 0}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", feature(&eventv1.RcrFeature{Name: body.TraitFireAura, Dice: "1d6", Type: "fire"}), feature(&eventv1.RcrFeature{Name: body.TraitBarbedHide, Dice: "1d6", Type: "fire"})), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.start(nil, 5, 20)
			f.falls(5)
			f.Hurt("a", 1)
			f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 3, Type: "slashing"}}})
			for len(f.Decisions) > 0 {
				f.Choose(f.Decisions[0].DefaultOption)
			}
			f.Count("a", body.CDeathFailures, c.failures)
			f.Must(afflicting("a", body.CondGrappled, "b"))
			rolled := 0
			f.Roller = func(sides int) int {
				if sides != 20 {
					return 3
				}
				if rolled++; rolled == 1 {
					return 20 // the next turn after this one is that of b
				}
				return 5
			}
			f.End("b")
			if dead := body.Dead(f.Creature("a")); dead != (c.failures == 2) {
				t.Fatalf("dead: %v, %v", dead, f.Creature("a"))
			}
			f.WantHP("b", 40-c.points)
		})
	}
}

// rcr.trait.barbed-hide: it hurts a creature that grapples it, not one that holds it otherwise, and
// the dead not at all.
func TestWhoHoldsBarbs(t *testing.T) {
	for name, c := range map[string]struct {
		condition, source string
		do                func(f *table)
		points            int32
	}{
		"it grapples":      {body.CondGrappled, "b", nil, 3},
		"it restrains":     {body.CondRestrained, "b", nil, 0},
		"another grapples": {body.CondGrappled, "z", nil, 0},
		"nobody known":     {body.CondGrappled, "", nil, 0},
		"it has died":      {body.CondGrappled, "b", func(f *table) { f.Resolve(func(r *resolution) error { die(r, "b"); return nil }) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "monsters", feature(&eventv1.RcrFeature{Name: body.TraitBarbedHide, Dice: "1d6", Type: "fire"})), 0, 0)
			f.place(fighter("b", "party"), 5, 0)
			f.place(fighter("z", "party"), 0, 5)
			f.start(nil, 5, 4, 20)
			f.falls(5)
			if c.source != "" {
				f.Must(afflicting("a", c.condition, c.source))
			} else {
				f.Afflict("a", c.condition)
			}
			if c.do != nil {
				c.do(f)
			}
			f.End("z")
			if slices.Contains(f.State.Active, "b") {
				f.End("b")
			}
			f.WantHP("b", 40-c.points)
		})
	}
}

// rcr.trait.heated-body, rcr.trait.fire-aura: each burns whoever hits it; the dead burn no more.
func TestBurntTwice(t *testing.T) {
	for hp, want := range map[int32]int{40: 2, 3: 1} {
		f := newTable(t)
		f.place(fighter("a", "party", feature(&eventv1.RcrFeature{Name: body.TraitHeatedBody, Dice: "1d6", Type: "fire"}), feature(&eventv1.RcrFeature{Name: body.TraitFireAura, Dice: "1d6", Type: "fire"})), 0, 0)
		f.place(fighter("b", "monsters"), 5, 0)
		f.start(nil, 5, 20)
		f.Hurt("b", hp)
		f.falls(15)
		f.Must(act("b", "attack", "sword", "a"))
		burns := 0
		for _, r := range f.Rolls("/burnt/damage") {
			if strings.HasPrefix(r.Label, "attack") {
				burns++
			}
		}
		if burns != want {
			t.Errorf("with %d hit points: burnt %d times, want %d", hp, burns, want)
		}
	}
}
