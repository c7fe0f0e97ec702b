package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func checkActions() []*action {
	return append([]*action{
		{id: "check", title: "Make a check", options: checkOptions, do: doCheck},
		{id: "hide", title: "Hide", options: hideOptions, do: doHide},
		{id: "search", title: "Search", options: searchOptions, do: doSearch},
		{id: "medicine", title: "Read wounds and hit points", options: examineOptions, do: doExamine},
		{id: "stabilise", title: "Stabilise the dying", options: stabiliseOptions, do: doStabilise},
	}, wrestling()...)
}

func joinIDs(ids []string) string { return strings.Join(ids, ",") }

// use is a purpose of a check in a fight and what it costs: by its own switch,
// else by the default of the variant, else as in the fifth edition.
type use struct {
	id, title string
	// skills that belong to it; empty means any.
	skills []string
	// rule is the switch; cost when it is on; fifth when all switches are off;
	// variant when only the variant's default is on.
	rule, cost, variant, fifth string
}

// uses are the purposes; the purpose decides, not the skill alone.
//
// rcr.action.skill-free-movement, rcr.action.skill-free-knowledge,
// rcr.action.skill-bonus-influence, rcr.action.skill-bonus-search,
// rcr.action.skill-bonus-insight, rcr.action.skill-action-performance,
// rcr.action.skill-action-steal, rcr.action.skill-action-track,
// rcr.action.skill-action-exertion, rcr.action.skill-action-surrender
var uses = []use{
	{"movement", "as part of movement", []string{"acrobatics", "athletics"}, cite.ActionSkillFreeMovement, "", "", ""},
	{"knowledge", "to recall knowledge", []string{"arcana", "history", "nature", "religion"}, cite.ActionSkillFreeKnowledge, "", "", ""},
	{"influence", "to influence a creature", []string{"animal handling", "deception", "persuasion", "intimidation"}, cite.ActionSkillBonusInfluence, cBonus, cBonus, cAction},
	{"search", "to search", []string{"perception", "investigation"}, cite.ActionSkillBonusSearch, cBonus, cBonus, cAction},
	{"read", "to read a creature", []string{"insight"}, cite.ActionSkillBonusInsight, cBonus, cBonus, cAction},
	{"pretend", "to appear as something else", []string{"performance"}, cite.ActionSkillActionPerformance, cAction, cBonus, cAction},
	{"steal", "to take something from an enemy", []string{"sleight of hand"}, cite.ActionSkillActionSteal, cAction, cBonus, cAction},
	{"hide", "to hide", []string{"stealth"}, cite.ActionSkillActionHide, cAction, cBonus, cAction},
	{"track", "to track", []string{"survival"}, cite.ActionSkillActionTrack, cAction, cBonus, cAction},
	{"surrender", "to demand surrender", []string{"intimidation"}, cite.ActionSkillActionSurrender, cAction, cBonus, cAction},
	{"exertion", "of exertion or complexity", nil, cite.ActionSkillActionExertion, cAction, cAction, cAction},
	{"other", "for something else", nil, cite.ActionSkillDefaultBonus, cBonus, cBonus, cAction},
}

func useOf(id string) *use {
	for i := range uses {
		if uses[i].id == id {
			return &uses[i]
		}
	}
	return nil
}

// costOf is the counter that a check spends, empty for none, and the rule that
// says so.
//
// rcr.action.skill-default-bonus
func (u *use) costOf(s *eventv1.State) (counter, rule string) {
	switch {
	case defaults.On(s, u.rule):
		return u.cost, u.rule
	case defaults.On(s, cite.ActionSkillDefaultBonus):
		return u.variant, cite.ActionSkillDefaultBonus
	}
	return u.fifth, cite.BaseFifthEditionFallback
}

// refuseCost says why a cost cannot be paid, naming the rule that asks for it.
func refuseCost(s *eventv1.State, c *eventv1.Creature, counter, rule string) error {
	var err error
	switch counter {
	case cAction:
		err = needAction(c)
	case cBonus:
		err = needBonus(s, c)
	}
	if f, ok := fault.As(err); ok && rule != "" && f.Rule == cite.BaseFifthEditionFallback {
		return refuse(f.Reason, rule, "%s", f.Message)
	}
	return err
}

// statedCost is the cost by the game master's word, which beats the rules: the
// fact "cost".
func statedCost(take *eventv1.TakeAction) (counter string, stated bool) {
	switch v := spoken.Word(take.Facts, "cost"); v {
	case "":
		return "", false
	case "free":
		return "", true
	default:
		return v, true
	}
}

// dueCheck is what a check costs, by the rules or as stated; an error says why
// it cannot be paid.
func dueCheck(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, counter, rule string) (due, by string, err error) {
	if given, ok := statedCost(take); ok {
		counter, rule = given, ""
	}
	return counter, rule, refuseCost(s, c, counter, rule)
}

