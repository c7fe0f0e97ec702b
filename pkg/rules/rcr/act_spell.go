package rcr

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellActions are the castings of one's own turn and beside it.
func spellActions() []*play.Action {
	spell := func(a *play.Action) *play.Action {
		a.Rule, a.Group, a.Self = body.Fallback, play.GroupMagic, true
		a.Items = func(at *play.At) []string { return magic.SpellNames(at.Actor, at.Action.Anytime) }
		a.CostOf = func(at *play.At) []play.Cost {
			return checks.One(magic.CastingCost(answers.SpellAt(at)))
		}
		a.Refuse = func(at *play.At) error {
			return body.FirstError(magic.RefuseCasting(at.State, at.Actor, answers.SpellAt(at)), answers.RefuseMetamagic(at))
		}
		a.Range = func(at *play.At) (int32, int32) { return answers.SpellRange(at, answers.SpellAt(at)) }
		a.Repeat = func(at *play.At) bool { return answers.Repeats(answers.SpellAt(at)) }
		a.RefuseTarget = func(at *play.At, t *eventv1.Creature) error {
			return answers.RefuseSpellTarget(at.Content, at.State, at.Actor, t, answers.SpellAt(at), at.Take)
		}
		a.Fields = func(at *play.At) []play.Field { return answers.CastFields(at, answers.SpellAt(at)) }
		a.Check = func(at *play.At) error {
			return planCasting(at, &movement.Casting{Sp: answers.SpellAt(at), Metamagic: answers.MetamagicSaid(at.Take)})
		}
		a.Provokes = magic.CastProvokes
		a.Area = func(at *play.At) *eventv1.Area { return house.AreaOf(at.Content, answers.SpellAt(at).GetUse()) }
		a.Do = doCast
		return a
	}
	return []*play.Action{
		spell(&play.Action{ID: "cast", Title: "Cast a spell"}),
		spell(&play.Action{ID: "cast-reaction", Title: "Cast a spell as a reaction", Anytime: true}),
		{ID: "end-concentration", Title: "End concentration", Rule: body.Fallback, Group: play.GroupMagic, Anytime: true,
			Items: magic.ConcentratedOn, Refuse: magic.RefuseDropSpell, Do: body.Deed(magic.DoDropSpell)},
	}
}

// planCasting reads slot and targets and refuses what cannot be.
func planCasting(at *play.At, k *movement.Casting) error {
	k.Id, k.Take = at.Actor.Id, at.Take
	planned(at).casting = k
	return magic.FirstError2(func() error { return k.Choose(at.Actor) }, func() error { return k.Aim(at.Content, at.State, at.Actor) })
}

// doCast pays the time for a spell, gives those about their window, makes the
// checks that conditions ask for, and only then spends the slot.
//
// rcr.opportunity.cast-spell, rcr.base.opportunity-frame
func doCast(r *rules.Resolution, at *play.At) error {
	k := planned(at).casting
	k.R = r
	k.Carry(r.Creature(k.Id))
	return nil
}
