package rules

import (
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ask puts a decision and returns its answer. When nobody has answered, the
// run stops here and goes on once somebody has. The id is made from the label;
// a decision that was answered ahead (with the command or by a standing order)
// is never opened.
func (r *Resolution) Ask(label string, d *eventv1.Decision) *eventv1.Answer {
	return r.AskAll(map[string]*eventv1.Decision{label: d}, []string{label})[label]
}

// AskAll puts several decisions at once; all are open at the same time and may
// be answered in any order. The labels give the order in which they are opened.
func (r *Resolution) AskAll(decisions map[string]*eventv1.Decision, labels []string) map[string]*eventv1.Answer {
	answers := map[string]*eventv1.Answer{}
	byID := map[string]string{}
	var ask []*eventv1.Decision
	for _, label := range labels {
		full, index := r.address("decision/" + label)
		d := decisions[label]
		d.Id = r.decisionID(full, index, d.Name, d.Creature)
		byID[d.Id] = label
		if a, by := r.ahead(d); a != nil {
			answers[label] = a
			r.answered(d, a, by)
			continue
		}
		ask = append(ask, d)
	}
	if len(ask) == 0 {
		return answers
	}
	// order-free: a map is copied into a map
	for id, a := range r.open(ask) {
		answers[byID[id]] = a
	}
	return answers
}

// Decide puts one decision whose id is already set.
func (r *Resolution) Decide(d *eventv1.Decision) *eventv1.Answer {
	return r.open([]*eventv1.Decision{d})[d.Id]
}

// open opens decisions, takes the recorded answers in the order they came, and
// suspends when any is missing.
func (r *Resolution) open(ask []*eventv1.Decision) map[string]*eventv1.Answer {
	answers := map[string]*eventv1.Answer{}
	byID := map[string]*eventv1.Decision{}
	for _, d := range ask {
		byID[d.Id] = d
		r.Emit(decisionAudience(d), &eventv1.DecisionRequested{Decision: d}, d.Rule)
	}
	for {
		in := r.recorded(func(in *eventv1.Input) bool {
			d := byID[in.GetAnswer().GetId()]
			return d != nil && answers[d.Id] == nil && answersTo(d, in)
		})
		if in == nil {
			break
		}
		a := in.GetAnswer()
		r.Emit(decisionAudience(byID[a.Id]), a, byID[a.Id].Rule)
		answers[a.Id] = a.Answer
	}
	if len(answers) == len(ask) {
		return answers
	}
	var open []*eventv1.Decision
	for _, d := range ask {
		if answers[d.Id] == nil {
			open = append(open, d)
		}
	}
	panic(suspension{open})
}

// suspend opens decisions that cannot have been answered yet.
func (r *Resolution) suspend(ds ...*eventv1.Decision) {
	for _, d := range ds {
		r.Emit(decisionAudience(d), &eventv1.DecisionRequested{Decision: d}, d.Rule)
	}
	panic(suspension{ds})
}

func decisionAudience(d *eventv1.Decision) *eventv1.Audience {
	if d.GmOnly || d.Creature == "" {
		return event.GM()
	}
	return event.Controllers(d.Creature)
}

func (r *Resolution) hasRecordedAnswer(d *eventv1.Decision) bool {
	for i, in := range r.req.Recorded {
		if !r.used[i] && answersTo(d, in) {
			return true
		}
	}
	return false
}

// answersTo tells whether a recorded input answers a decision as it is asked
// now: what a ruling changed may have left other options.
func answersTo(d *eventv1.Decision, in *eventv1.Input) bool {
	a := in.GetAnswer()
	return a != nil && a.Id == d.Id && CheckAnswer(d, a.Answer) == nil
}

// ahead finds an answer given before the question: recorded as such, given
// with the command, or by a standing order.
func (r *Resolution) ahead(d *eventv1.Decision) (*eventv1.Answer, string) {
	if in := r.recorded(func(in *eventv1.Input) bool {
		return answersTo(d, in) && (in.GetAnswer().By == "early" || in.GetAnswer().By == "standing-order")
	}); in != nil {
		return in.GetAnswer().Answer, in.GetAnswer().By
	}
	if r.hasRecordedAnswer(d) {
		return nil, "" // it was asked and answered
	}
	answer, by := r.earlyAnswer(d)
	if answer == nil {
		return nil, ""
	}
	r.record(&eventv1.Input{Label: d.Label, What: &eventv1.Input_Answer{Answer: answeredEvent(d, answer, by)}})
	return answer, by
}

func (r *Resolution) earlyAnswer(d *eventv1.Decision) (*eventv1.Answer, string) {
	for _, e := range r.req.Early {
		if e.Decision == d.Name && (e.Creature == "" || e.Creature == d.Creature) {
			if err := CheckAnswer(d, e.Answer); err != nil {
				r.fail(err)
			}
			return e.Answer, "early"
		}
	}
	order := r.state.Creatures[d.Creature].GetStandingOrders()[d.Name]
	if order == "" || order == "ask" {
		return nil, ""
	}
	a := &eventv1.Answer{Option: order}
	if CheckAnswer(d, a) != nil {
		return nil, "" // the order does not fit this question: ask
	}
	return a, "standing-order"
}

func (r *Resolution) answered(d *eventv1.Decision, a *eventv1.Answer, by string) {
	r.Emit(decisionAudience(d), answeredEvent(d, a, by), d.Rule)
}

func answeredEvent(d *eventv1.Decision, a *eventv1.Answer, by string) *eventv1.DecisionAnswered {
	return &eventv1.DecisionAnswered{Id: d.Id, Name: d.Name, Creature: d.Creature, Answer: a, By: by}
}

// CheckAnswer says whether an answer fits a decision.
func CheckAnswer(d *eventv1.Decision, a *eventv1.Answer) error {
	switch d.Kind {
	case eventv1.DecisionKind_DECISION_KIND_NUMBER:
		if a.GetNumber() < d.Minimum || a.GetNumber() > d.Maximum {
			return fault.Field("answer.number", "%d is not from %d to %d", a.GetNumber(), d.Minimum, d.Maximum)
		}
	case eventv1.DecisionKind_DECISION_KIND_DICE:
		if len(a.GetFaces()) == 0 {
			return fault.Field("answer.faces", "%s needs faces", d.Expression)
		}
	default:
		if !slices.ContainsFunc(d.Options, func(o *eventv1.DecisionOption) bool { return o.Id == a.GetOption() }) {
			return fault.Field("answer.option", "%q is not one of %s", a.GetOption(), optionIDs(d))
		}
	}
	return nil
}

func optionIDs(d *eventv1.Decision) string {
	var ids []string
	for _, o := range d.Options {
		ids = append(ids, o.Id)
	}
	return fmt.Sprint(ids)
}

// Answered makes the recorded input of an answer to an open decision.
func Answered(d *eventv1.Decision, a *eventv1.Answer, by string) *eventv1.Input {
	return &eventv1.Input{Label: d.Label, What: &eventv1.Input_Answer{Answer: answeredEvent(d, a, by)}}
}

// YesNo makes a decision between "yes" and "no".
func YesNo(name, creature, cause, question, defaultOption, rule string) *eventv1.Decision {
	return &eventv1.Decision{Name: name, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: creature,
		Cause: cause, Question: question, DefaultOption: defaultOption, Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: "yes", Text: "Yes"}, {Id: "no", Text: "No"}}}
}
