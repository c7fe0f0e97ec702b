package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/render"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Line is one line of an explanation.
type Line struct {
	// Text is the words.
	Text string
	// Rule id, if any, and its Title.
	Rule, Title string
}

type lines struct {
	title func(rule string) string
	out   []Line
}

func (l *lines) add(rule, format string, args ...any) {
	line := Line{Text: fmt.Sprintf(format, args...), Rule: rule}
	if entry, ok := catalogue.Lookup(catalogue.RuleID(rule)); ok {
		line.Title = entry.Title
	} else {
		line.Title = l.title(rule)
	}
	l.out = append(l.out, line)
}

// Event words an event line by line from what it holds: nothing is looked up
// in the rules, since an event says itself where its numbers come from. title is that of
// a rule which the books do not have: one of a pack; empty when there is none.
func Event(style render.Style, title func(rule string) string, e *eventv1.Event) []Line {
	l := &lines{title: title}
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
