package checks

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckNames: one line lists checks, the skills, tools and abilities are its choices.
// A command may name them with capitals; what is none is refused with those known.
func CheckNames(at *play.At) []string {
	if at.Listing {
		return Bare
	}
	return []string{at.Item()}
}

// UseSaid is the purpose of a check as it is said; none said is something else.
func UseSaid(at *play.At) *use {
	if u := UseOf(spoken.Word(at.Take.Parameters, "use")); u != nil {
		return u
	}
	return UseOf("other")
}

// Serves tells whether a skill serves a purpose.
func (u *use) Serves(skill string) bool {
	return len(u.Skills) == 0 || slices.Contains(u.Skills, skill)
}

// Purpose is what a check for it costs now, and why that cannot be paid.
type Purpose struct {
	*use
	Counter string
	Err     error
}

// NewPurpose is a use of a check with the counter that it costs, and why that cannot
// be paid; nil when it can.
func NewPurpose(u *use, counter string, err error) Purpose { return Purpose{u, counter, err} }

// RefuseOther says why a check for something else cannot be paid for.
func RefuseOther(at *play.At) error {
	counter, rule := UseOf("other").CostOf(at.State)
	return RefuseCost(at.State, at.Actor, counter, rule)
}

// CheckFieldsOf are the words of a check in a fight; a command may also say its
// purpose, its question and the kit.
func CheckFieldsOf(at *play.At) []play.Field {
	if !at.Listing {
		return body.KitField(append(body.CheckFields(at, false), play.Field{Name: "use"}, play.Field{Name: "question"}), at, "")
	}
	return body.CheckFields(at, false)
}

// CheckCheck says why a check cannot be made as said: a skill that does not serve
// its purpose, a question asked before, a missing kit, or inspiration that is not
// there.
func CheckCheck(at *play.At) error {
	u, skill := UseSaid(at), strings.ToLower(at.Item())
	if !u.Serves(skill) || body.RefuseSkill(at.Actor, skill) != nil {
		known := u.Skills
		if len(known) == 0 {
			known = body.SkillNames(at.Actor)
		}
		return body.NoSuch("take.item", at.Item(), "skill, tool or ability for a check "+u.title, known)
	}
	if err := refuseLong(at.Take); err != nil {
		return err
	}
	if at.Actor.Marks[questionMark(u, at.Take)] != "" { // no mark is without a name
		return body.Refuse("ASKED_BEFORE", cite.ActionSkillFreeKnowledge, "one attempt for each question")
	}
	return body.FirstError(body.RefuseKitFor(at.Actor, at.Take, skill), body.RefuseInspired(at.Actor, at.Take))
}

// DoCheck makes a check of a skill, a tool or an ability for a purpose that
// says what it costs.
func DoCheck(r *rules.Resolution, at *play.At) error {
	c, take, u, skill := r.Creature(at.Actor.Id), at.Take, UseSaid(at), strings.ToLower(at.Item())
	dc, purpose, o := body.ReadCheck(take)
	if len(take.Targets) == 1 && (u.Id == "influence" || u.Id == "surrender") && CharmedBy(r.Creature(take.Targets[0]), c.Id) {
		o.Edges = append(o.Edges, dice.Adv("charmed", "the other is charmed", cite.BaseFifthEditionFallback))
	}
	counter, rule := u.CostFor(r.State(), c, skill)
	payCheck(r, c, take, counter, rule)
	body.ExpendKit(r, c.Id, take)
	if q := questionMark(u, take); q != "" {
		r.Flag(c.Id, q, true, cite.ActionSkillFreeKnowledge)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "check", Item: skill, Targets: take.Targets,
		Notes: append([]string{u.title}, body.StatedNotes(take)...)})
	if purpose == "" && u.Id == "movement" {
		purpose = "movement"
	}
	o.Rules = append(o.Rules, rule)
	dice.RollCheck(r, "check/"+skill, r.Creature(c.Id), skill, dc, purpose, o)
	return nil
}

// payCheck takes what a check costs.
func payCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, counter, rule string) {
	if counter, rule, _ = DueCheck(r.State(), c, take, counter, rule); counter != "" {
		body.Spend(r, c.Id, counter, take.Action, rule)
	}
}
