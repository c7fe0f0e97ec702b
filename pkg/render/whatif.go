package render

import (
	"fmt"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// WhatIf is what a command would do.
func (st Style) WhatIf(p *encounterv1.PreviewResponse) string {
	st, p = st.safe(), safe(p)
	var b strings.Builder
	if p.GetRefused() != "" {
		return "it would be refused: " + join(p.Refused, because(p.Rule)) + "\n"
	}
	if o := p.GetOption(); o != nil {
		if len(o.Costs) > 0 {
			b.WriteString("it costs " + numbers(o.Costs) + "\n")
		}
		if len(o.Provokes) > 0 {
			b.WriteString("it would provoke " + st.names(o.Provokes) + "\n")
		}
	}
	for _, r := range p.GetRolls() {
		line := join(st.name(r.Creature), "rolls", r.Expression, because(r.Reason))
		for _, m := range r.Modifiers {
			line += fmt.Sprintf(" %+d %s", m.Value, m.Source)
		}
		if t := r.Target; t != nil {
			line += fmt.Sprintf(" against %s %d", t.Kind, t.Value)
		}
		if odds := outcomes(r.Odds); odds != "" {
			line += "; " + odds
		}
		if r.Chance != "" && r.Chance != "1" {
			line += "; made in " + r.Chance
		}
		b.WriteString(line + "\n")
	}
	for _, q := range p.GetAsks() {
		b.WriteString(join("?", st.Decision(q.Decision), with("here taken as", q.Assumed)) + "\n")
	}
	for _, end := range p.GetEnds() {
		var how []string
		for _, r := range end.Rolls {
			how = append(how, join(st.name(r.Creature), r.Outcome))
		}
		b.WriteString(join(end.Odds+":", orWord(strings.Join(how, ", "), "as it is"), because(waits(end.Waits))) + "\n")
		for _, c := range end.Changes {
			b.WriteString("  " + st.Change(c) + "\n")
		}
	}
	if len(p.GetEnds()) > 0 {
		b.WriteString("numbers that dice decide are those of dice in the middle\n")
	}
	if p.GetCut() {
		b.WriteString("there are more ways than these\n")
	}
	if len(p.GetUnknown()) > 0 {
		b.WriteString("what depends on the numbers of " + st.names(p.Unknown) + " is left out\n")
	}
	return b.String()
}

func waits(is bool) string {
	if is {
		return "a decision is open then"
	}
	return ""
}

// Compared is where two states differ.
func (st Style) Compared(c *encounterv1.CompareResponse) string {
	st, c = st.safe(), safe(c)
	if len(c.GetChanges()) == 0 {
		return "nothing differs\n"
	}
	var b strings.Builder
	for _, x := range c.Changes {
		b.WriteString(st.Change(x) + "\n")
	}
	return b.String()
}
