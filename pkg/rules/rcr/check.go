package rcr

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func checkActions() []*action { return nil }

func joinIDs(ids []string) string { return strings.Join(ids, ",") }

// contest has two creatures make opposed checks and tells whether the first
// wins; on equal totals nothing changes, so it does not. The other takes its
// better skill of those it may answer with.
func contest(r *rules.Resolution, c *eventv1.Creature, skill string, o checkOpts, e *eventv1.Creature, answers []string, label, rule string) bool {
	o.rules = append(o.rules, rule)
	mine := rollCheck(r, label+"/"+c.Id, c, skill, 0, "contest", o)
	if incapacitated(e) {
		return true // it cannot resist
	}
	best := answers[0]
	for _, a := range answers[1:] {
		if better(r.State(), e, a, best) {
			best = a
		}
	}
	theirs := rollCheck(r, label+"/"+e.Id, e, best, 0, "contest", checkOpts{rules: []string{rule}})
	return mine.Total > theirs.Total
}

// better tells whether a skill promises more than another.
func better(s *eventv1.State, c *eventv1.Creature, a, b string) bool {
	p := weigh(checkEdges(s, c, skillAbility[a], a, "contest"))
	q := weigh(checkEdges(s, c, skillAbility[b], b, "contest"))
	m, _ := skillBonus(c, a)
	n, _ := skillBonus(c, b)
	return p > q || p == q && m > n
}
