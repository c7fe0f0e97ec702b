package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func refuseDead(c *eventv1.Creature) error {
	if dead(c) {
		return refuse("DEAD", cite.BaseFifthEditionFallback, "%s is dead", c.Name)
	}
	return nil
}

// savePurposes are what a saving throw may be against that matters to some rule.
//
// rcr.condition.crouching-checks, rcr.condition.deafened-concentration
var savePurposes = []string{"stay-up", "concentration"}

// refillable lists what one inspiration can refill: what recharges on a short
// rest and is not full, with its full number.
//
// rcr.dice.inspiration-resource
func refillable(c *eventv1.Creature) (names []string, full map[string]int64) {
	full = map[string]int64{}
	add := func(name string, most int32) {
		if c.Counters[cLeft+name] < int64(most) {
			names, full[name] = append(names, name), int64(most)
		}
	}
	for _, res := range sheetOf(c).Resources {
		if res.Recharge == "short rest" {
			add(res.Name, res.Max)
		}
	}
	use := func(name string, u *eventv1.RcrUsage) {
		if name = usesOf(name, u)[len(cLeft):]; limited(u) && u.Recharge == "short rest" && !slices.Contains(names, name) {
			add(name, max(1, u.Uses))
		}
	}
	for _, p := range sheetOf(c).Powers {
		use(p.Name, p.Usage)
	}
	for _, a := range sheetOf(c).Attacks {
		use(a.Name, a.Usage)
	}
	for _, sp := range sheetOf(c).Spells {
		use(sp.Name, sp.Usage)
	}
	return names, full
}

func refuseInspiration(c *eventv1.Creature) error {
	if err := refuseDead(c); err != nil {
		return err
	}
	if c.Counters[cInspiration] < 1 {
		return refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
	}
	return nil
}

// inspirable are the rolls that inspiration can be set on.
var inspirable = []string{forAttack, forCheck, forSave, forInitiative}