// payCheck takes what a check costs, or says why it cannot be paid.
func payCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, counter, rule string) error {
	counter, rule, err := dueCheck(r.State(), c, take, counter, rule)
	if err != nil {
		return err
	}
	if counter != "" {
		spend(r, c.Id, counter, take.Action, rule)
	}
	return nil
}

// skillNames are all skills and the tools of a creature, in order.
func skillNames(c *eventv1.Creature) []string {
	return append(append(rules.SortedKeys(skillAbility), toolNames(c)...), "strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
}

// toolNames are the tools of a creature, in the order of the sheet.
func toolNames(c *eventv1.Creature) (names []string) {
	for _, t := range sheetOf(c).Tools {
		names = append(names, t.Name)
	}
	return names
}

// checkParameters are those of any check; inspiration is there for who has it.
//
// rcr.base.inspiration-held
func checkParameters(c *eventv1.Creature, dcNeeded bool) []*eventv1.Parameter {
	out := []*eventv1.Parameter{
		{Name: "dc", Type: "number", Required: dcNeeded, Text: "Difficulty, from 1 to 100"},
		choiceOf("sense", "The sense that the check relies on", false, "sight", "hearing", "hands"),
	}
	if c.Counters[cInspiration] > 0 {
		out = append(out, &eventv1.Parameter{Name: "inspiration", Type: "boolean", Text: "Spend inspiration for advantage"})
	}
	return out
}

func checkOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for i := range uses {
		u := &uses[i]
		if u.id == "hide" {
			continue // an action of its own
		}
		counter, rule := u.costOf(s)
		skills := u.skills
		if len(skills) == 0 {
			skills = skillNames(c)
		}
		for _, skill := range skills {
			o := option(skill, refuseCost(s, c, counter, rule), map[string]int32{})
			o.Title = strings.ToUpper(skill[:1]) + skill[1:] + " " + u.title
			if counter != "" {
				o.Costs[counter] = 1
			}
			o.Parameters = append([]*eventv1.Parameter{choiceOf("use", "What the check is for", true, u.id)}, checkParameters(c, false)...)
			o.Parameters = append(o.Parameters, kitParameter(c, skill)...)
			if u.id == "knowledge" {
				o.Parameters = append(o.Parameters, &eventv1.Parameter{Name: "question", Type: "string", Text: "What is asked; one attempt for each question"})
			}
			out = append(out, o)
		}
	}
	return out
}

// readCheck reads what is common to checks out of a command.
func readCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) (dc int32, purpose string, o checkOpts, err error) {
	dc, _ = spoken.Number(take.Parameters, "dc")
	purpose = spoken.Word(take.Parameters, "sense")
	target := ""
	if len(take.Targets) == 1 {
		target = take.Targets[0]
	}
	o.edges, o.modifiers = statedEdges(take.Circumstances, target)
	o.kinds = renamed(take.Facts, "kinds")
	if spoken.Truth(take.Parameters, "inspiration") {
		if c.Counters[cInspiration] < 1 {
			return 0, "", o, refuse("NO_INSPIRATION", cite.BaseInspirationHeld, "%s has no inspiration", c.Name)
		}
		o.inspiration = true
	}
	return dc, purpose, o, nil
}

// kitWanted tells whether a Medicine check is made with a healer's kit, of
// which it takes one use, made or failed.
//
// rcr.healing.kit-use-expended
func kitWanted(c *eventv1.Creature, take *eventv1.TakeAction, skill string) (bool, error) {
	switch {
	case !spoken.Truth(take.Parameters, "kit"):
		return false, nil
	case skill != "medicine":
		return false, fault.Field("take.parameters.kit", "a healer's kit goes with Medicine checks, not with %s", skill)
	case c.Counters[cKit] < 1:
		return false, refuse("NO_KIT", cite.HealingKitUseExpended, "%s has no use of a healer's kit left", c.Name)
	}
	return true, nil
}

func expendKit(r *rules.Resolution, id string, wanted bool) {
	if wanted {
		spend(r, id, cKit, "a Medicine check with the kit", cite.HealingKitUseExpended)
	}
}

// kitParameter lists the kit where a Medicine check can be made with one.
func kitParameter(c *eventv1.Creature, skill string) []*eventv1.Parameter {
	if skill != "medicine" || c.Counters[cKit] < 1 {
		return nil
	}
	return []*eventv1.Parameter{{Name: "kit", Type: "boolean", Text: "With a healer's kit: the check takes one of its uses"}}
}

