package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What content lays lasts as long as the longest that lies there: a shorter one changes
// nothing, a longer one takes its place, and what it brings with it ends with it. Whoever was
// blinded by something else stays so, and what content keeps off does not come, nor what it
// would have brought.
func TestTheLongerConditionStays(t *testing.T) {
	weapon := func(id, rounds string) string {
		return "- {id: " + id + ", title: " + id + ", data: {damage: 1d2, kind: melee, natural: true}, effects: [{trigger: hit, condition: {condition: dazzled" + rounds + "}}]}\n"
	}
	files := map[string]string{
		"weapons.yaml": weapon("spark", `, rounds: "1"`) + weapon("flare", `, rounds: "3"`) + weapon("sun", "") +
			"- {id: cloth, title: cloth, data: {damage: 1d2, kind: melee, natural: true}, effects: [{trigger: hit, condition: {condition: dazzled, remove: true}}]}\n",
		"conditions.yaml": "- {id: dazzled, title: Dazzled, implies: [blinded]}\n",
		"feats.yaml":      "- {id: dark-eyes, title: Dark eyes, effects: [{immunity: {conditions: [dazzled]}}]}\n- {id: no-eyes, title: No eyes, effects: [{immunity: {conditions: [blinded]}}]}\n",
	}
	until := func(f *table, name string) string {
		x := body.ConditionOf(f.Creature("b"), name)
		switch {
		case x == nil:
			return "none"
		case x.Until == nil:
			return "for good"
		}
		return []string{"", "1", "2", "3", "4", "5"}[x.Until.Round]
	}
	for name, c := range map[string]struct {
		with             []string
		feat             string
		before           string // a condition that b has from elsewhere
		dazzled, blinded string // until the end of which round
	}{
		"once":                           {[]string{"spark"}, "", "", "2", "2"},
		"the same again":                 {[]string{"spark", "spark"}, "", "", "2", "2"},
		"a shorter one":                  {[]string{"flare", "spark"}, "", "", "4", "4"},
		"a longer one":                   {[]string{"spark", "flare"}, "", "", "4", "4"},
		"one for good":                   {[]string{"spark", "sun"}, "", "", "for good", "for good"},
		"a shorter one than for good":    {[]string{"sun", "flare"}, "", "", "for good", "for good"},
		"wiped away":                     {[]string{"flare", "cloth"}, "", "", "none", "none"},
		"wiped away, where nothing is":   {[]string{"cloth"}, "", "", "none", "none"},
		"blinded before":                 {[]string{"spark"}, "", "blinded", "2", "for good"},
		"blinded before, and wiped away": {[]string{"spark", "cloth"}, "", "blinded", "none", "for good"},
		"who cannot be dazzled":          {[]string{"sun"}, "dark-eyes", "", "none", "none"},
		"who cannot be blinded":          {[]string{"spark"}, "no-eyes", "", "2", "none"},
	} {
		t.Run(name, func(t *testing.T) {
			var arms []*eventv1.BasicWeapon
			for _, id := range []string{"spark", "flare", "sun", "cloth"} {
				arms = append(arms, &eventv1.BasicWeapon{Use: id})
			}
			f := tableWith(t, writtenBook(t, files)).add([]int32{0, 5}, make1("a", "one", func(s *eventv1.Sheet, b *eventv1.BasicSheet) { b.Weapons, b.Routine = arms, c.with }),
				make1("b", "two", hp(60), func(s *eventv1.Sheet, _ *eventv1.BasicSheet) {
					if c.feat != "" {
						s.Feats = []string{c.feat}
					}
				}))
			f.start(nil)
			if c.before != "" {
				f.Afflict("b", c.before)
			}
			f.declare([]int{6, 1}, "a=attack", "b=other")
			faces := make([]int, 0, 2*len(c.with))
			for range c.with {
				faces = append(faces, 18, 1)
			}
			f.Must(act("a", "routine", "", "b"), faces...)
			if d, b := until(f, "dazzled"), until(f, "blinded"); d != c.dazzled || b != c.blinded {
				t.Errorf("dazzled until %s, blinded until %s; want %s and %s", d, b, c.dazzled, c.blinded)
			}
		})
	}
}
