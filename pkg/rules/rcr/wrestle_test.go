package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: what is wrestled with is within 5 feet, at most one size
// larger, alive and another; a grapple takes a free hand and one not held yet.
func TestWhoIsWrestledWith(t *testing.T) {
	for _, action := range []string{"grapple", "shove"} {
		for name, c := range map[string]struct {
			size, target string
			x            int32
			do           func(f *table)
			facts        []any
			reason       string
			grapple      bool // of grapples alone
		}{
			"as large":          {size: "medium", x: 5},
			"one size larger":   {size: "large", x: 5},
			"two sizes larger":  {size: "huge", x: 5, reason: "TOO_LARGE"},
			"smaller":           {size: "tiny", x: 5},
			"10 feet off":       {size: "medium", x: 10, reason: "OUT_OF_REACH"},
			"said to be 5 off":  {size: "medium", x: 10, facts: []any{"distance", 5}},
			"said to be 10 off": {size: "medium", x: 5, facts: []any{"distance", 10}, reason: "OUT_OF_REACH"},
			"the charmer":       {size: "medium", x: 5, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "b")) }, reason: "CHARMED"},
			"charmed by others": {size: "medium", x: 5, do: func(f *table) { f.Must(afflicting("a", body.CondCharmed, "c")) }},
			"held already":      {size: "medium", x: 5, do: func(f *table) { f.Must(afflicting("b", body.CondGrappled, "a")) }, reason: "GRAPPLED", grapple: true},
			"held by another":   {size: "medium", x: 5, do: func(f *table) { f.Must(afflicting("b", body.CondGrappled, "c")) }},
			"the dead": {size: "medium", x: 5, do: func(f *table) {
				f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "b", Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 200, Type: "slashing"}}})
			}, reason: "TARGET_DEAD"},
		} {
			t.Run(action+" "+name, func(t *testing.T) {
				f := newTable(t)
				f.place(fighter("a", "party"), 0, 0)
				f.place(fighter("b", "monsters", func(s *eventv1.Sheet) { s.Size = c.size }), c.x, 0)
				f.place(fighter("c", "monsters"), 60, 60)
				f.start(nil, 20, 10, 5)
				f.Roller = func(sides int) int { return (sides + 1) / 2 }
				if c.do != nil {
					c.do(f)
				}
				var more []func(*eventv1.TakeAction)
				if action == "shove" {
					more = append(more, withParameters("effect", "prone"))
				}
				if c.facts != nil {
					more = append(more, withFacts(c.facts...))
				}
				reason := c.reason
				if c.grapple && action != "grapple" {
					reason = ""
				}
				err := f.Try(act("a", action, "", "b", more...))
				if g, ok := fault.As(err); ok != (reason != "") || ok && g.Reason != reason {
					t.Errorf("%v, want %q", err, reason)
				}
			})
		}
	}
}

// rcr.base.attack-and-critical: what the bonus of an attack is made of, as far as its
// numbers say.
func TestBordersOfABonus(t *testing.T) {
	for name, c := range map[string]struct {
		bonus      int32
		magical    bool
		properties []string
		reach      int32
		want       string
	}{
		"strength and proficiency":  {5, false, nil, 5, "2 strength, 3 proficiency"},
		"a magic weapon of 1":       {6, true, nil, 5, "2 strength, 3 proficiency, 1 magic"},
		"of 3":                      {8, true, nil, 5, "2 strength, 3 proficiency, 3 magic"},
		"of 4, which is none":       {9, true, nil, 5, "9 w on the sheet"},
		"one more without magic":    {6, false, nil, 5, "6 w on the sheet"},
		"without proficiency":       {2, false, nil, 5, "2 strength"},
		"a magic one without":       {2, true, nil, 5, "2 w on the sheet"},
		"a bow":                     {7, false, nil, 0, "4 dexterity, 3 proficiency"},
		"finesse by dexterity":      {7, false, []string{"finesse"}, 5, "4 dexterity, 3 proficiency"},
		"finesse by strength":       {5, false, []string{"finesse"}, 5, "2 strength, 3 proficiency"},
		"a javelin by strength":     {5, false, []string{"thrown"}, 0, "2 strength, 3 proficiency"},
		"dexterity without finesse": {7, false, nil, 5, "7 w on the sheet"},
	} {
		a := &eventv1.RcrAttack{Name: "w", Bonus: c.bonus, Magical: c.magical, Properties: c.properties, ReachFeet: c.reach, RangeFeet: 60}
		who := &eventv1.Creature{Sheet: fighter("a", "party", ability("strength", 14), ability("dexterity", 18), weapons(a))}
		if got := rulestest.Parts(strike.BonusParts(who, a)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// rcr.feat.keen-mind-navigate, rcr.feat.keen-mind-discern, rcr.feat.dungeon-delver-navigate,
// rcr.feat.dungeon-delver-detect: what a feat helps with, by skill and by what it is about.
func TestFeatsHelpWith(t *testing.T) {
	for _, c := range []struct {
		feat, skill, about, rule string
	}{
		{body.FeatKeenMind, "survival", "navigate", cite.FeatKeenMindNavigate}, {body.FeatKeenMind, "nature", "navigate", ""}, {body.FeatKeenMind, "survival", "forage", ""},
		{body.FeatKeenMind, "arcana", "magic", cite.FeatKeenMindDiscern}, {body.FeatKeenMind, "investigation", "illusion", cite.FeatKeenMindDiscern}, {body.FeatKeenMind, "survival", "", ""},
		{body.FeatDungeonDelver, "survival", "navigate", cite.FeatDungeonDelverNavigate}, {body.FeatDungeonDelver, "survival", "forage", cite.FeatDungeonDelverNavigate},
		{body.FeatDungeonDelver, "perception", "trap", cite.FeatDungeonDelverDetect}, {body.FeatDungeonDelver, "investigation", "secret-door", cite.FeatDungeonDelverDetect},
		{body.FeatDungeonDelver, "survival", "trap", ""}, {body.FeatDungeonDelver, "perception", "", ""}, {"", "survival", "navigate", ""},
	} {
		t.Run(c.feat+" "+c.skill+" "+c.about, func(t *testing.T) {
			var sheet []func(*eventv1.Sheet)
			if c.feat != "" {
				sheet = append(sheet, feat(c.feat))
			}
			f := newTable(t).add(fighter("a", "party", sheet...), fighter("b", "monsters")).start(nil, 20, 5)
			f.Roller = func(int) int { return 10 }
			cmd := act("a", "called-check", "", "", withParameters("skill", c.skill, "dc", 10))
			if c.about != "" {
				cmd = act("a", "called-check", "", "", withParameters("skill", c.skill, "dc", 10), withFacts("about", c.about))
			}
			f.Must(cmd)
			var got []string
			for _, e := range f.Roll("").Edges {
				got = append(got, e.Rule)
			}
			if len(got) > 1 || len(got) == 1 && got[0] != c.rule || len(got) == 0 && c.rule != "" {
				t.Errorf("helped by %v, want %q", got, c.rule)
			}
		})
	}
}
