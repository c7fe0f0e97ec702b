package render

import (
	"fmt"
	"strconv"
	"strings"

	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Roll is a roll in a line: what it is for, expression, faces (those that do not count
// in parentheses), each modifier with its source, total, target, outcome.
func (st Style) Roll(r *eventv1.Roll) string {
	st, r = st.safe(), safe(r)
	var b strings.Builder
	b.WriteString(join(st.name(r.GetCreature()), st.label(r)) + ": " + r.GetExpression() + " " + Dice(r.GetDice()))
	for _, m := range r.GetModifiers() {
		fmt.Fprintf(&b, " %+d %s", m.Value, m.Source)
	}
	fmt.Fprintf(&b, " = %d", r.GetTotal())
	if t := r.GetTarget(); t != nil {
		fmt.Fprintf(&b, " vs %s %d", t.Kind, t.Value)
		if len(t.Modifiers) > 1 { // one part is the number again
			b.WriteString(" (" + parts(t.Modifiers) + ")")
		}
	}
	if r.GetOutcome() != "" {
		b.WriteString(": " + r.Outcome)
	}
	if r.GetDegree() != 0 {
		fmt.Fprintf(&b, " (degree %d)", r.Degree)
	}
	if edges := Edges(r.GetEdges()); edges != "" {
		b.WriteString("; " + edges)
	}
	switch {
	case r.GetRuled():
		b.WriteString("; the result by the game master's word")
	case r.GetFixed():
		b.WriteString("; fixed by the game master")
	case r.GetSupplied():
		b.WriteString("; rolled by hand")
	}
	switch r.GetMode() {
	case eventv1.RollMode_ROLL_MODE_OPEN:
		b.WriteString("; rolled openly")
	case eventv1.RollMode_ROLL_MODE_PRIVATE:
		b.WriteString("; rolled in private")
	case eventv1.RollMode_ROLL_MODE_BLIND:
		b.WriteString("; rolled blind")
	}
	return b.String()
}

// parts are what made up a number: "15 sheet +2 half cover".
func parts(mods []*eventv1.Modifier) string {
	var out []string
	for i, m := range mods {
		value := fmt.Sprintf("%+d", m.Value)
		if i == 0 {
			value = fmt.Sprint(m.Value)
		}
		out = append(out, join(value, m.Source))
	}
	return strings.Join(out, " ")
}

// label is what a roll is for, in words: the parts of its label without running
// numbers and without the creature that rolls.
func (st Style) label(r *eventv1.Roll) string {
	var words []string
	for part := range strings.SplitSeq(r.GetLabel(), "/") {
		part, _, _ = strings.Cut(part, "~") // "~2" is the second of its kind
		if _, err := strconv.Atoi(part); err == nil || part == r.GetCreature() {
			continue
		}
		words = append(words, orWord(st.Names[part], spaced(part)))
	}
	text := strings.Join(words, " ")
	if st.Labels || text == "" {
		text = join(text, "{"+r.GetLabel()+"}")
	}
	return text
}

// Edges are what counted for and against a roll.
func Edges(edges []*eventv1.Edge) string {
	edges = safeAll(edges)
	var out []string
	for _, e := range edges {
		kind := "disadvantage"
		if e.Advantage {
			kind = "advantage"
		}
		out = append(out, join(kind, with("from", orWord(e.Source, e.Kind))))
	}
	return strings.Join(out, ", ")
}

// Dice are faces in order; those that do not count stand in parentheses.
func Dice(dice []*eventv1.Die) string {
	out := make([]string, 0, len(dice))
	for _, d := range dice {
		face := fmt.Sprint(d.Face)
		if d.Value != d.Face && d.Kept {
			face += fmt.Sprintf(" as %d", d.Value)
		}
		if !d.Kept {
			face = "(" + face + ")"
		}
		out = append(out, face)
	}
	return "[" + strings.Join(out, " ") + "]"
}

// Result is a roll outside any fight, as a line and a tree of its parts.
func Result(r *dicev1.Result) string {
	r = safe(r)
	var b strings.Builder
	fmt.Fprintf(&b, "%s = %d\n", r.GetExpression(), r.GetTotal())
	if len(r.GetRoot().GetChildren()) > 0 {
		for _, c := range r.GetRoot().GetChildren() {
			node(&b, c, 1)
		}
	} else {
		node(&b, r.GetRoot(), 1)
	}
	if labels := r.GetLabels(); len(labels) > 1 || len(labels) == 1 && labels[0].Label != "" {
		for _, l := range labels {
			fmt.Fprintf(&b, "  %s: %d\n", orWord(l.Label, "unlabelled"), l.Value)
		}
	}
	return b.String()
}

func node(b *strings.Builder, n *dicev1.Node, depth int) {
	pad := strings.Repeat("  ", depth)
	line := pad + n.GetText()
	if len(n.GetDice()) > 0 {
		line += " " + Dice(n.GetDice())
	}
	if n.GetText() != fmt.Sprint(n.GetValue()) {
		line += fmt.Sprintf(" = %d", n.GetValue())
	}
	b.WriteString(line + "\n")
	for _, c := range n.GetChildren() {
		node(b, c, depth+1)
	}
}

// Fraction is an exact fraction and its rounded value.
func Fraction(f *dicev1.Fraction) string {
	f = safe(f)
	if f == nil {
		return ""
	}
	if f.Denominator == "1" {
		return f.Numerator
	}
	return fmt.Sprintf("%s/%s (about %.4g)", f.Numerator, f.Denominator, f.Approximately)
}

// maxBar is the length of the longest bar of a distribution.
const maxBar = 40

// Odds is a distribution as a table with bars.
func Odds(o *dicev1.OddsResponse, atLeast *int64) string {
	o = safe(o)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d to %d, mean %s, variance %s\n", o.GetExpression(), o.GetMinimum(), o.GetMaximum(), Fraction(o.GetMean()), Fraction(o.GetVariance()))
	if atLeast != nil {
		fmt.Fprintf(&b, "at least %d: %s\n", *atLeast, Fraction(o.GetChance()))
	}
	highest := 0.0
	for _, out := range o.GetOutcomes() {
		highest = max(highest, out.GetChance().GetApproximately())
	}
	for _, out := range o.GetOutcomes() {
		p := out.GetChance().GetApproximately()
		bar := 0
		if highest > 0 {
			bar = int(p/highest*maxBar + 0.5)
		}
		fmt.Fprintf(&b, "%6d %8.4f%% %s\n", out.Value, 100*p, strings.Repeat("#", bar))
	}
	if o.GetTruncated() {
		b.WriteString("       ... more outcomes were left out\n")
	}
	return b.String()
}
