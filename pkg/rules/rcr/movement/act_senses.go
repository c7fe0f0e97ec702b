package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SenseActions are hiding and searching, reading wounds and first aid.
func SenseActions() []*play.Action {
	return []*play.Action{
		{ID: "hide", Title: "Hide", Rule: cite.ActionSkillActionHide, Group: play.GroupMove,
			CostOf: func(at *play.At) []play.Cost { return checks.One(checks.HidingCost(at)) },
			Refuse: checks.RefuseHide, Fields: checks.HideFields, Check: checks.CheckHide, Do: checks.DoHide},
		{ID: "search", Title: "Search", Rule: cite.ActionSkillBonusSearch, Group: play.GroupCheck, Least: 1, Most: 1, Items: checks.SearchSkills,
			CostOf: func(at *play.At) []play.Cost {
				counter, _ := checks.UseOf("search").CostOf(at.State)
				return checks.One(counter)
			},
			Refuse:       checks.RefuseSearch,
			RefuseTarget: checks.RefuseSearchFor,
			Fields:       func(at *play.At) []play.Field { return body.CheckFields(at, false) },
			Check:        func(at *play.At) error { return body.RefuseInspired(at.Actor, at.Take) }, Do: checks.DoSearch},
		{ID: "medicine", Title: "Read wounds and hit points", Rule: cite.HpMedicineCheck, Group: play.GroupCheck, Least: 1, Most: 1, Costs: checks.OneBonus,
			Refuse: func(at *play.At) error {
				_, _, err := checks.DueCheck(at.State, at.Actor, at.Take, body.CBonus, cite.HpMedicineCheck)
				return err
			},
			Fields: func(at *play.At) []play.Field {
				return body.KitField(body.InspirationField([]play.Field{{Name: "sense"}}, at), at, "medicine")
			},
			Check: checks.CheckExamine, Do: checks.DoExamine},
		{ID: "stabilise", Title: "Stabilise the dying", Rule: cite.BaseDeathSaveFrame, Group: play.GroupAid, Least: 1, Most: 1, Costs: checks.OneAction, Self: true,
			Refuse: checks.RefuseActing,
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				return checks.RefuseStabilise(at.State, at.Actor, t, at.Take)
			},
			Fields: func(at *play.At) []play.Field { return checks.StabiliseFields(at) },
			Check:  checks.CheckExamine, Do: doStabilise},
	}
}

// doStabilise stabilises a dying creature: by a DC 10 Medicine check, or by a
// use of a healer's kit. It costs the action whatever the table's economy of checks.
//
// rcr.base.death-save-frame, rcr.action.skill-default-bonus, rcr.feat.healer-stabilise
func doStabilise(r *rules.Resolution, at *play.At) error {
	c, take, id := r.Creature(at.Actor.Id), at.Take, checks.Target(at.Take)
	_, purpose, o := body.ReadCheck(take)
	stated := checks.StatedIDs(take.Facts, "threatened_by")
	body.Spend(r, c.Id, body.CAction, "stabilising")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stabilise", Targets: []string{id}, Notes: body.StatedNotes(take)})
	if spoken.Truth(take.Parameters, "kit") {
		if !kitInHand(r, c.Id, stated, take) {
			return nil
		}
		body.Spend(r, c.Id, body.CKit, "stabilising", cite.HealingKitUseExpended)
	} else {
		if purpose == "" {
			purpose = "medicine"
		}
		o.Rules = []string{cite.BaseDeathSaveFrame}
		if !dice.RollCheck(r, "check/medicine", r.Creature(c.Id), "medicine", 10, purpose, o).Success() {
			return nil
		}
	}
	r.Harm("stabilise/"+id, &eventv1.Harm{Deed: body.DeedStabilise, Target: id, Source: c.Id, Cause: "stabilised by " + c.Name})
	if spoken.Truth(take.Parameters, "kit") && body.Feat(r.State(), c, body.FeatHealer, cite.FeatHealerStabilise) {
		r.Note(event.Everyone(), id, c.Name+" brings it round", cite.FeatHealerStabilise)
		healDeed(r, "stabilise/heal/"+id, r.Creature(id), r.Creature(c.Id), "Healer", 1, map[string]string{"via": injuries.ViaKit})
	}
	return nil
}
