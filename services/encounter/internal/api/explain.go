package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Explain says why one event came out as it did.
func (s *Server) Explain(ctx context.Context, req *encounterv1.ExplainRequest) (*encounterv1.ExplainResponse, error) {
	f, _, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	if req.Number == 0 {
		return nil, fault.Field("number", "steps are numbered from 1")
	}
	steps, _, err := s.steps(ctx, f, req.As, req.Number-1, 1)
	if err != nil {
		return nil, err
	}
	if len(steps) == 0 || int(req.Event) >= len(steps[0].Events) {
		return nil, fault.New(fault.NotFound, "UNKNOWN_EVENT", "there is no event %d in step %d", req.Event, req.Number)
	}
	e := steps[0].Events[req.Event]
	return &encounterv1.ExplainResponse{Event: e, Lines: explain(e)}, nil
}

type lines struct {
	out []*encounterv1.ExplainLine
}

func (l *lines) add(rule, format string, args ...any) {
	line := &encounterv1.ExplainLine{Text: fmt.Sprintf(format, args...), Rule: rule}
	if entry, ok := catalogue.Lookup(catalogue.RuleID(rule)); ok {
		line.RuleTitle = entry.Title
	}
	l.out = append(l.out, line)
}

// explain words an event line by line from what it holds: nothing is looked up
// in the rules, since an event says itself where its numbers come from.
func explain(e *eventv1.Event) []*encounterv1.ExplainLine {
	l := &lines{}
	switch w := e.What.(type) {
	case *eventv1.Event_Roll:
		l.roll(w.Roll)
	case *eventv1.Event_Damage:
		l.damage(w.Damage)
	case *eventv1.Event_Attack:
		l.add("", "%s attacks %s with %s: %s %s", w.Attack.Attacker, w.Attack.Target, w.Attack.Weapon, w.Attack.Outcome, w.Attack.Note)
	case *eventv1.Event_Counter:
		l.add("", "%s: %s from %d to %d (%s)", subjectName(w.Counter.Subject), w.Counter.Counter, w.Counter.Was, w.Counter.Value, w.Counter.Cause)
	case *eventv1.Event_ConditionAdded:
		c := w.ConditionAdded.Condition
		l.add(c.Rule, "%s is %s %s: %s", w.ConditionAdded.Creature, c.Name, c.Variant, c.Cause)
	case *eventv1.Event_ConditionRemoved:
		l.add("", "%s is no longer %s: %s", w.ConditionRemoved.Creature, w.ConditionRemoved.Name, w.ConditionRemoved.Cause)
	case *eventv1.Event_InjuryAdded:
		in := w.InjuryAdded.Injury
		l.add(in.Rule, "%s: %s %s %s: %s", w.InjuryAdded.Creature, in.Kind, in.Side, in.Part, in.Cause)
	case *eventv1.Event_Life:
		l.add("", "%s is %s: %s", w.Life.Creature, lifeWord(w.Life.Status), w.Life.Cause)
	case *eventv1.Event_Note:
		l.add("", "%s", w.Note.Text)
	default:
		l.add("", "%s", strings.ReplaceAll(event.Kind(e), "_", " "))
	}
	for _, rule := range e.Rules {
		if rule != "" {
			l.add(rule, "under %s", rule)
		}
	}
	return l.out
}

func (l *lines) roll(r *eventv1.Roll) {
	l.add("", "%s rolls %s: %s", subjectName(r.Creature), r.Expression, r.Reason)
	for _, e := range r.Edges {
		side := "disadvantage"
		if e.Advantage {
			side = "advantage"
		}
		if e.Stated {
			side = "stated " + side
		}
		l.add(e.Rule, "%s: %s", side, e.Source)
	}
	for _, d := range r.Dice {
		kept := "counts"
		if !d.Kept {
			kept = "does not count"
		}
		l.add("", "d%d shows %d, %s %s", d.Sides, d.Face, kept, strings.Join(d.Notes, ", "))
	}
	l.add("", "dice come to %d", r.Value)
	for _, m := range r.Modifiers {
		l.add(m.Rule, "%+d %s", m.Value, m.Source)
	}
	l.add("", "total %d", r.Total)
	if t := r.Target; t != nil {
		for _, m := range t.Modifiers {
			l.add(m.Rule, "%s: %+d %s", t.Kind, m.Value, m.Source)
		}
		l.add("", "against %s %d: %s", t.Kind, t.Value, r.Outcome)
	}
	if r.Supplied {
		l.add("", "the faces were supplied by people")
	}
}

func (l *lines) damage(d *eventv1.Damage) {
	for _, p := range d.Parts {
		if p.Rolled == p.Taken && p.Note == "" {
			l.add(p.Rule, "%d %s", p.Taken, p.Type)
			continue
		}
		l.add(p.Rule, "%d %s, %d taken: %s", p.Rolled, p.Type, p.Taken, p.Note)
	}
	if d.Soaked > 0 {
		l.add("", "%d soaked by temporary hit points", d.Soaked)
	}
	l.add("", "%s takes %d from %s", d.Target, d.Amount, d.Cause)
}

func subjectName(s string) string {
	if s == "" {
		return "the encounter"
	}
	return s
}

func lifeWord(s eventv1.LifeStatus) string {
	return strings.ToLower(strings.TrimPrefix(s.String(), "LIFE_STATUS_"))
}
