package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lastingActions keep up, end and turn spells that go on.
func lastingActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "concentrate", Title: "Concentrate on a spell", Rule: cite.SpellConcentrate, Group: play.GroupMagic, Costs: body.Acts(2),
			Items: body.Ways(magic.SpellNames), Refuse: body.Bars(magic.RefuseConcentrate), Do: body.Done(magic.DoConcentrate)}},
		{Action: play.Action{ID: "cease-concentrating", Title: "Cease concentrating", Rule: cite.SpellCeaseConcentrating, Group: play.GroupMagic, Items: body.Ways(magic.SpellNames),
			Refuse: body.Bars(magic.RefuseCease), Do: body.Done(magic.DoEndSpell("concentration dropped", cite.SpellCeaseConcentrating))}},
		{Action: play.Action{ID: "dismiss", Title: "Dismiss a spell", Rule: cite.SpellDismiss, Group: play.GroupMagic, Costs: body.Acts(1), Items: body.Ways(magic.SpellNames),
			Refuse: body.Bars(magic.RefuseDismiss), Do: body.Done(magic.DoEndSpell("dismissed", cite.SpellDismiss))}},
		{Action: play.Action{ID: "redirect", Title: "Redirect a spell", Rule: cite.SpellRedirect, Group: play.GroupMagic, Costs: body.Acts(1), Items: body.Ways(magic.SpellNames),
			Least: 1, Most: 1, Self: true, Refuse: body.Bars(magic.RefuseRedirect), RefuseTarget: answers.Aimed(magic.RefuseRedirect), Do: body.Done(doRedirect)}},
	}
}

// doRedirect turns a spell to a new target, on which it works as it did on the
// first, saving throw and all (a reading).
//
// celesia.spell.redirect
func doRedirect(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := body.SpellOf(c, take.Item)
	from := magic.Active(r.State(), c.Id, sp.Name)[0]
	magic.EndSpell(r, from, "turned to "+r.Creature(body.Target(take)).GetName(), cite.SpellRedirect)
	mending.SetSpell(r, c.Id, sp.Name, body.Target(take), from.Values)
	if one, reached := resist(r, c, sp, body.Target(take), 0, take); reached {
		layOn(r, c, sp, []checks.Struck{one})
	}
	return nil
}
