package rules

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// How an answer came, in DecisionAnswered.by.
const (
	byEarly    = "early"          // given with the command, before it was asked
	byOrder    = "standing-order" // settled ahead for this kind of decision
	bySetting  = "setting"        // the table decides it by default
	bySetAside = "set-aside"      // given ahead and none of the answers allowed
)

// Ask puts a decision and returns its answer. When nobody has answered, the
// run stops here and goes on once somebody has. The id is made from the label;
// a decision that was answered ahead (with the command or by a standing order)
// is never opened.
func (r *Resolution) Ask(label string, d *eventv1.Decision) *eventv1.Answer {
	if a := r.settled(label, d); a != nil {
		return a
	}
	return r.Decide(d)
}

// settled gives a decision its id, and the answer where it was answered ahead; nil when
// it must be opened.
func (r *Resolution) settled(label string, d *eventv1.Decision) *eventv1.Answer {
	full, index := r.address("decision/" + label)
	d.Id = r.decisionID(full, index, d.Name, d.Creature)
	a, by := r.ahead(d)
	if a != nil {
		r.answered(d, a, by)
	}
	return a
}

// AskAll puts several decisions at once; all are open at the same time and may
// be answered in any order. The labels give the order in which they are opened.
func (r *Resolution) AskAll(decisions map[string]*eventv1.Decision, labels []string) map[string]*eventv1.Answer {
	answers := make(map[string]*eventv1.Answer, len(labels))
	var ask []*eventv1.Decision
	var asked []string
	for _, label := range labels {
		if a := r.settled(label, decisions[label]); a != nil {
			answers[label] = a
			continue
		}
		ask, asked = append(ask, decisions[label]), append(asked, label)
	}
	if len(ask) == 0 {
		return answers
	}
	for i, a := range r.open(ask) {
		answers[asked[i]] = a
	}
	return answers
}

// Decide puts one decision whose id is already set.
func (r *Resolution) Decide(d *eventv1.Decision) *eventv1.Answer {
	return r.open([]*eventv1.Decision{d})[0]
}

// open opens decisions, takes the recorded answers in the order they came, and
// suspends when any is missing.
func (r *Resolution) open(ask []*eventv1.Decision) []*eventv1.Answer {
	answers := make([]*eventv1.Answer, len(ask))
	heard := make([]*eventv1.Audience, len(ask))
	for i, d := range ask {
		heard[i] = decisionAudience(d)
		r.Emit(heard[i], &eventv1.DecisionRequested{Decision: d}, d.Rule)
	}
	for open := ask; len(open) > 0; open = unanswered(ask, answers) {
		r.recallFaces(placeOf(open))
		in := r.recorded(func(in *eventv1.Input) bool {
			return slices.ContainsFunc(open, func(d *eventv1.Decision) bool { return answersTo(d, in) })
		})
		if in == nil {
			r.setFacesAside(placeOf(open))
			if in = r.answeredNow(open); in == nil {
				panic(suspension{open})
			}
		}
		a := in.GetAnswer()
		i := withID(ask, a.Id)
		r.Emit(heard[i], a, ask[i].Rule)
		answers[i] = a.Answer
	}
	return answers
}

// withID is where a decision stands; -1 when it is none of them.
func withID(decisions []*eventv1.Decision, id string) int {
	return slices.IndexFunc(decisions, func(d *eventv1.Decision) bool { return d.Id == id })
}

// unanswered are the decisions that have no answer yet.
func unanswered(ask []*eventv1.Decision, answers []*eventv1.Answer) (open []*eventv1.Decision) {
	for i, d := range ask {
		if answers[i] == nil {
			open = append(open, d)
		}
	}
	return open
}

// suspend opens a decision that cannot have been answered yet; run again before it is,
// what was said there is said again.
func (r *Resolution) suspend(d *eventv1.Decision) {
	r.Emit(decisionAudience(d), &eventv1.DecisionRequested{Decision: d}, d.Rule)
	place := placeOf([]*eventv1.Decision{d})
	r.recallFaces(place)
	r.setFacesAside(place)
	panic(suspension{[]*eventv1.Decision{d}})
}

func decisionAudience(d *eventv1.Decision) *eventv1.Audience {
	if d.GmOnly || d.Creature == "" {
		return event.GM()
	}
	return event.Controllers(d.Creature)
}

func (r *Resolution) hasRecordedAnswer(d *eventv1.Decision) bool {
	return slices.ContainsFunc(r.req.Recorded, func(in *eventv1.Input) bool { return answersTo(d, in) })
}

