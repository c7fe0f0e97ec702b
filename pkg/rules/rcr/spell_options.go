package rcr

import (
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func castOptions(s *eventv1.State, c *eventv1.Creature, reaction bool) []*eventv1.Option {
	var out []*eventv1.Option
	for _, sp := range sheetOf(c).Spells {
		if (sp.CastingTime == "reaction") != reaction {
			continue
		}
		err := refuseSpell(s, c, sp)
		if err == nil && reaction && s.Status != eventv1.State_STATUS_STARTED {
			err = refuse("NOT_STARTED", "", "there is no fight")
		}
		out = append(out, castOption(s, c, sp, err))
	}
	return out
}

func castOption(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell, err error) *eventv1.Option {
	o := option(sp.Name, err, map[string]int32{castingCost(sp): 1})
	aimOption(s, c, sp, o)
	if sp.Level > 0 && !sp.Innate {
		o.Parameters = append(o.Parameters, slotParameter(c, sp))
	}
	if sp.CastingTime == "longer" {
		o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "finish", Type: "boolean", Text: "The casting is finished with this action"})
	}
	return o
}

// slotParameter lists the levels of slots that a spell can be cast with.
func slotParameter(c *eventv1.Creature, sp *eventv1.RcrSpell) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: "slot", Type: "number", Text: "Level of the slot; the lowest that will do if not given"}
	for _, n := range slotsFor(c, sp) {
		if v, err := structpb.NewValue(n); err == nil {
			p.Values = append(p.Values, v)
		}
	}
	return p
}

// mostTargets is how many targets a spell may have by the slot it is cast with.
func mostTargets(sp *eventv1.RcrSpell, slot int32) int32 {
	return max(1, sp.Targets) + sp.UpcastTargets*max(0, slot-sp.Level)
}

// aimOption fills in what a spell can be aimed at.
func aimOption(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell, o *eventv1.Option) {
	o.MinimumTargets, o.MaximumTargets = 1, max(1, sp.Targets)
	if selfSpell(sp) {
		o.MinimumTargets = 0
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		if refuseSpellTarget(c, s.Creatures[id], sp, nil) == nil {
			o.Targets = append(o.Targets, id)
		}
	}
	if o.Legal && len(o.Targets) == 0 && o.MinimumTargets > 0 {
		rules.Forbid(o, refuse("NO_TARGET", cite.BaseFifthEditionFallback, "nobody is within the range of %s", sp.Name))
	}
	if sp.WeaponAttack {
		var names []string
		for _, a := range meleeAttacks(s, c) {
			names = append(names, a.Name)
		}
		o.Parameters = append(o.Parameters, choiceOf("weapon", "The weapon of the attack", true, names...))
		if o.Legal && len(names) == 0 {
			rules.Forbid(o, refuse("NOT_IN_HAND", cite.BaseFifthEditionFallback, "no melee weapon is in hand"))
		}
	}
	o.Parameters = append(o.Parameters, teleportParameters(c, sp.TeleportFeet)...)
	if restoration(sp) {
		o.Parameters = append(o.Parameters, choiceOf("ends", "A condition it ends", false, restores...))
	}
}

func dropSpellOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	if c.Marks[mConcentration] == "" {
		return nil
	}
	return []*eventv1.Option{option(c.Marks[mConcentration], nil, nil)}
}
