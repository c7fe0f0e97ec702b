package catalogue

import (
	"errors"
	"testing"
)

func TestResolve(t *testing.T) {
	c, err := System("rcr")
	if err != nil {
		t.Fatal(err)
	}
	type m = map[string]string
	type want = map[RuleID]bool
	cases := []struct {
		name     string
		settings m
		want     want
	}{
		{"defaults", nil, want{
			"rcr.damage.fall-compounding":       false,
			"rcr.injury.enemies-optional":       false,
			"rcr.rest.mod-regain-half":          false,
			"rcr.action.skill-action-hide":      false,
			"rcr.flight.adv-bank-path":          false,
			"rcr.dice.group-check":              true,
			"rcr.feat.tough-gain":               true,
			"rcr.underwater.fire-attack":        true,
			"rcr.initiative.duration-next-turn": true,
			"rcr.initiative.duration-by-block":  false,
		}},
		{"a head takes its section along", m{"rcr.action.skill-default-bonus": On, "rcr.feat.revised-text-replaces": Off}, want{
			"rcr.action.skill-action-hide": true,
			"rcr.feat.tough-gain":          false,
			"rcr.feat.aerial-ace-reverse":  true, // a feat of the flight rules, not of the revised list
		}},
		{"a member set by itself keeps its setting", m{"rcr.action.skill-default-bonus": On, "rcr.action.skill-action-hide": Off}, want{
			"rcr.action.skill-action-hide":  false,
			"rcr.action.skill-action-track": true,
		}},
		{"what is on by default yields to what excludes it", m{"rcr.initiative.duration-by-block": On}, want{
			"rcr.initiative.duration-by-block":  true,
			"rcr.initiative.duration-next-turn": false,
		}},
		{"nothing works without what it requires", m{"rcr.dice.degrees-of-success": Off}, want{
			"rcr.healing.kit-varying-degrees": false,
		}},
		{"settings that are no toggles are left aside", m{"ceiling": "20"}, want{
			"rcr.dice.threat": true,
		}},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			got, err := c.Resolve(tc.settings)
			if err != nil {
				t.Fatal(err)
			}
			for id, on := range tc.want {
				if is, ok := got[id]; !ok || is != on {
					t.Errorf("%s in force: %v (a toggle: %v), want %v", id, is, ok, on)
				}
			}
		})
	}
}

func TestResolveRefuses(t *testing.T) {
	c, err := System("rcr")
	if err != nil {
		t.Fatal(err)
	}
	both := map[string]string{"rcr.initiative.duration-by-block": On, "rcr.initiative.duration-next-turn": On}
	if _, err := c.Resolve(both); !errors.Is(err, ErrExcluded) {
		t.Errorf("both on: %v", err)
	}
	if _, err := c.Resolve(map[string]string{"rcr.dice.threat": "yes"}); err == nil {
		t.Error("the value yes is taken")
	}
}