// wasAsked tells whether a decision is open since an earlier run of the action: then
// nothing is ahead of it any more.
func (r *Resolution) wasAsked(id string) bool {
	return slices.ContainsFunc(r.req.Published, func(e *eventv1.Event) bool { return e.GetDecisionRequested().GetDecision().GetId() == id })
}

// answersTo tells whether a recorded input answers a decision as it is asked
// now: what a ruling changed may have left other options.
func answersTo(d *eventv1.Decision, in *eventv1.Input) bool {
	a := in.GetAnswer()
	return a != nil && a.Id == d.Id && a.By != bySetAside && CheckAnswer(d, a.Answer) == nil
}

// ahead finds an answer given before the question: recorded as such, given
// with the command, by a standing order, or by the table's setting.
func (r *Resolution) ahead(d *eventv1.Decision) (*eventv1.Answer, string) {
	if in := r.recorded(func(in *eventv1.Input) bool {
		return answersTo(d, in) && slices.Contains([]string{byEarly, byOrder, bySetting}, in.GetAnswer().By)
	}); in != nil {
		return in.GetAnswer().Answer, in.GetAnswer().By
	}
	var aside []*eventv1.Answer
	for {
		in := r.recorded(func(in *eventv1.Input) bool {
			a := in.GetAnswer()
			return a.GetId() == d.Id && a.GetName() == d.Name && a.GetBy() == bySetAside
		})
		if in == nil {
			break
		}
		aside = append(aside, in.GetAnswer().Answer)
		r.sayAside(d, in.GetAnswer().Answer)
	}
	if r.hasRecordedAnswer(d) || r.wasAsked(d.Id) {
		return nil, "" // it was asked, and is answered or not
	}
	answer, by := r.earlyAnswer(d, aside)
	if answer == nil {
		return nil, ""
	}
	r.record(&eventv1.Input{Label: d.Label, What: &eventv1.Input_Answer{Answer: answeredEvent(d, answer, by)}})
	return answer, by
}

// earlyAnswer finds an answer given ahead by somebody whose decision it is. One
// that is none of the answers allowed is set aside and said so, and the question
// is asked: a refusal would tell that it came up (T2). aside are those that were
// set aside before.
func (r *Resolution) earlyAnswer(d *eventv1.Decision, aside []*eventv1.Answer) (*eventv1.Answer, string) {
	for _, e := range r.req.Early {
		if e.Decision != d.Name || (e.Creature != "" && e.Creature != d.Creature) || !r.mayAnswer(e.By, d) {
			continue
		}
		if CheckAnswer(r.shownTo(d, e.By), e.Answer) == nil {
			return e.Answer, byEarly
		}
		if !slices.ContainsFunc(aside, func(a *eventv1.Answer) bool { return proto.Equal(a, e.Answer) }) {
			aside = append(aside, e.Answer)
			r.record(&eventv1.Input{Label: d.Label, What: &eventv1.Input_Answer{Answer: answeredEvent(d, e.Answer, bySetAside)}})
			r.sayAside(d, e.Answer)
		}
	}
	a, asks := r.standing(d)
	switch {
	case asks:
		return nil, ""
	case a != nil:
		return a, byOrder
	}
	if a := r.decidedByTable(d); a != nil {
		return a, bySetting
	}
	return nil, ""
}

// sayAside tells that an answer is set aside. The words are of what the audience
// is shown and said itself, so that they go to it as they are.
func (r *Resolution) sayAside(d *eventv1.Decision, a *eventv1.Answer) {
	text := fmt.Sprintf("the answer given ahead to %s is set aside: %v", d.Name, faultText(CheckAnswer(r.asShown(d), a)))
	r.events = append(r.events, event.New(decisionAudience(d), &eventv1.Note{Creature: d.Creature, Text: text}))
}

// shownTo is a decision as somebody who answers it ahead would be asked: without
// the options that the game master alone sees.
func (r *Resolution) shownTo(d *eventv1.Decision, p *eventv1.Principal) *eventv1.Decision {
	if p == nil || p.Role == eventv1.Principal_ROLE_GM {
		return d
	}
	return r.asShown(d)
}

func (r *Resolution) asShown(d *eventv1.Decision) *eventv1.Decision {
	if !r.veils {
		return d
	}
	return event.Veil(r.state, event.New(decisionAudience(d), &eventv1.DecisionRequested{Decision: d}))[0].GetDecisionRequested().Decision
}

func faultText(err error) string {
	if f, ok := fault.As(err); ok { // of an answer that does not fit: it names the field
		return f.Violations[0].Description
	}
	return fmt.Sprint(err)
}

