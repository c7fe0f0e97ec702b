package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hideTraits make hiding possible as a bonus action.
var hideTraits = []string{"cunning action", "nimble escape"}

func hideOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	costs := []string{hideCost(s)}
	if byTrait(c) && costs[0] != cBonus {
		costs = append(costs, cBonus)
	}
	var out []*eventv1.Option
	for i, cost := range costs {
		_, rule := useOf("hide").costOf(s)
		o := option("", refuseHide(s, c, cost, rule), map[string]int32{cost: 1})
		o.Parameters = append(checkParameters(c, false), choiceOf("cost", "What it costs", i > 0, cost))
		out = append(out, o)
	}
	return out
}

func hideCost(s *eventv1.State) string {
	cost, _ := useOf("hide").costOf(s)
	return cost
}

func byTrait(c *eventv1.Creature) bool {
	return slices.ContainsFunc(hideTraits, func(t string) bool { return hasTrait(c, t) })
}

func refuseHide(s *eventv1.State, c *eventv1.Creature, cost, rule string) error {
	if has(c, condHidden) {
		return refuse("HIDDEN", cite.BaseFifthEditionFallback, "%s is hidden", c.Name)
	}
	return refuseCost(s, c, cost, rule)
}

// doHide makes the Stealth check: against the DC given, else the best passive
// Perception of the enemies. A feature for it makes it a bonus action. The total
// is its owner's: whoever searches goes against it without knowing it.
//
// rcr.action.skill-action-hide
func doHide(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	cost, rule := useOf("hide").costOf(r.State())
	if wanted := spoken.Word(take.Parameters, "cost"); wanted != "" {
		if wanted != cost && !(wanted == cBonus && byTrait(c)) {
			return fault.Field("take.parameters.cost", "hiding does not cost %q", wanted)
		}
		cost = wanted
	}
	if err := refuseHide(r.State(), c, "", ""); err != nil {
		return err
	}
	dc, _, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	if err := payCheck(r, c, take, cost, rule); err != nil {
		return err
	}
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

// keenest is the best passive Perception among the enemies that are awake.
func keenest(s *eventv1.State, c *eventv1.Creature) int32 {
	dc := int32(1)
	for _, id := range rules.SortedKeys(s.Creatures) {
		e := s.Creatures[id]
		if !hostile(c, e) || incapacitated(e) {
			continue
		}
		dc = max(dc, passive(s, e, "perception"))
	}
	return dc
}

// passive is the score of a skill without a roll: 10 and its bonus, or what the
// sheet says, 5 more with advantage on such checks and 5 less with disadvantage,
// however many sources are left. It has no die that exhaustion could lower.
//
// rcr.injury.row1-shock, rcr.condition.exhaustion-d20
func passive(s *eventv1.State, c *eventv1.Creature, skill string) int32 {
	bonus, _ := skillBonus(c, skill)
	score := 10 + bonus
	if own := sheetOf(c).PassivePerception; skill == "perception" && own > 0 {
		score = own
	}
	switch p := weigh(checkEdges(s, c, skillAbility[skill], skill, "")); {
	case p > 0:
		score += 5
	case p < 0:
		score -= 5
	}
	return score
}

func searchOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	cost, rule := useOf("search").costOf(s)
	var hidden []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if id != c.Id && has(s.Creatures[id], condHidden) {
			hidden = append(hidden, id)
		}
	}
	var out []*eventv1.Option
	for _, skill := range useOf("search").skills {
		o := option(skill, refuseCost(s, c, cost, rule), map[string]int32{cost: 1})
		o.Targets, o.MinimumTargets, o.MaximumTargets = hidden, 1, 1
		if o.Legal && len(hidden) == 0 {
			rules.Forbid(o, refuse("NO_TARGET", rule, "nobody is hidden"))
		}
		o.Parameters = checkParameters(c, false)
		out = append(out, o)
	}
	return out
}

// doSearch looks for a hidden creature: against the total it hid with. Found,
// it is hidden no more.
//
// rcr.action.skill-bonus-search, rcr.condition.blinded-sight
func doSearch(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	u := useOf("search")
	skill := take.Item
	if skill == "" {
		skill = "perception"
	}
	if !slices.Contains(u.skills, skill) {
		return noSuch("take.item", skill, "skill to search with: perception or investigation", u.skills)
	}
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	cost, rule := u.costOf(r.State())
	if _, _, err := dueCheck(r.State(), c, take, cost, rule); err != nil {
		return err
	}
	x := condition(r.Creature(id), condHidden)
	if x == nil || id == c.Id {
		return refuse("NOT_HIDDEN", rule, "%s is not hidden", r.Creature(id).Name)
	}
	dc, purpose, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	if err := payCheck(r, c, take, cost, rule); err != nil {
		return err
	}
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

func refuseExamine(s *eventv1.State, c *eventv1.Creature) error {
	return refuseCost(s, c, cBonus, cite.HpMedicineCheck)
}

func examineOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", refuseExamine(s, c), map[string]int32{cBonus: 1})
	o.MinimumTargets, o.MaximumTargets = 1, 1
	for _, id := range rules.SortedKeys(s.Creatures) {
		if id != c.Id {
			o.Targets = append(o.Targets, id)
		}
	}
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, refuse("NO_TARGET", cite.HpMedicineCheck, "there is nobody to examine"))
	}
	o.Parameters = append(checkParameters(c, false)[1:], kitParameter(c, "medicine")...)
	return []*eventv1.Option{o}
}

