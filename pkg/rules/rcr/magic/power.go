package magic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PayPower pays for a power: its time, as a bonus action, a reaction, a part of a
// multiattack or the action, and its uses.
func PayPower(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower) {
	switch {
	case p.Cost == "bonus":
		body.Spend(r, c.Id, body.CBonus, p.Name)
	case p.Cost == "reaction":
		body.Spend(r, c.Id, body.CReaction, p.Name)
	case p.Cost == "free":
	case c.Counters[body.CMulti+p.Name] > 0:
		body.Spend(r, c.Id, body.CMulti+p.Name, p.Name)
	case strike.WayWith(c, p.Name, "") != nil:
		strike.PayAttack(r, c, p.Name, "")
	default:
		body.Spend(r, c.Id, body.CAction, p.Name)
	}
	answers.PayUses(r, c, p)
}

// PowerSaveOpts is what the situation adds to a target's saving throw: stated
// circumstances, and for Dexterity its cover.
//
// rcr.base.half-cover
func PowerSaveOpts(r *rules.Resolution, target *eventv1.Creature, ability, cover string, take *eventv1.TakeAction) body.SaveOpts {
	edges, mods := body.StatedEdges(take.Circumstances, target.Id)
	return body.SaveOpts{Water: body.SaidOfWater(take.Facts), Edges: edges, Kinds: body.Renamed(take.Facts, "kinds"), Modifiers: append(mods, body.CoverMods(r.State(), target, ability, cover)...)}
}