// mayAnswer tells whether a decision is a principal's to answer; nil is the
// game master, who may answer for anyone.
func (r *Resolution) mayAnswer(p *eventv1.Principal, d *eventv1.Decision) bool {
	return p == nil || MayAnswer(r.state, p, d)
}

// MayAnswer tells whether the principal may answer a decision, and so whether
// it exists for the principal at all.
func MayAnswer(s *eventv1.State, p *eventv1.Principal, d *eventv1.Decision) bool {
	if p.GetRole() == eventv1.Principal_ROLE_GM {
		return true
	}
	return !d.GmOnly && d.Creature != "" && event.Controls(s.Creatures[d.Creature], p)
}

// Ahead makes the answers that a principal gives ahead its own, and refuses
// those that name the decision of somebody else's creature. The words do not
// depend on whether there is such a creature, or whether the decision would come
// up. Answers without a creature are for those that the principal may answer.
func Ahead(s *eventv1.State, by *eventv1.Principal, field string, answers []*eventv1.EarlyAnswer) error {
	for i, e := range answers {
		if e == nil {
			return fault.Field(field+"["+itoa(i)+"]", "missing")
		}
		e.By = by
		if by.GetRole() != eventv1.Principal_ROLE_GM && e.Creature != "" && !event.Controls(s.Creatures[e.Creature], by) {
			f := fault.New(fault.Denied, "NOT_YOUR_DECISION", "%s[%d].creature: you control no creature %q, and only its own decisions are answered ahead", field, i, e.Creature)
			f.Violations = []fault.Violation{{Field: field + "[" + itoa(i) + "].creature", Description: "is not yours"}}
			return f
		}
	}
	return nil
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
		if err := FacesFit(d.Expression, a.GetFaces()); err != nil {
			return fault.Field("answer.faces", "%v", err)
		}
	default:
		ids := optionIDs(d)
		if !slices.Contains(ids, a.GetOption()) {
			return fault.Field("answer.option", "%q is not one of %s%s", a.GetOption(), strings.Join(ids, ", "), DidYouMean(a.GetOption(), ids))
		}
	}
	return nil
}

// FacesFit says why faces are not those of one roll of an expression; nil when
// they are.
func FacesFit(expression string, faces []int32) error {
	expr, err := dice.Parse(expression)
	if err != nil {
		return err
	}
	res, err := expr.Eval(dice.List(ints(faces)...), dice.Limits{})
	switch {
	case len(faces) < len(expr.Needs()):
		return fmt.Errorf("%s is %s, %d given", expression, wanted(expr), len(faces))
	case err != nil:
		return fmt.Errorf("%v are no faces of %s: %w", faces, expression, err)
	case len(res.Faces) != len(faces):
		return fmt.Errorf("%s takes %d faces here, %d given", expression, len(res.Faces), len(faces))
	}
	return nil
}

// wanted says in words what dice an expression takes: "2 dice of 6 sides, then
// 1 of 4".
func wanted(expr *dice.Expr) string {
	needs := expr.Needs()
	var parts []string
	for i := 0; i < len(needs); {
		j := i
		for j < len(needs) && needs[j] == needs[i] {
			j++
		}
		noun := " "
		if len(parts) == 0 {
			noun = " dice "
			if j-i == 1 {
				noun = " die "
			}
		}
		parts = append(parts, fmt.Sprintf("%d%sof %d sides", j-i, noun, needs[i]))
		i = j
	}
	if len(parts) == 0 {
		return "no dice"
	}
	return strings.Join(parts, ", then ")
}

func optionIDs(d *eventv1.Decision) []string {
	var ids []string
	for _, o := range d.Options {
		ids = append(ids, o.Id)
	}
	return ids
}

// Answered makes the recorded input of an answer to an open decision.
func Answered(d *eventv1.Decision, a *eventv1.Answer, by string) *eventv1.Input {
	return &eventv1.Input{Label: d.Label, What: &eventv1.Input_Answer{Answer: answeredEvent(d, a, by)}}
}

// About says whom a decision is about: who provokes, attacks, casts. It returns the
// decision.
func About(d *eventv1.Decision, creatures ...string) *eventv1.Decision {
	d.Against = creatures
	return d
}

// YesNo makes a decision between "yes" and "no".
func YesNo(name, creature, cause, question, defaultOption, rule string) *eventv1.Decision {
	return &eventv1.Decision{Name: name, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: creature,
		Cause: cause, Question: question, DefaultOption: defaultOption, Rule: rule,
		Options: []*eventv1.DecisionOption{{Id: "yes", Text: "Yes"}, {Id: "no", Text: "No"}}}
}
