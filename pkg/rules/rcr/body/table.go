package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseDead says that a creature is dead, or not there.
func RefuseDead(c *eventv1.Creature) error {
	if Dead(c) {
		return Refuse("DEAD", cite.BaseFifthEditionFallback, "%s is dead", c.Name)
	}
	return nil
}

// SavePurposes are what a saving throw may be against that matters to some rule.
//
// rcr.condition.crouching-checks, rcr.condition.deafened-concentration
var SavePurposes = []string{"stay-up", "concentration", "stay-mounted"}

// refillable lists what one inspiration can refill: what recharges on a short
// rest and is not full, with its full number.
//
// rcr.dice.inspiration-resource
func refillable(c *eventv1.Creature) (names []string, full map[string]int64) {
	full = map[string]int64{}
	add := func(name string, most int32) {
		if c.Counters[CLeft+name] < int64(most) {
			names, full[name] = append(names, name), int64(most)
		}
	}
	for _, res := range SheetOf(c).Resources {
		if res.Recharge == "short rest" {
			add(res.Name, res.Max)
		}
	}
	use := func(name string, u *eventv1.RcrUsage) {
		if name = UsesOf(name, u)[len(CLeft):]; Limited(u) && u.Recharge == "short rest" && !slices.Contains(names, name) {
			add(name, max(1, u.Uses))
		}
	}
	for _, p := range SheetOf(c).Powers {
		use(p.Name, p.Usage)
	}
	for _, a := range SheetOf(c).Attacks {
		use(a.Name, a.Usage)
	}
	for _, sp := range SheetOf(c).Spells {
		use(sp.Name, sp.Usage)
	}
	return names, full
}

func refuseInspiration(c *eventv1.Creature) error {
	if err := RefuseDead(c); err != nil {
		return err
	}
	if c.Counters[CInspiration] < 1 {
		return Refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
	}
	return nil
}

// Inspirable are the rolls that inspiration can be set on.
var Inspirable = []string{ForAttack, ForCheck, ForSave, ForInitiative}
