package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.charger-attack, rcr.feat.charger-straight-bonus: a shove at the end of a Dash,
// which costs nothing more, uses the charge up whether it succeeds or not, and leaves no
// movement; after ten feet straight on it pushes up to ten feet, else as any shove does.
func TestChargersShove(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []string
		way      []int32
		effect   string
		faces    []int
		answer   string
		behind   int32 // x of one who stands in the way; 0 for nobody
		x        int32 // of the target afterwards
		prone    bool
	}{
		{"pushed ten feet", nil, []int32{15, 0}, "", []int{15, 5}, "10", 0, 30, false},
		{"pushed five", nil, []int32{15, 0}, "", []int{15, 5}, "5", 0, 25, false},
		{"not at all", nil, []int32{15, 0}, "", []int{15, 5}, "0", 0, 20, false},
		{"as far as there is room", nil, []int32{15, 0}, "", []int{15, 5}, "10", 30, 25, false},
		{"no room", nil, []int32{15, 0}, "", []int{15, 5}, "10", 25, 20, false},
		{"equal totals", nil, []int32{15, 0}, "", []int{10, 10}, "", 0, 20, false},
		{"it loses", nil, []int32{15, 0}, "", []int{5, 15}, "", 0, 20, false},
		{"five feet straight on, thrown down", nil, []int32{5, 5, 10, 5, 15, 0}, "", []int{15, 5}, "", 0, 20, true},
		{"five feet straight on, pushed", nil, []int32{5, 5, 10, 5, 15, 0}, "push", []int{15, 5}, "", 0, 25, false},
		{"the bonus is off", off(cite.FeatChargerStraightBonus), []int32{15, 0}, "", []int{15, 5}, "", 0, 20, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...)
			f.place(fighter("a", "party", feat("charger")), 0, 0)
			f.place(fighter("b", "monsters"), 20, 0)
			if c.behind > 0 {
				f.place(fighter("c", "monsters"), c.behind, 0)
				f.start(nil, 20, 5, 4)
			} else {
				f.start(nil, 20, 5)
			}
			f.Must(act("a", "dash", "", ""))
			f.Must(act("a", "move", "", "", along(c.way...)))
			cmd := act("a", "charge-shove", "", "b")
			if c.effect != "" {
				cmd = act("a", "charge-shove", "", "b", withParameters("effect", c.effect))
			}
			f.Must(cmd, c.faces...)
			if c.answer != "" {
				f.Answer(decPush, c.answer)
			}
			f.wantAsked()
			f.wantAt("b", c.x, 0)
			f.wantHas("b", body.CondProne, c.prone)
			f.wantCount("a", body.CMovement, 0)
			f.wantCount("a", body.CBonus, 1)
			wantReasonOf(t, "a second one", f.Try(act("a", "charge-shove", "", "b")), "NO_DASH")
			wantReasonOf(t, "an attack besides", f.Try(act("a", "charge", "sword", "b")), "NO_DASH")
		})
	}
}

// rcr.feat.charger-attack: whom a charger may shove or strike, on both sides of each
// border; what is stated goes before what is measured.
func TestWhomAChargerMayCharge(t *testing.T) {
	javelin := &eventv1.RcrAttack{Name: "javelin", Bonus: 5, ReachFeet: 5, RangeFeet: 30, LongRangeFeet: 120, Hand: "main", Properties: []string{"thrown", "one-handed"},
		Damage: []*eventv1.RcrDamage{{Dice: "1d6+3", Type: "piercing"}}}
	for _, c := range []struct {
		name    string
		set     func(f *table)
		action  string
		item    string
		said    []any
		feet    int32
		size    string
		reason  string
		listed  bool
		changes []func(*eventv1.Sheet)
	}{
		{"shove: beside it", nil, "charge-shove", "", nil, 5, "medium", "", true, nil},
		{"shove: ten feet away", nil, "charge-shove", "", nil, 10, "medium", "OUT_OF_REACH", false, nil},
		{"shove: ten feet away, five stated", nil, "charge-shove", "", []any{"distance", 5}, 10, "medium", "", false, nil},
		{"shove: one size larger", nil, "charge-shove", "", nil, 5, "large", "", true, nil},
		{"shove: two sizes larger", nil, "charge-shove", "", nil, 5, "huge", "TOO_LARGE", false, nil},
		{"shove: whoever charms it", func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }, "charge-shove", "", nil, 5, "medium", "CHARMED", false, nil},
		{"strike: beside it", nil, "charge", "sword", nil, 5, "medium", "", true, nil},
		{"strike: ten feet away", nil, "charge", "sword", nil, 10, "medium", "OUT_OF_REACH", false, nil},
		{"strike: ten feet away, five stated", nil, "charge", "sword", []any{"distance", 5}, 10, "medium", "", false, nil},
		{"strike: five feet away, ten stated", nil, "charge", "sword", []any{"distance", 10}, 5, "medium", "OUT_OF_REACH", true, nil},
		{"strike: with a bow", nil, "charge", "bow", nil, 5, "medium", "OUT_OF_REACH", false, nil},
		{"strike: with a javelin", nil, "charge", "javelin", nil, 5, "medium", "", true, []func(*eventv1.Sheet){weapons(javelin)}},
		{"strike: nobody throws it", nil, "charge", "javelin", nil, 10, "medium", "OUT_OF_REACH", false, []func(*eventv1.Sheet){weapons(javelin)}},
		{"strike: nor where it is stated", nil, "charge", "javelin", []any{"distance", 15}, 5, "medium", "OUT_OF_REACH", true, []func(*eventv1.Sheet){weapons(javelin)}},
		{"terrified", func(f *table) { f.Afflict("a", body.CondTerrified) }, "charge-shove", "", nil, 5, "medium", "TERRIFIED", false, nil},
		{"the rule is off", nil, "charge-shove", "", nil, 5, "medium", "NO_FEAT", false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var settings []string
			if c.name == "the rule is off" {
				settings = off(cite.FeatChargerAttack)
			}
			f := newTable(t, settings...)
			f.place(fighter("a", "party", append(c.changes, feat("charger"))...), 0, 0)
			f.place(fighter("b", "monsters", ofSize(c.size)), c.feet, 0)
			f.start(nil, 20, 5)
			f.Must(act("a", "dash", "", ""))
			if c.set != nil {
				c.set(f)
			}
			o := optionOf(f, "a", c.action, c.item)
			if listed := o != nil && o.Legal && len(o.Targets) > 0; listed != c.listed {
				t.Errorf("offered %v, want %v: %v", listed, c.listed, o)
			}
			cmd := act("a", c.action, c.item, "b")
			if c.said != nil {
				cmd = act("a", c.action, c.item, "b", withFacts(c.said...))
			}
			f.Roller = func(sides int) int { return min(sides, 12) }
			wantReasonOf(t, c.name, f.Try(cmd), c.reason)
		})
	}
	// Without a map too: a javelin that is said to be thrown is no charge.
	f := newTable(t).add(fighter("a", "party", feat("charger"), weapons(javelin)), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "dash", "", ""))
	wantReasonOf(t, "no map", f.Try(act("a", "charge", "javelin", "b", withFacts("distance", 15))), "OUT_OF_REACH")
	f.Must(act("a", "charge", "javelin", "b", withFacts("distance", 5, "straight", 10)), 15, 4)
	f.WantHP("b", 40-4-3-5)
	// Stated straight, a foot short.
	f = newTable(t).add(fighter("a", "party", feat("charger")), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "dash", "", ""))
	f.Must(act("a", "charge", "sword", "b", withFacts("straight", 9)), 15, 4)
	f.WantHP("b", 40-4-3)
}
