package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// LungeActions lengthen the reach of a turn's melee attacks.
func LungeActions() []*Action {
	return []*Action{{Action: play.Action{ID: "lunge", Title: "Lunge", Rule: cite.AttackLunge, Group: play.GroupAttack, Refuse: body.Bars(refuseLunge), Do: body.Done(doLunge)}}}
}

// refuseLunge: at a base attack bonus of 6, before any attack of the turn.
//
// celesia.attack.lunge
func refuseLunge(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case body.SheetOf(c).BaseAttack < 6:
		return body.Refuse("BASE_ATTACK", cite.AttackLunge, "Lunge takes a base attack bonus of 6")
	case body.Has(c, body.CondLunging):
		return body.Refuse("ALREADY", cite.AttackLunge, "%s lunges already", c.Name)
	case body.Has(c, manners.CondAttacked):
		return body.Refuse("ATTACKED", cite.AttackLunge, "%s has attacked this turn", c.Name)
	}
	return nil
}

// doLunge gives 5 feet of reach until the turn ends for 2 off DV until the next
// begins.
//
// celesia.attack.lunge
func doLunge(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondLunging, Cause: "lunge", Rule: cite.AttackLunge, Values: map[string]int32{"reach": 5},
		Until: &eventv1.Until{When: "end-of-turn", Creature: c.Id}})
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondLunged, Cause: "lunge", Rule: cite.AttackLunge, Values: map[string]int32{"defense": -2},
		Until: checks.UntilStart(c.Id)})
	return nil
}
