package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of a lunge: the longer reach of the turn and the lower DV after it.
const (
	condLunging = "lunging"
	condLunged  = "lunged"
)

// lungeActions lengthen the reach of a turn's melee attacks.
func lungeActions() []*action {
	return []*action{{Action: play.Action{ID: "lunge", Title: "Lunge", Rule: cite.AttackLunge, Group: play.GroupAttack, Refuse: bars(refuseLunge), Do: done(doLunge)}}}
}

// refuseLunge: at a base attack bonus of 6, before any attack of the turn.
//
// celesia.attack.lunge
func refuseLunge(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case sheetOf(c).BaseAttack < 6:
		return refuse("BASE_ATTACK", cite.AttackLunge, "Lunge takes a base attack bonus of 6")
	case has(c, condLunging):
		return refuse("ALREADY", cite.AttackLunge, "%s lunges already", c.Name)
	case has(c, condAttacked):
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
