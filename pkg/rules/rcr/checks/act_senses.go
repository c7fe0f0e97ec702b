package checks

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HidingCost is what hiding spends: what is said, or what the table's economy of
// checks says. A listing goes by the bonus action where that alone is to be had.
func HidingCost(at *play.At) string {
	cost, rule := UseOf("hide").CostOf(at.State)
	if wanted := spoken.Word(at.Take.Parameters, "cost"); wanted != "" {
		return wanted
	}
	if at.Listing && RefuseCost(at.State, at.Actor, cost, rule) != nil && byTrait(at.Actor) && NeedBonus(at.State, at.Actor) == nil {
		return body.CBonus
	}
	return cost
}

// RefuseHide says why a creature cannot hide now: it is hidden already, or cannot
// pay.
func RefuseHide(at *play.At) error {
	if body.Has(at.Actor, body.CondHidden) {
		return body.Refuse("HIDDEN", cite.BaseFifthEditionFallback, "%s is hidden", at.Actor.Name)
	}
	_, rule := UseOf("hide").CostOf(at.State)
	_, _, err := DueCheck(at.State, at.Actor, at.Take, HidingCost(at), rule)
	return err
}

// HideFields are the words of hiding; a listing offers the costs that can be paid,
// and requires one when the usual cannot.
func HideFields(at *play.At) []play.Field {
	out := body.CheckFields(at, false)
	if !at.Listing {
		return append(out, play.Field{Name: "cost"})
	}
	usual, rule := UseOf("hide").CostOf(at.State)
	var open []string
	if RefuseCost(at.State, at.Actor, usual, rule) == nil {
		open = append(open, usual)
	}
	if byTrait(at.Actor) && NeedBonus(at.State, at.Actor) == nil {
		open = append(open, body.CBonus)
	}
	return append(out, play.Field{Name: "cost", Values: open, Required: open[0] != usual})
}

// CheckHide says why hiding cannot be done as said: a cost that neither the rules
// nor a trait allow, or inspiration that is not there.
func CheckHide(at *play.At) error {
	usual, _ := UseOf("hide").CostOf(at.State)
	if err := refuseSeen(at.State, at.Actor, at.Take); err != nil {
		return err
	}
	if wanted := spoken.Word(at.Take.Parameters, "cost"); wanted != "" && wanted != usual && !byTrait(at.Actor) && !hidesFast(at.State, at.Actor, at.Take) { // it is the bonus action then
		return fault.Field("take.parameters.cost", "hiding does not cost %q", wanted)
	}
	return body.RefuseInspired(at.Actor, at.Take)
}

// DoHide makes the Stealth check: against the DC given, else the best passive
// Perception of the enemies. A feature for it makes it a bonus action. The total
// is its owner's: whoever searches goes against it without knowing it.
//
// rcr.action.skill-action-hide
func DoHide(r *rules.Resolution, at *play.At) error {
	c, take := r.Creature(at.Actor.Id), at.Take
	_, rule := UseOf("hide").CostOf(r.State())
	dc, _, o := body.ReadCheck(take)
	payCheck(r, c, take, HidingCost(at), rule)
	if dc == 0 {
		dc, o.Unsaid = keenest(r.State(), c, o.Water), true
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "hide", Notes: body.StatedNotes(take)})
	o.Rules, o.Audience = []string{rule}, event.Controllers(c.Id)
	rolled := dice.RollCheck(r, "check/stealth", r.Creature(c.Id), "stealth", dc, "", o)
	if rolled.Success() {
		hide(r, c.Id, rolled.Total, rule)
	}
	return nil
}

// SearchSkills are what is searched with; perception where a command names none.
func SearchSkills(at *play.At) []string {
	if !at.Listing && at.Item() == "" {
		return Bare
	}
	return UseOf("search").Skills
}

// RefuseSearch says why a creature cannot pay for a search.
func RefuseSearch(at *play.At) error {
	counter, rule := UseOf("search").CostOf(at.State)
	_, _, err := DueCheck(at.State, at.Actor, at.Take, counter, rule)
	return err
}

