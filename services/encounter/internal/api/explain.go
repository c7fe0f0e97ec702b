package api

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Explain says why one event came out as it did.
func (s *Server) Explain(ctx context.Context, req *encounterv1.ExplainRequest) (*encounterv1.ExplainResponse, error) {
	f, _, release, err := s.open(ctx, req.As, req.Table, req.Encounter)
	if err != nil {
		return nil, err
	}
	defer release()
	if req.Number == 0 {
		return nil, fault.Field("number", "steps are numbered from 1")
	}
	read := s.steps
	if req.Within > 0 {
		read = s.within(req.Within)
	}
	steps, _, err := read(ctx, f, req.As, req.Number-1, 1)
	if err != nil {
		return nil, err
	}
	var events []*eventv1.Event
	if len(steps) > 0 {
		if events = steps[0].Events; req.Before {
			events = formerly(steps[0])
		}
	}
	if int(req.Event) >= len(events) {
		return nil, fault.New(fault.NotFound, "UNKNOWN_EVENT", "there is no event %d in step %d", req.Event, req.Number)
	}
	e := events[req.Event]
	style := render.Style{Bookkeeping: true, Labels: true}
	f.View(req.As, func(v *replica.View) { style.Names = render.Names(v.State) })
	style.Learn(events)
	var state *eventv1.State
	f.Read(func(r *replica.Replica) {
		state = &eventv1.State{System: r.State().System, Packs: slices.Clone(r.State().Packs)}
	})
	book, err := s.Engine.Book(ctx, f, state)
	if err != nil { // it says no more than the titles of house rules
		book = nil
	}
	return &encounterv1.ExplainResponse{Event: e, Lines: explain(style, book, e)}, nil
}

type lines struct {
	book *effects.Book
	out  []*encounterv1.ExplainLine
}

func (l *lines) add(rule, format string, args ...any) {
	line := &encounterv1.ExplainLine{Text: fmt.Sprintf(format, args...), Rule: rule}
	if entry, ok := catalogue.Lookup(catalogue.RuleID(rule)); ok {
		line.RuleTitle = entry.Title
	} else {
		line.RuleTitle = l.book.Title(rule)
	}
	l.out = append(l.out, line)
}

// explain words an event line by line from what it holds: nothing is looked up
// in the rules, since an event says itself where its numbers come from.
func explain(style render.Style, book *effects.Book, e *eventv1.Event) []*encounterv1.ExplainLine {
	l := &lines{book: book}
	l.add("", "%s", style.Words(e))
	switch w := e.What.(type) {
	case *eventv1.Event_Roll:
		l.roll(w.Roll)
	case *eventv1.Event_Attack:
		l.attack(w.Attack)
	case *eventv1.Event_Damage:
		l.damage(w.Damage)
	case *eventv1.Event_ConditionAdded:
		l.rule(w.ConditionAdded.Condition.GetRule(), e.Rules)
	case *eventv1.Event_InjuryAdded:
		l.rule(w.InjuryAdded.Injury.GetRule(), e.Rules)
	}
	for _, rule := range e.Rules {
		if rule != "" {
			l.add(rule, "under %s", rule)
		}
	}
	return l.out
}

// rule adds a rule that the event does not name among those behind it.
func (l *lines) rule(id string, behind []string) {
	if id != "" && !slices.Contains(behind, id) {
		l.add(id, "under %s", id)
	}
}

func (l *lines) roll(r *eventv1.Roll) {
	if r.Reason != "" {
		l.add("", "for: %s", r.Reason)
	}
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
		l.add("", "%s", strings.Join(append([]string{fmt.Sprintf("d%d shows %d", d.Sides, d.Face), kept}, d.Notes...), ", "))
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
		l.add("", "against %s %d", t.Kind, t.Value)
	}
	if r.Outcome != "" {
		l.add("", "outcome: %s", r.Outcome)
	}
	if r.Fixed {
		l.add("", "the faces were fixed by the game master's word")
	}
	if r.Ruled {
		l.add("", "the result was given by the game master's word")
	}
	if r.Supplied {
		l.add("", "the faces were supplied by people")
	}
}

// attack names the roll and the facts that an attack went by.
func (l *lines) attack(a *eventv1.Attack) {
	if a.Roll != nil {
		l.add("", "decided by the roll {%s}", a.Roll.Label)
	}
	for _, f := range a.Facts {
		how := "measured"
		if f.Stated {
			how = "stated"
		}
		l.add("", "%s: %s %s", how, f.Name, f.Value)
	}
}

// factors are the steps by which a number changed after its roll.
func (l *lines) factors(all []*eventv1.Factor) {
	for _, f := range all {
		l.add(f.Rule, "%s", render.Factor(f))
	}
}

func (l *lines) damage(d *eventv1.Damage) {
	for _, p := range d.Parts {
		if p.Rolled == p.Taken && p.Note == "" {
			l.factors(p.Factors)
			l.add(p.Rule, "%d %s", p.Taken, p.Type)
			continue
		}
		l.factors(p.Factors)
		l.add(p.Rule, "%d %s, %d taken: %s", p.Rolled, p.Type, p.Taken, p.Note)
	}
	if d.Soaked > 0 {
		l.add("", "%d soaked by temporary hit points", d.Soaked)
	}
}