// doCheck makes a check of a skill, a tool or an ability for a purpose that
// says what it costs.
func doCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	u := useOf(spoken.Word(take.Parameters, "use"))
	if u == nil {
		u = useOf("other") // none is said
	}
	skill := strings.ToLower(take.Item)
	if !slices.Contains(skillNames(c), skill) || len(u.skills) > 0 && !slices.Contains(u.skills, skill) {
		known := u.skills
		if len(known) == 0 {
			known = skillNames(c)
		}
		return noSuch("take.item", take.Item, "skill, tool or ability for a check "+u.title, known)
	}
	dc, purpose, o, err := readCheck(r, c, take)
	if err != nil {
		return err
	}
	if err := askedBefore(r, c, u, take); err != nil {
		return err
	}
	kit, err := kitWanted(c, take, skill)
	if err != nil {
		return err
	}
	if len(take.Targets) == 1 && (u.id == "influence" || u.id == "surrender") && charmedBy(r.Creature(take.Targets[0]), c.Id) {
		o.edges = append(o.edges, adv("charmed", "the other is charmed", cite.BaseFifthEditionFallback))
	}
	counter, rule := u.costOf(r.State())
	if err := payCheck(r, c, take, counter, rule); err != nil {
		return err
	}
	expendKit(r, c.Id, kit)
	if q := questionMark(u, take); q != "" {
		r.Mark(c.Id, q, "asked", cite.ActionSkillFreeKnowledge)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "check", Item: skill, Targets: take.Targets,
		Notes: append([]string{u.title}, statedNotes(take)...)})
	if purpose == "" && u.id == "movement" {
		purpose = "movement"
	}
	o.rules = append(o.rules, rule)
	rollCheck(r, "check/"+skill, r.Creature(c.Id), skill, dc, purpose, o)
	return nil
}

// questionMark is the mark of a question asked of one's knowledge; empty when
// none is named.
//
// rcr.action.skill-free-knowledge
func questionMark(u *use, take *eventv1.TakeAction) string {
	q := spoken.Word(take.Parameters, "question")
	if u.id != "knowledge" || q == "" || len(q) > rules.MaxIDLength {
		return ""
	}
	return "question." + q
}

func askedBefore(_ *rules.Resolution, c *eventv1.Creature, u *use, take *eventv1.TakeAction) error {
	if q := questionMark(u, take); q != "" && c.Marks[q] != "" {
		return refuse("ASKED_BEFORE", cite.ActionSkillFreeKnowledge, "one attempt for each question")
	}
	return nil
}

// contest has two creatures make opposed checks and tells whether the first
// wins; on equal totals nothing changes, so it does not. The other takes its
// better skill of those it may answer with. It says who saw both rolls.
//
// rcr.dice.inspiration-fudge
func contest(r *rules.Resolution, c *eventv1.Creature, skill string, o checkOpts, e *eventv1.Creature, answers []string, label, rule string) (won bool, seen *eventv1.Audience) {
	if incapacitated(e) {
		r.Note(event.Everyone(), e.Id, e.Name+" cannot resist", rule)
		return true, everyone
	}
	o.rules = append(o.rules, rule)
	mine := rollCheck(r, label+"/"+c.Id, c, skill, 0, "contest", o)
	best := answers[0]
	for _, a := range answers[1:] {
		if better(r.State(), e, a, best) {
			best = a
		}
	}
	theirs := rollCheck(r, label+"/"+e.Id, e, best, 0, "contest", checkOpts{rules: []string{rule}})
	// Losing a contest is failing a check: whoever loses may spend inspiration.
	if mine.Total <= theirs.Total {
		mine = fudge(r, label+"/"+c.Id, c, theirs.Total+1, mine, o.audience)
	}
	if mine.Total > theirs.Total {
		theirs = fudge(r, label+"/"+e.Id, e, mine.Total, theirs, nil)
	}
	return mine.Total > theirs.Total, narrower(mine.Audience, theirs.Audience)
}

// narrower is who saw two rolls: what is said of the outcome of both is for them.
func narrower(a, b *eventv1.Audience) *eventv1.Audience {
	a, b = audienceOr(a), audienceOr(b)
	switch {
	case a.Kind == eventv1.Audience_KIND_EVERYONE:
		return b
	case b.Kind == eventv1.Audience_KIND_EVERYONE || a.Kind == b.Kind && slices.Equal(a.Creatures, b.Creatures):
		return a
	}
	return event.GM() // no player saw both
}

// better tells whether a skill promises more than another.
func better(s *eventv1.State, c *eventv1.Creature, a, b string) bool {
	p := weigh(checkEdges(s, c, skillAbility[a], a, "contest"))
	q := weigh(checkEdges(s, c, skillAbility[b], b, "contest"))
	m, _ := skillBonus(c, a)
	n, _ := skillBonus(c, b)
	return p > q || p == q && m > n
}
