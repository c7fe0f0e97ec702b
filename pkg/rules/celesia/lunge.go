package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of a lunge: the longer reach of the turn and the lower DV after it.
const (
	condLunging = "lunging"
	condLunged  = "lunged"
)

// lungeActions lengthen the reach of a turn's melee attacks.
func lungeActions() []*action {
	return []*action{{id: "lunge", title: "Lunge", rule: cite.AttackLunge, refuse: refuseLunge, do: doLunge}}
}

// refuseLunge: at a base attack bonus of 6, before any attack of the turn.
//
// celesia.attack.lunge
func refuseLunge(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case sheetOf(c).BaseAttack < 6:
		return refuse("BASE_ATTACK", cite.AttackLunge, "Lunge takes a base attack bonus of 6")
	case has(c, condLunging):
		return refuse("ALREADY", cite.AttackLunge, "%s lunges already", c.Name)
	case c.Marks[mAttacked] == itoa(s.Round):
		return refuse("ATTACKED", cite.AttackLunge, "%s has attacked this turn", c.Name)
	}
	return nil
}

// doLunge gives 5 feet of reach until the turn ends for 2 off DV until the next
// begins.
//
// celesia.attack.lunge
func doLunge(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: condLunging, Cause: "lunge", Rule: cite.AttackLunge, Values: map[string]int32{"reach": 5},
		Until: &eventv1.Until{When: "end-of-turn", Creature: c.Id}})
	r.AddCondition(c.Id, &eventv1.Condition{Name: condLunged, Cause: "lunge", Rule: cite.AttackLunge, Values: map[string]int32{"defense": -2},
		Until: untilStart(c.Id)})
	return nil
}

// lungeReach is what a lunge adds to the reach of melee attacks, in feet.
func lungeReach(c *eventv1.Creature) int32 { return condition(c, condLunging).GetValues()["reach"] }
