package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TouchActions touch several with a spell cast before, and identify the spells of
// others.
func TouchActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "touch-allies", Title: "Touch up to six allies", Rule: cite.SpellTouchSixAllies, Group: play.GroupMagic, Trigger: "other",
			Costs: body.Acts(3), Range: items.UpTo(func(*eventv1.Creature, *eventv1.TakeAction) int32 { return magic.MostTouched }), Self: true,
			Refuse:       body.Bars(magic.RefuseTouchAllies),
			Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Side == c.Side }),
			RefuseTarget: answers.Aimed(magic.RefuseTouchAllies), Do: body.Done(doTouchAllies)}, Provoke: checks.Always},
		{Action: play.Action{ID: "identify-spell", Title: "Identify a spell", Rule: cite.SpellIdentifyBeingCast, Group: play.GroupCheck, Least: 1, Most: 1, Anytime: true,
			Refuse:       body.Bars(magic.RefuseIdentify),
			Candidates:   checks.Those(func(_, t *eventv1.Creature) bool { return body.Has(t, body.CondCast) || answers.Rounding(t) != nil }),
			RefuseTarget: answers.Aimed(magic.RefuseIdentify), Do: body.Done(magic.DoIdentify)}},
	}
}

// doTouchAllies works the spell on all who are touched; the willing need no
// attack roll and make no saving throw. It spends the spell.
//
// celesia.spell.touch-six-allies
func doTouchAllies(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	sp := body.SpellOf(c, c.Marks[body.MTouch])
	r.Mark(c.Id, body.MTouch, "", cite.SpellTouchSixAllies)
	if sp == nil {
		return nil
	}
	var all []checks.Struck
	for _, id := range take.Targets {
		if magic.Willing(r, c, id, sp) {
			all = append(all, checks.Struck{Id: id, Level: sp.CasterLevel})
		}
	}
	workOn(r, c, sp, all, take)
	castOn(r, c.Id, sp, take.Targets, take)
	return nil
}
