package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestMultiweapon(t *testing.T) {
	hand := func(name, hand string, light bool) *eventv1.CelesiaWeapon {
		return &eventv1.CelesiaWeapon{Name: name, Kind: "melee", Dice: "1d8", Hands: 1, Light: light, Hand: hand}
	}
	armed := func(list ...*eventv1.CelesiaWeapon) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) { c.Weapons = list })
	}
	for _, tc := range []struct {
		rule    string
		off     *eventv1.CelesiaWeapon
		feats   []string
		dv      int32
		faces   []int
		totals  []int32
		outcome []string
	}{
		{"celesia.attack.multiweapon normal", hand("off", "off", false), nil, 12, []int{9, 1, 12}, []int32{12, 11}, []string{"b hit", "b miss"}},
		{"celesia.attack.multiweapon light", hand("off", "off", true), nil, 12, []int{7, 1, 11, 1}, []int32{12, 12}, []string{"b hit", "b hit"}},
		{"celesia.attack.multiweapon feat", hand("off", "off", false), []string{body.FeatMultiweapon}, 12, []int{6, 7, 1}, []int32{11, 12}, []string{"b miss", "b hit"}},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", attacks(9), armed(hand("main", "main", false), tc.off), features(tc.feats...)), fighter("b", "foes", defends(tc.dv)))
			f.Must(act("a", "multiweapon", "main", "b"), tc.faces...)
			for i, r := range f.Rolls("/to-hit") {
				if r.Total != tc.totals[i] {
					t.Errorf("attack %d: total %d, want %d", i+1, r.Total, tc.totals[i])
				}
			}
			f.wantStruck(tc.outcome...)
			if len(f.Decisions) > 0 || f.acts("a") != 2 {
				t.Errorf("1 act, nothing provoked: %d acts", f.acts("a"))
			}
		})
	}
	t.Run("celesia.attack.multiweapon three arms", func(t *testing.T) {
		four := section(func(c *eventv1.CelesiaSheet) {
			c.Body = &eventv1.CelesiaBody{Hands: 3, Arms: 3, Legs: 2, Head: true}
			c.Weapons = []*eventv1.CelesiaWeapon{hand("sword", "main", false),
				{Name: "left dagger", Kind: "natural", Dice: "1d4", Limb: "hand 2"}, {Name: "third dagger", Kind: "natural", Dice: "1d4", Limb: "hand 3"}}
		})
		f := duel(t, fighter("a", "party", attacks(9), four, features(body.FeatMultiweapon)), fighter("b", "foes", defends(14)))
		f.Must(act("a", "multiweapon", "sword", "b", withParameters("offs", []string{"left dagger", "third dagger"})), 7, 1, 8, 1, 6)
		f.wantStruck("b hit", "b hit", "b miss")
		for i, want := range []int32{14, 15, 13} {
			if got := f.Rolls("/to-hit")[i].Total; got != want {
				t.Errorf("attack %d: %d, want %d", i+1, got, want)
			}
		}
	})
	t.Run("celesia.attack.multiweapon some off hands light", func(t *testing.T) {
		if got := [2]manners.MultiRow{manners.MultiPenalty(nil, false, false), manners.MultiPenalty(nil, true, false)}; got[0].Main != -6 || got[0].Off != -10 || got[1].Main != -4 || got[1].Off != -8 {
			t.Errorf("%v", got)
		}
		claw := &eventv1.CelesiaWeapon{Name: "claw", Kind: "natural", Dice: "1d6", Limb: "paw"}
		f := duel(t, fighter("a", "party", attacks(9), armed(hand("main", "main", false), hand("off", "off", false), claw)), fighter("b", "foes", defends(40)))
		f.Must(act("a", "multiweapon", "main", "b", withParameters("offs", []string{"off", "claw"})), 10, 10, 10)
		for i, want := range []int32{13, 9, 11} { // main -6, sword -10, claw -8
			if got := f.Rolls("/to-hit")[i].Total; got != want {
				t.Errorf("attack %d: %d, want %d", i+1, got, want)
			}
		}
	})
	t.Run(cite.AttackNaturalLight, func(t *testing.T) {
		claw := &eventv1.CelesiaWeapon{Name: "claw", Kind: "natural", Dice: "1d6", Limb: "left-hand"}
		f := duel(t, fighter("a", "party", attacks(9), armed(hand("sword", "main", false), claw)), fighter("b", "foes", defends(40)))
		f.Must(act("a", "multiweapon", "sword", "b"), 10, 10)
		if a, b := f.Rolls("/to-hit")[0].Total, f.Rolls("/to-hit")[1].Total; a != 15 || b != 11 { // -4 and -8
			t.Errorf("totals %d and %d", a, b)
		}
	})
	t.Run(cite.AttackNaturalTwoWeapon, func(t *testing.T) {
		natural := func(name, limb string) *eventv1.CelesiaWeapon {
			return &eventv1.CelesiaWeapon{Name: name, Kind: "natural", Dice: "1d4", Limb: limb}
		}
		fist := &eventv1.CelesiaWeapon{Name: "fist", Kind: "unarmed", Dice: "1d3", Nonlethal: true}
		beast := armed(natural("bite", "mouth"), natural("tail", "tail"), natural("left claw", "left-hand"), natural("right claw", "right-hand"),
			hand("sword", "main", true), fist)
		for _, pair := range [][2]string{{"bite", "tail"}, {"left claw", "right claw"}, {"sword", "left claw"}, {"bite", "fist"}} {
			f := duel(t, fighter("a", "party", beast, features(body.FeatMultiweapon)), fighter("b", "foes", defends(40)))
			f.Must(act("a", "multiweapon", pair[0], "b", withParameters("off", pair[1])), 2, 2)
		}
		f := duel(t, fighter("a", "party", beast), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "multiweapon", "sword", "b", withParameters("off", "right claw"))), cite.AttackNaturalTwoWeapon)
		wantRefused(t, f.Try(act("a", "multiweapon", "bite", "b", withParameters("off", "bite"))), cite.AttackMultiweapon)
	})
	t.Run("celesia.attack.multiweapon double weapon", func(t *testing.T) {
		staff := &eventv1.CelesiaWeapon{Name: "staff", Kind: "melee", Dice: "1d6", DoubleDice: "1d4", Hands: 2}
		f := duel(t, fighter("a", "party", attacks(9), armed(staff), ability("strength", 18)), fighter("b", "foes", defends(10)))
		f.Must(act("a", "multiweapon", "staff", "b"), 2, 5, 6, 3) // 2+13-4 = 11, 6+13-8 = 11
		f.WantHP("b", 40-(5+4)-(3+2))
	})
	t.Run(cite.AttackMultiweaponLimit, func(t *testing.T) {
		pair := armed(hand("main", "main", false), hand("off", "off", false))
		f := duel(t, fighter("a", "party", pair), fighter("b", "foes", defends(40)))
		f.Must(act("a", "multiweapon", "main", "b"), 2, 2)
		wantRefused(t, f.Try(act("a", "multiweapon", "main", "b")), cite.AttackMultiweaponLimit)
		f.Must(act("a", "attack", "main", "b"), 2)
		twice := section(func(c *eventv1.CelesiaSheet) { c.Features, c.MultiweaponUses = []string{body.FeatMultiweapon}, 2 })
		f = duel(t, fighter("a", "party", pair, twice), fighter("b", "foes", defends(40)))
		f.Must(act("a", "multiweapon", "main", "b"), 2, 2)
		f.Must(act("a", "multiweapon", "off", "b"), 2, 2) // the first attack is the main hand's, whichever it is
		wantRefused(t, f.Try(act("a", "multiweapon", "main", "b")), cite.AttackMultiweaponLimit)
	})
	t.Run(cite.AttackMultiweaponOffHandDamage, func(t *testing.T) {
		claw := &eventv1.CelesiaWeapon{Name: "claw", Kind: "natural", Dice: "1d6", Limb: "left-hand"}
		f := duel(t, fighter("a", "party", attacks(9), armed(hand("sword", "main", false), claw), ability("strength", 18, "dexterity", 14)), fighter("b", "foes", defends(20)))
		f.Must(act("a", "multiweapon", "sword", "b"), 14, 5, 16, 3)
		f.WantHP("b", 40-11-6)
	})
	t.Run("celesia.attack.multiweapon one weapon", func(t *testing.T) {
		f := duel(t, fighter("a", "party", armed(hand("main", "main", false))), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "multiweapon", "main", "b")), cite.AttackMultiweapon)
	})
	t.Run("two targets", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", armed(hand("main", "main", false), hand("off", "off", false))), fighter("b", "foes", defends(40)), fighter("c", "foes", defends(40)))
		f.Must(act("a", "multiweapon", "main", "b,c"), 2, 2)
		f.wantStruck("b miss", "c miss")
	})
	t.Run("the table", func(t *testing.T) {
		for _, broken := range []string{"", "a,b,c,d\n", "a,b,c,d\nno,no,-6,-10\n", "a,b,c,d\nno,no,-6,x\n", "a,b,c,d\nno,maybe,-6,-10\n",
			"a,b,c,d\nno,no,-6,-10\nno,no,-6,-10\nno,yes,-4,-4\nyes,yes,-2,-2\n"} {
			if _, err := manners.ReadMultiweapon(broken); err == nil {
				t.Errorf("table %q was read", broken)
			}
		}
	})
}