// doExamine tells an examiner a creature's exact hit points and number of
// wounds; the answer is for it and the game master alone.
//
// rcr.hp.medicine-check, rcr.action.skill-bonus-medicine, rcr.hp.secret-totals
func doExamine(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.HpMedicineCheck
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	if id == c.Id {
		return refuse("SELF", rule, "%s knows its own state", c.Name)
	}
	_, purpose, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	kit, err := kitWanted(c, take, "medicine")
	if err != nil {
		return err
	}
	if err := payCheck(r, c, take, cBonus, rule); err != nil {
		return err
	}
	expendKit(r, c.Id, kit)
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

// seemsDying tells whether a creature is dying as far as the table knows: one
// made stable by death saves is still dying to all but the game master.
//
// rcr.death.secret-saves
func seemsDying(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING || stableInSecret(c)
}

// refuseStabilise says why a creature cannot be stabilised, by what everybody
// sees of it: neither that it is stable in secret nor that by its sheet it needs
// no air may be learnt by trying.
//
// rcr.base.death-save-frame, rcr.death.secret-saves
func refuseStabilise(c, target *eventv1.Creature, take *eventv1.TakeAction) error {
	if !seemsDying(target) {
		return refuse("NOT_DYING", cite.BaseDeathSaveFrame, "%s is not dying", target.GetName())
	}
	if airless(target) {
		return refuse("SUFFOCATING", cite.BaseDeathSaveFrame, "%s cannot be stabilised while it suffocates", target.Name)
	}
	return refuseItemTarget(c, target, take)
}

func stabiliseOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", refuseCost(s, c, cAction, ""), map[string]int32{cAction: 1})
	o.MinimumTargets, o.MaximumTargets = 1, 1
	for _, id := range rules.SortedKeys(s.Creatures) {
		if refuseStabilise(c, s.Creatures[id], nil) == nil {
			o.Targets = append(o.Targets, id)
		}
	}
	if o.Legal && len(o.Targets) == 0 {
		rules.Forbid(o, refuse("NO_TARGET", cite.BaseDeathSaveFrame, "nobody within reach is dying"))
	}
	if c.Counters[cKit] > 0 {
		o.Parameters = []*eventv1.Parameter{{Name: "kit", Type: "boolean", Text: "With a use of a healer's kit, without a check"}}
	}
	return []*eventv1.Option{o}
}

// kitInHand gives the enemies about their window before a healer's kit is used,
// as with any object (a reading), and tells whether its user can still do so.
//
// rcr.opportunity.object-interaction, rcr.base.opportunity-frame
func kitInHand(r *rules.Resolution, id string, stated []string, take *eventv1.TakeAction) bool {
	offerOpportunity(r, id, onInteract, cite.OpportunityObjectInteraction, threateners(r, id, stated), take)
	if incapacitated(r.Creature(id)) {
		r.Note(event.Everyone(), id, "the healer's kit is not used", cite.BaseOpportunityFrame)
		return false
	}
	return true
}

// doStabilise stabilises a dying creature: by a DC 10 Medicine check, or by a
// use of a healer's kit. It costs the action whatever the table's economy of checks.
//
// rcr.base.death-save-frame, rcr.action.skill-default-bonus
func doStabilise(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	if err := needAction(c); err != nil {
		return err
	}
	if err := refuseStabilise(c, r.Creature(id), take); err != nil {
		return err
	}
	kit := spoken.Truth(take.Parameters, "kit")
	if kit && c.Counters[cKit] < 1 {
		return refuse("NO_KIT", cite.HealingKitUseExpended, "%s has no use of a healer's kit left", c.Name)
	}
	_, purpose, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	stated := statedIDs(take.Facts, "threatened_by")
	spend(r, c.Id, cAction, "stabilising")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "stabilise", Targets: []string{id}, Notes: statedNotes(take)})
	if kit {
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
	r.Deed("stabilise/"+id, &eventv1.Harm{Deed: deedStabilise, Target: id, Source: c.Id, Cause: "stabilised by " + c.Name})
	return nil
}
