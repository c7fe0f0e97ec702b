package checks

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// use is a purpose of a check in a fight and what it costs: as the document lists it
// where its own switch or the variant as a whole is on, else as in the fifth edition.
type use struct {
	Id, title string
	// Skills that belong to it; empty means any.
	Skills []string
	// rule is the switch; cost when it or the whole variant is on; fifth when both are
	// off.
	rule, cost, fifth string
}

// Uses are the purposes; the purpose decides, not the skill alone.
//
// rcr.action.skill-free-movement, rcr.action.skill-free-knowledge,
// rcr.action.skill-bonus-influence, rcr.action.skill-bonus-search,
// rcr.action.skill-bonus-insight, rcr.action.skill-action-performance,
// rcr.action.skill-action-steal, rcr.action.skill-action-track,
// rcr.action.skill-action-exertion, rcr.action.skill-action-surrender
var Uses = []use{
	{"movement", "as part of movement", []string{"acrobatics", "athletics"}, cite.ActionSkillFreeMovement, "", ""},
	{"knowledge", "to recall knowledge", []string{"arcana", "history", "nature", "religion"}, cite.ActionSkillFreeKnowledge, "", ""},
	{"influence", "to influence a creature", []string{"animal handling", "deception", "persuasion", "intimidation"}, cite.ActionSkillBonusInfluence, body.CBonus, body.CAction},
	{"search", "to search", []string{"perception", "investigation"}, cite.ActionSkillBonusSearch, body.CBonus, body.CAction},
	{"read", "to read a creature", []string{"insight"}, cite.ActionSkillBonusInsight, body.CBonus, body.CAction},
	{"pretend", "to appear as something else", []string{"performance"}, cite.ActionSkillActionPerformance, body.CAction, body.CAction},
	{"steal", "to take something from an enemy", []string{"sleight of hand"}, cite.ActionSkillActionSteal, body.CAction, body.CAction},
	{"hide", "to hide", []string{"stealth"}, cite.ActionSkillActionHide, body.CAction, body.CAction},
	{"track", "to track", []string{"survival"}, cite.ActionSkillActionTrack, body.CAction, body.CAction},
	{"surrender", "to demand surrender", []string{"intimidation"}, cite.ActionSkillActionSurrender, body.CAction, body.CAction},
	{"exertion", "of exertion or complexity", nil, cite.ActionSkillActionExertion, body.CAction, body.CAction},
	{"other", "for something else", nil, cite.ActionSkillDefaultBonus, body.CBonus, body.CAction},
}

// UseOf finds a purpose of a check by its id; nil when there is none.
func UseOf(id string) *use {
	for i := range Uses {
		if Uses[i].Id == id {
			return &Uses[i]
		}
	}
	return nil
}

// CostOf is the counter that a check spends, empty for none, and the rule that
// says so. The variant's default goes with the lists that follow it: with it alone
// hiding or stealing is an action, as they say.
//
// rcr.action.skill-default-bonus
func (u *use) CostOf(s *eventv1.State) (counter, rule string) {
	switch {
	case body.Defaults.On(s, u.rule):
		return u.cost, u.rule
	case body.Defaults.On(s, cite.ActionSkillDefaultBonus):
		return u.cost, cite.ActionSkillDefaultBonus
	}
	return u.fifth, cite.BaseFifthEditionFallback
}

// CostFor is that for a creature and what the check is made with.
//
// rcr.feat.legerdemain-tools-bonus-action
func (u *use) CostFor(s *eventv1.State, c *eventv1.Creature, skill string) (counter, rule string) {
	counter, rule = u.CostOf(s)
	const feat = cite.FeatLegerdemainToolsBonusAction
	if counter == body.CAction && strings.EqualFold(skill, "thieves' tools") && c.GetCounters()[body.CBonus] > 0 && body.Feat(s, c, body.FeatLegerdemain, feat) {
		return body.CBonus, feat
	}
	return counter, rule
}

// RefuseCost says why a cost cannot be paid, naming the rule that asks for it.
func RefuseCost(s *eventv1.State, c *eventv1.Creature, counter, rule string) error {
	var err error
	switch counter {
	case body.CAction:
		err = NeedAction(c)
	case body.CBonus:
		err = NeedBonus(s, c)
	}
	if f, ok := fault.As(err); ok && rule != "" && f.Rule == cite.BaseFifthEditionFallback {
		return body.Refuse(f.Reason, rule, "%s", f.Message)
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

// DueCheck is what a check costs, by the rules or as stated; an error says why
// it cannot be paid.
func DueCheck(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, counter, rule string) (due, by string, err error) {
	if given, ok := statedCost(take); ok {
		counter, rule = given, ""
	}
	return counter, rule, RefuseCost(s, c, counter, rule)
}

// questionMark is the mark of a question asked of one's knowledge; empty when
// none is named.
//
// rcr.action.skill-free-knowledge
func questionMark(u *use, take *eventv1.TakeAction) string {
	q := spoken.Word(take.Parameters, "question")
	if u.Id != "knowledge" || q == "" {
		return ""
	}
	return "question." + q
}

// refuseLong says that a question is too long to be remembered, and so to be asked
// once.
//
// rcr.action.skill-free-knowledge
func refuseLong(take *eventv1.TakeAction) error {
	if len(spoken.Word(take.Parameters, "question")) > rules.MaxIDLength {
		return fault.Field("take.parameters.question", "must be at most %d bytes", rules.MaxIDLength)
	}
	return nil
}

// Contest has two creatures make opposed checks and tells whether the first
// wins; on equal totals nothing changes, so it does not. The other takes its
// better skill of those it may answer with. It says who saw both rolls.
//
// rcr.dice.inspiration-fudge
func Contest(r *rules.Resolution, c *eventv1.Creature, skill string, o body.CheckOpts, e *eventv1.Creature, answers []string, label, rule string) (won bool, seen *eventv1.Audience) {
	if body.Incapacitated(e) {
		r.Note(event.Everyone(), e.Id, e.Name+" cannot resist", rule)
		return true, dice.Everyone
	}
	o.Rules = append(o.Rules, rule)
	mine := dice.RollCheck(r, label+"/"+c.Id, c, skill, 0, "contest", o)
	best := answers[0]
	for _, a := range answers[1:] {
		if Better(r.State(), e, a, best) {
			best = a
		}
	}
	theirs := dice.RollCheck(r, label+"/"+e.Id, e, best, 0, "contest", body.CheckOpts{Rules: []string{rule}})
	// Losing a contest is failing a check: whoever loses may spend inspiration.
	if mine.Total <= theirs.Total {
		mine = dice.Fudge(r, label+"/"+c.Id, c, theirs.Total+1, mine, o.Audience)
	}
	if mine.Total > theirs.Total {
		theirs = dice.Fudge(r, label+"/"+e.Id, e, mine.Total, theirs, nil)
	}
	return mine.Total > theirs.Total, dice.Narrower(mine.Audience, theirs.Audience)
}

// Better tells whether a skill promises more than another.
func Better(s *eventv1.State, c *eventv1.Creature, a, b string) bool {
	p := dice.Weigh(dice.CheckEdges(s, c, body.SkillAbility[a], a, "contest"))
	q := dice.Weigh(dice.CheckEdges(s, c, body.SkillAbility[b], b, "contest"))
	m, _ := body.SkillBonus(c, a)
	n, _ := body.SkillBonus(c, b)
	return p > q || p == q && m > n
}
