package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// senseActions are hiding and searching, reading wounds and first aid.
func senseActions() []*play.Action {
	return []*play.Action{
		{ID: "hide", Title: "Hide", Rule: cite.ActionSkillActionHide, Group: play.GroupMove,
			CostOf: func(at *play.At) []play.Cost { return one(hidingCost(at)) },
			Refuse: refuseHide, Fields: hideFields, Check: checkHide, Do: doHide},
		{ID: "search", Title: "Search", Rule: cite.ActionSkillBonusSearch, Group: play.GroupCheck, Least: 1, Most: 1, Items: searchSkills,
			CostOf:       func(at *play.At) []play.Cost { counter, _ := useOf("search").costOf(at.State); return one(counter) },
			Refuse:       refuseSearch,
			RefuseTarget: refuseSearchFor,
			Fields:       func(at *play.At) []play.Field { return checkFields(at, false) },
			Check:        func(at *play.At) error { return refuseInspired(at.Actor, at.Take) }, Do: doSearch},
		{ID: "medicine", Title: "Read wounds and hit points", Rule: cite.HpMedicineCheck, Group: play.GroupCheck, Least: 1, Most: 1, Costs: oneBonus,
			Refuse: func(at *play.At) error {
				_, _, err := dueCheck(at.State, at.Actor, at.Take, cBonus, cite.HpMedicineCheck)
				return err
			},
			Fields: func(at *play.At) []play.Field {
				return kitField(inspirationField([]play.Field{{Name: "sense"}}, at), at, "medicine")
			},
			Check: checkExamine, Do: doExamine},
		{ID: "stabilise", Title: "Stabilise the dying", Rule: cite.BaseDeathSaveFrame, Group: play.GroupAid, Least: 1, Most: 1, Costs: oneAction, Self: true,
			Refuse:       refuseActing,
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error { return refuseStabilise(at.Actor, t, at.Take) },
			Fields:       func(at *play.At) []play.Field { return stabiliseFields(at) },
			Check:        checkExamine, Do: doStabilise},
	}
}

// hidingCost is what hiding spends: what is said, or what the table's economy of
// checks says. A listing goes by the bonus action where that alone is to be had.
func hidingCost(at *play.At) string {
	cost, rule := useOf("hide").costOf(at.State)
	if wanted := spoken.Word(at.Take.Parameters, "cost"); wanted != "" {
		return wanted
	}
	if at.Listing && refuseCost(at.State, at.Actor, cost, rule) != nil && byTrait(at.Actor) && needBonus(at.State, at.Actor) == nil {
		return cBonus
	}
	return cost
}

func refuseHide(at *play.At) error {
	if has(at.Actor, condHidden) {
		return refuse("HIDDEN", cite.BaseFifthEditionFallback, "%s is hidden", at.Actor.Name)
	}
	_, rule := useOf("hide").costOf(at.State)
	_, _, err := dueCheck(at.State, at.Actor, at.Take, hidingCost(at), rule)
	return err
}

func hideFields(at *play.At) []play.Field {
	out := checkFields(at, false)
	if !at.Listing {
		return append(out, play.Field{Name: "cost"})
	}
	usual, rule := useOf("hide").costOf(at.State)
	var open []string
	if refuseCost(at.State, at.Actor, usual, rule) == nil {
		open = append(open, usual)
	}
	if usual != cBonus && byTrait(at.Actor) && needBonus(at.State, at.Actor) == nil {
		open = append(open, cBonus)
	}
	return append(out, play.Field{Name: "cost", Values: open, Required: open[0] != usual})
}

func checkHide(at *play.At) error {
	usual, _ := useOf("hide").costOf(at.State)
	if wanted := spoken.Word(at.Take.Parameters, "cost"); wanted != "" && wanted != usual && !(wanted == cBonus && byTrait(at.Actor)) {
		return fault.Field("take.parameters.cost", "hiding does not cost %q", wanted)
	}
	return refuseInspired(at.Actor, at.Take)
}