// RefuseSearchFor says that a creature is not hidden: there is nothing to search
// for.
func RefuseSearchFor(at *play.At, t *eventv1.Creature) error {
	if !body.Has(t, body.CondHidden) {
		_, rule := UseOf("search").CostOf(at.State)
		return body.Refuse("NOT_HIDDEN", rule, "%s is not hidden", t.GetName())
	}
	return nil
}

// DoSearch looks for a hidden creature: against the total it hid with. Found,
// it is hidden no more.
//
// rcr.action.skill-bonus-search, rcr.condition.blinded-sight
func DoSearch(r *rules.Resolution, at *play.At) error {
	c, take, skill, id := r.Creature(at.Actor.Id), at.Take, at.Item(), Target(at.Take)
	if skill == "" {
		skill = "perception"
	}
	cost, rule := UseOf("search").CostOf(r.State())
	dc, purpose, o := body.ReadCheck(take)
	payCheck(r, c, take, cost, rule)
	if dc == 0 {
		dc, o.Unsaid = max(1, int32(r.Count(id, body.CStealth))), true
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "search", Item: skill, Targets: []string{id}, Notes: body.StatedNotes(take)})
	o.Rules, o.Water = []string{rule}, body.LookingAt(r.State(), c, r.Creature(id), o.Water)
	if dice.RollCheck(r, "check/"+skill, r.Creature(c.Id), skill, dc, purpose, o).Success() {
		Unhide(r, id, "found by "+c.Name, rule)
	}
	return nil
}

// CheckExamine says why a check of Medicine cannot be made as said: a missing kit,
// or inspiration that is not there.
func CheckExamine(at *play.At) error {
	return body.FirstError(body.RefuseKitFor(at.Actor, at.Take, "medicine"), body.RefuseInspired(at.Actor, at.Take))
}

// DoExamine tells an examiner a creature's exact hit points and number of
// wounds; the answer is for it and the game master alone.
//
// rcr.hp.medicine-check, rcr.action.skill-bonus-medicine, rcr.hp.secret-totals
func DoExamine(r *rules.Resolution, at *play.At) error {
	const rule = cite.HpMedicineCheck
	c, take, id := r.Creature(at.Actor.Id), at.Take, Target(at.Take)
	_, purpose, o := body.ReadCheck(take)
	payCheck(r, c, take, body.CBonus, rule)
	body.ExpendKit(r, c.Id, take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "medicine", Targets: []string{id}, Notes: body.StatedNotes(take)})
	if purpose == "" {
		purpose = "medicine"
	}
	o.Rules = []string{rule}
	rolled := dice.RollCheck(r, "check/medicine", r.Creature(c.Id), "medicine", 10, purpose, o)
	if !rolled.Success() {
		return nil
	}
	about := r.Creature(id)
	r.Emit(dice.Narrower(rolled.Audience, event.Controllers(c.Id)), &eventv1.Learned{Creature: c.Id, About: id,
		Facts: map[string]int32{"hp": about.GetHp(), "wounds": int32(about.Counters[body.CWounds])}}, rule)
	return nil
}

// StabiliseFields are the words of stabilising; a listing offers the kit alone, and
// only to whoever has a use of one.
func StabiliseFields(at *play.At) []play.Field {
	return body.KitField(body.Offer(body.Offer(nil, at, false, play.Field{Name: "inspiration"}), at, false, play.Field{Name: "sense"}), at, "medicine")
}

// refuseSeen says that a creature cannot hide where it is obscured too little, as far
// as that is stated.
//
// rcr.feat.skulker-light-obscurement
func refuseSeen(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch spoken.Word(take.Facts, "obscured") {
	case "none":
		return body.Refuse("SEEN", cite.BaseFifthEditionFallback, "%s is in plain sight", c.Name)
	case "light":
		if !body.Feat(s, c, body.FeatSkulker, cite.FeatSkulkerLightObscurement) {
			return body.Refuse("SEEN", cite.BaseFifthEditionFallback, "%s is only lightly obscured", c.Name)
		}
	}
	return nil
}

// hidesFast tells whether a creature may hide as a bonus action where it is obscured.
//
// rcr.feat.skulker-bonus-hide
func hidesFast(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	how := spoken.Word(take.Facts, "obscured")
	return (how == "light" || how == "heavy") && body.Feat(s, c, body.FeatSkulker, cite.FeatSkulkerBonusHide)
}
