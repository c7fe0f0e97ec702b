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

// skillNames are all skills and the tools of a creature, in order.
func skillNames(c *eventv1.Creature) []string {
	return slices.Concat(plainSkills, toolNames(c), abilities)
}

// plainSkills are the skills that every creature has.
var plainSkills = rules.SortedKeys(skillAbility)

// plainSkill tells whether a name is a skill or an ability, which every creature has.
func plainSkill(name string) bool {
	_, ok := skillAbility[name]
	return ok || slices.Contains(abilities, name)
}

// toolNames are the tools of a creature, in the order of the sheet.
func toolNames(c *eventv1.Creature) (names []string) {
	for _, t := range sheetOf(c).Tools {
		names = append(names, t.Name)
	}
	return names
}

// readCheck reads what is common to checks out of a command.
func readCheck(take *eventv1.TakeAction) (dc int32, purpose string, o checkOpts) {
	dc, _ = spoken.Number(take.Parameters, "dc")
	purpose = spoken.Word(take.Parameters, "sense")
	target := ""
	if len(take.Targets) == 1 {
		target = take.Targets[0]
	}
	o.edges, o.modifiers = statedEdges(take.Circumstances, target)
	o.kinds = renamed(take.Facts, "kinds")
	o.inspiration = spoken.Truth(take.Parameters, "inspiration")
	return dc, purpose, o
}

// expendKit takes the use of a kit that a check is made with.
func expendKit(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	if spoken.Truth(take.Parameters, "kit") {
		spend(r, id, cKit, "a Medicine check with the kit", cite.HealingKitUseExpended)
	}
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