// doHide makes the Stealth check: against the DC given, else the best passive
// Perception of the enemies. A feature for it makes it a bonus action. The total
// is its owner's: whoever searches goes against it without knowing it.
//
// rcr.action.skill-action-hide
func doHide(r *rules.Resolution, at *play.At) error {
	c, take := r.Creature(at.Actor.Id), at.Take
	_, rule := useOf("hide").costOf(r.State())
	dc, _, o := readCheck(take)
	payCheck(r, c, take, hidingCost(at), rule)
	if dc == 0 {
		dc, o.unsaid = keenest(r.State(), c), true
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hide", Notes: statedNotes(take)})
	o.rules, o.audience = []string{rule}, event.Controllers(c.Id)
	rolled := rollCheck(r, "check/stealth", r.Creature(c.Id), "stealth", dc, "", o)
	if rolled.Success() {
		hide(r, c.Id, rolled.Total, rule)
	}
	return nil
}

// searchSkills are what is searched with; perception where a command names none.
func searchSkills(at *play.At) []string {
	if !at.Listing && at.Item() == "" {
		return bare
	}
	return useOf("search").skills
}

func refuseSearch(at *play.At) error {
	counter, rule := useOf("search").costOf(at.State)
	_, _, err := dueCheck(at.State, at.Actor, at.Take, counter, rule)
	return err
}

func refuseSearchFor(at *play.At, t *eventv1.Creature) error {
	if !has(t, condHidden) {
		_, rule := useOf("search").costOf(at.State)
		return refuse("NOT_HIDDEN", rule, "%s is not hidden", t.GetName())
	}
	return nil
}

// doSearch looks for a hidden creature: against the total it hid with. Found,
// it is hidden no more.
//
// rcr.action.skill-bonus-search, rcr.condition.blinded-sight
func doSearch(r *rules.Resolution, at *play.At) error {
	c, take, skill, id := r.Creature(at.Actor.Id), at.Take, at.Item(), target(at.Take)
	if skill == "" {
		skill = "perception"
	}
	cost, rule := useOf("search").costOf(r.State())
	dc, purpose, o := readCheck(take)
	payCheck(r, c, take, cost, rule)
	if dc == 0 {
		dc, o.unsaid = max(1, int32(r.Count(id, cStealth))), true
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "search", Item: skill, Targets: []string{id}, Notes: statedNotes(take)})
	o.rules = []string{rule}
	if rollCheck(r, "check/"+skill, r.Creature(c.Id), skill, dc, purpose, o).Success() {
		unhide(r, id, "found by "+c.Name, rule)
	}
	return nil
}

func checkExamine(at *play.At) error {
	return firstError(refuseKitFor(at.Actor, at.Take, "medicine"), refuseInspired(at.Actor, at.Take))
}

// doExamine tells an examiner a creature's exact hit points and number of
// wounds; the answer is for it and the game master alone.
//
// rcr.hp.medicine-check, rcr.action.skill-bonus-medicine, rcr.hp.secret-totals
func doExamine(r *rules.Resolution, at *play.At) error {
	const rule = cite.HpMedicineCheck
	c, take, id := r.Creature(at.Actor.Id), at.Take, target(at.Take)
	_, purpose, o := readCheck(take)
	payCheck(r, c, take, cBonus, rule)
	expendKit(r, c.Id, take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "medicine", Targets: []string{id}, Notes: statedNotes(take)})
	if purpose == "" {
		purpose = "medicine"
	}
	o.rules = []string{rule}
	rolled := rollCheck(r, "check/medicine", r.Creature(c.Id), "medicine", 10, purpose, o)
	if !rolled.Success() {
		return nil
	}
	about := r.Creature(id)
	r.Emit(narrower(rolled.Audience, event.Controllers(c.Id)), &eventv1.Learned{Creature: c.Id, About: id,
		Facts: map[string]int32{"hp": about.GetHp(), "wounds": int32(about.Counters[cWounds])}}, rule)
	return nil
}

func stabiliseFields(at *play.At) []play.Field {
	return kitField(offer(offer(nil, at, false, play.Field{Name: "inspiration"}), at, false, play.Field{Name: "sense"}), at, "medicine")
}

// doStabilise stabilises a dying creature: by a DC 10 Medicine check, or by a
// use of a healer's kit. It costs the action whatever the table's economy of checks.
//
// rcr.base.death-save-frame, rcr.action.skill-default-bonus
func doStabilise(r *rules.Resolution, at *play.At) error {
	c, take, id := r.Creature(at.Actor.Id), at.Take, target(at.Take)
	_, purpose, o := readCheck(take)
	stated := statedIDs(take.Facts, "threatened_by")
	spend(r, c.Id, cAction, "stabilising")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stabilise", Targets: []string{id}, Notes: statedNotes(take)})
	if spoken.Truth(take.Parameters, "kit") {
		if !kitInHand(r, c.Id, stated, take) {
			return nil
		}
		spend(r, c.Id, cKit, "stabilising", cite.HealingKitUseExpended)
	} else {
		if purpose == "" {
			purpose = "medicine"
		}
		o.rules = []string{cite.BaseDeathSaveFrame}
		if !rollCheck(r, "check/medicine", r.Creature(c.Id), "medicine", 10, purpose, o).Success() {
			return nil
		}
	}
	r.Harm("stabilise/"+id, &eventv1.Harm{Deed: deedStabilise, Target: id, Source: c.Id, Cause: "stabilised by " + c.Name})
	return nil
}
