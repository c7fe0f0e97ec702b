package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// powerActions are the powers of a sheet.
func powerActions() []*play.Action {
	power := func(a *play.Action) *play.Action {
		a.Rule, a.Group, a.Self = fallback, play.GroupMagic, true
		a.CostOf, a.Range, a.RefuseTarget, a.Fields, a.Check, a.Do = powerCost, powerRange, refusePowerOn, powerFields, checkPower, doPower
		a.Refuse = func(at *play.At) error {
			p := powerOf(at.Actor, at.Item())
			if p.Cost == "reaction" && !at.Action.Anytime {
				return refuse("REACTION", fallback, "%s is a reaction: take it with react", p.Name)
			}
			return firstError(refusePower(at.State, at.Actor, p), refuseNobody(at.Actor, p))
		}
		return a
	}
	return []*play.Action{
		power(&play.Action{ID: "use-power", Title: "Use a power",
			Items: func(at *play.At) []string {
				return powerNames(at, func(p *eventv1.RcrPower) bool { return p.Cost != "reaction" && p.Cost != "legendary" || !at.Listing })
			}}),
		power(&play.Action{ID: "react", Title: "Use a power as a reaction", Anytime: true,
			Items: func(at *play.At) []string {
				return powerNames(at, func(p *eventv1.RcrPower) bool { return p.Cost == "reaction" })
			}}),
	}
}

func powerNames(at *play.At, which func(*eventv1.RcrPower) bool) (out []string) {
	for _, p := range sheetOf(at.Actor).Powers {
		if which(p) {
			out = append(out, p.Name)
		}
	}
	return out
}

func powerCost(at *play.At) []play.Cost {
	switch p := powerOf(at.Actor, at.Item()); {
	case p.Cost == "bonus":
		return oneBonus
	case p.Cost == "reaction":
		return oneReaction
	case p.Cost != "free" && at.Actor.Counters[cMulti+p.Name] < 1:
		return oneAction
	}
	return nil
}

// refuseNobody says that a power without a range touches nobody.
func refuseNobody(c *eventv1.Creature, p *eventv1.RcrPower) error {
	if p.RangeFeet == 0 && refusePowerTarget(c, c, p, -1) != nil {
		return refuse("NO_TARGET", fallback, "nobody is within the range of %s", p.Name)
	}
	return nil
}

func powerRange(at *play.At) (least, most int32) { return rangeOfPower(powerOf(at.Actor, at.Item())) }

func rangeOfPower(p *eventv1.RcrPower) (least, most int32) {
	if p.RangeFeet == 0 {
		return 0, 1
	}
	return 1, max(1, p.Targets)
}

func refusePowerOn(at *play.At, t *eventv1.Creature) error {
	return refusePowerTarget(at.Actor, t, powerOf(at.Actor, at.Item()), statedDistance(at.Take))
}

// statedDistance is the distance that is stated; -1 when none is.
func statedDistance(take *eventv1.TakeAction) int32 {
	if feet, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		return feet
	}
	return -1
}

func powerFields(at *play.At) []play.Field {
	return teleportField(nil, at, powerOf(at.Actor, at.Item()).TeleportFeet)
}

func checkPower(at *play.At) error { return planJump(at, powerOf(at.Actor, at.Item()).TeleportFeet) }

// powerTargets are the targets of a power; its user when none is named.
func powerTargets(c *eventv1.Creature, take *eventv1.TakeAction) []string {
	if len(take.Targets) == 0 {
		return []string{c.Id}
	}
	return take.Targets
}

// doPower uses a power: its damage is rolled once for all targets, each of
// which makes its own saving throw.
func doPower(r *rules.Resolution, at *play.At) error {
	c := r.Creature(at.Actor.Id)
	p := powerOf(c, at.Item())
	payPower(r, c, p)
	letPower(r, c, p, powerTargets(c, at.Take), planned(at).to, at.Take)
	return nil
}
