package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.feat.metamagic-adept-options, rcr.feat.metamagic-adept-points: what an option is of
// no use for is refused, and beside each what it is of use for; nothing is spent by what
// is refused.
func TestWhatMetamagicIsFor(t *testing.T) {
	spells := func(s *eventv1.Sheet) {
		mage()(s)
		r := s.GetRcr()
		r.Spells = append(r.Spells,
			&eventv1.RcrSpell{Name: "flash", CastingTime: "action", Targets: 1, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "dexterity"}, Damage: []*eventv1.RcrDamage{{Dice: "1d8", Type: "radiant"}}},
			&eventv1.RcrSpell{Name: "ward", Level: 1, CastingTime: "action", Somatic: true, Effects: []*eventv1.RcrEffect{{Condition: "shielded", Rounds: 9}}},
			&eventv1.RcrSpell{Name: "long ward", Level: 1, CastingTime: "action", Somatic: true, RangeFeet: 5, Targets: 1, Effects: []*eventv1.RcrEffect{{Condition: "shielded", Rounds: 10}}},
			&eventv1.RcrSpell{Name: "rays", Level: 1, CastingTime: "action", Verbal: true, RangeFeet: 60, Targets: 2, UpcastTargets: 1, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "2d6", Type: "fire"}}},
			&eventv1.RcrSpell{Name: "ray", Level: 1, CastingTime: "action", Verbal: true, RangeFeet: 60, Targets: 1, UpcastTargets: 1, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "2d6", Type: "fire"}}})
		r.Resources = []*eventv1.RcrResource{{Name: "sorcery points", Current: 9, Max: 9, Recharge: "long rest"}}
	}
	for _, c := range []struct {
		option, spell string
		parameters    []any
		reason        string
		cost          int64
	}{
		{"careful", "fire bolt", nil, "METAMAGIC", 0},
		{"careful", "burning hands", []any{"spared", []any{"b"}}, "", 1},
		{"heightened", "fire bolt", nil, "METAMAGIC", 0},
		{"heightened", "flash", nil, "", 3},
		{"distant", "ward", nil, "METAMAGIC", 0},
		{"distant", "long ward", nil, "", 1},
		{"empowered", "hold", nil, "METAMAGIC", 0},
		{"empowered", "flash", nil, "", 1},
		{"extended", "ward", nil, "METAMAGIC", 0}, // nine rounds
		{"extended", "long ward", nil, "", 1},     // ten are a minute
		{"quickened", "healing touch", nil, "METAMAGIC", 0},
		{"quickened", "fire bolt", nil, "", 2},
		{"subtle", "flash", nil, "METAMAGIC", 0}, // neither words nor gestures
		{"subtle", "long ward", nil, "", 1},      // gestures alone
		{"subtle", "hold", nil, "", 1},           // words alone
		{"twinned", "rays", nil, "METAMAGIC", 0},
		{"twinned", "ward", nil, "METAMAGIC", 0},
		{"twinned", "ray", nil, "", 1},
		{"twinned", "ray", []any{"slot", 2}, "METAMAGIC", 0}, // two of them with that slot
		{"twinned", "flash", nil, "", 1},                     // a cantrip counts as one
		{"twinned", "hold", nil, "", 2},
	} {
		t.Run(c.option+" "+c.spell, func(t *testing.T) {
			other := "subtle"
			if c.option == other {
				other = "distant"
			}
			f := newTable(t).add(fighter("a", "party", spells, chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: []string{c.option, other}})),
				fighter("b", "monsters")).start(nil, 20, 5)
			f.Roller = func(sides int) int { return min(sides, 3) }
			target := "b"
			switch c.spell {
			case "ward":
				target = ""
			case "healing touch", "long ward":
				target = "a"
			}
			before := f.Creature("a").Counters[body.CLeft+body.ResMetamagic] + f.Creature("a").Counters[body.CLeft+"sorcery points"]
			err := f.Try(act("a", "cast", c.spell, target, withParameters(append([]any{"metamagic", c.option}, c.parameters...)...)))
			for len(f.Decisions) > 0 {
				f.Answer(f.Decisions[0].Name, f.Decisions[0].DefaultOption)
			}
			wantReasonOf(t, c.spell, err, c.reason)
			if got := before - f.Creature("a").Counters[body.CLeft+body.ResMetamagic] - f.Creature("a").Counters[body.CLeft+"sorcery points"]; got != c.cost {
				t.Errorf("it took %d points, want %d", got, c.cost)
			}
			f.wantCount("a", body.CLeft+body.ResMetamagic, max(0, 2-c.cost)) // those of the feat first
		})
	}
}

// rcr.feat.metamagic-adept-options: one option to a casting, Empowered beside any; no more
// spared than the Charisma modifier, one at least.
func TestOptionsTogether(t *testing.T) {
	for _, c := range []struct {
		name     string
		charisma int32
		picks    [2]string
		by       []string
		spared   []any
		reason   string
	}{
		{"one", 16, [2]string{"careful", "empowered"}, []string{"careful"}, []any{"b"}, ""},
		{"empowered beside it", 16, [2]string{"careful", "empowered"}, []string{"careful", "empowered"}, []any{"b"}, ""},
		{"two others", 16, [2]string{"careful", "subtle"}, []string{"careful", "subtle"}, []any{"b"}, "ONE_METAMAGIC"},
		{"one twice", 16, [2]string{"careful", "empowered"}, []string{"empowered", "empowered"}, nil, "METAMAGIC_TWICE"},
		{"not learnt", 16, [2]string{"careful", "subtle"}, []string{"empowered"}, nil, "NO_METAMAGIC"},
		{"three are spared", 16, [2]string{"careful", "empowered"}, []string{"careful"}, []any{"b", "c", "d"}, ""},
		{"three of two", 14, [2]string{"careful", "empowered"}, []string{"careful"}, []any{"b", "c", "d"}, "METAMAGIC"},
		{"one by Charisma 8", 8, [2]string{"careful", "empowered"}, []string{"careful"}, []any{"b"}, ""},
		{"two by Charisma 8", 8, [2]string{"careful", "empowered"}, []string{"careful"}, []any{"b", "c"}, "METAMAGIC"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", mage(), ability("charisma", c.charisma), chosen(&eventv1.RcrFeat{Name: "metamagic adept", Picks: c.picks[:]})),
				fighter("b", "monsters"), fighter("c", "monsters"), fighter("d", "monsters")).start(nil, 20, 5, 4, 3)
			f.Roller = func(sides int) int { return min(sides, 3) }
			p := []any{"metamagic", c.by}
			if c.spared != nil {
				p = append(p, "spared", c.spared)
			}
			err := f.Try(act("a", "cast", "burning hands", "b,c,d", withParameters(p...)))
			for len(f.Decisions) > 0 {
				f.Answer(f.Decisions[0].Name, f.Decisions[0].DefaultOption)
			}
			wantReasonOf(t, c.name, err, c.reason)
			if c.reason != "" {
				f.wantCount("a", body.CLeft+body.ResMetamagic, 2)
				f.wantCount("a", body.CSlot+"1", 4)
				return
			}
			for i, id := range []string{"b", "c", "d"} { // 9 for who fails, 4 for who is spared
				want := int32(40 - 9)
				if i < len(c.spared) {
					want = 40 - 4
				}
				f.WantHP(id, want)
			}
			f.wantCited(cite.FeatMetamagicAdeptOptions)
		})
	}
}
