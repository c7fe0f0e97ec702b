package render

import (
	"fmt"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Decision is an open decision in a line: what is asked, of whom, the answers.
func (st Style) Decision(d *eventv1.Decision) string {
	st, d = st.safe(), safe(d)
	who := "the game master"
	if d.GetCreature() != "" && !d.GetGmOnly() {
		who = st.name(d.GetCreature())
	}
	line := join(d.GetName(), "["+d.GetId()+"]", "for", who+":", orWord(d.GetQuestion(), d.GetCause()))
	if a := st.answers(d); a != "" {
		line += " " + a
	}
	for _, o := range d.GetOdds() {
		line += fmt.Sprintf("; %s %s: %s -> %s", o.Label, o.Outcome, orWord(o.Without, "no roll"), orWord(o.With, "no roll"))
	}
	return line
}

// answers are what a decision takes.
func (st Style) answers(d *eventv1.Decision) string {
	switch d.GetKind() {
	case eventv1.DecisionKind_DECISION_KIND_NUMBER:
		return fmt.Sprintf("(%d to %d)", d.Minimum, d.Maximum)
	case eventv1.DecisionKind_DECISION_KIND_DICE:
		if d.Faces == 1 {
			return "(1 face of " + d.Expression + ")"
		}
		return fmt.Sprintf("(%d faces of %s)", d.Faces, d.Expression)
	}
	var out []string
	for _, o := range d.GetOptions() {
		text := st.answer(o.Id)
		if o.Id == d.DefaultOption {
			text += "*"
		}
		out = append(out, text)
	}
	if len(out) == 0 {
		return ""
	}
	return "(" + strings.Join(out, " / ") + ")"
}

// answer is an answer as it is typed, with the name of the creature that it
// means.
func (st Style) answer(id string) string {
	if name := st.Names[id]; name != "" && !strings.EqualFold(name, id) {
		return id + " (" + name + ")"
	}
	return id
}

// Decisions are open decisions, one a line.
func (st Style) Decisions(ds []*eventv1.Decision) string {
	st, ds = st.safe(), safeAll(ds)
	if len(ds) == 0 {
		return "no decision is open\n"
	}
	var b strings.Builder
	for _, d := range ds {
		b.WriteString(st.Decision(d) + "\n")
	}
	return b.String()
}

// Answer is what somebody decided.
func Answer(a *eventv1.Answer) string {
	a = safe(a)
	switch {
	case len(a.GetFaces()) > 0:
		return strings.Trim(fmt.Sprint(a.Faces), "[]")
	case a.GetOption() != "":
		return a.Option
	}
	return fmt.Sprint(a.GetNumber())
}

// Options are what each creature may do, a line each, and then what it may not,
// a line for each reason. Options that differ in the item alone share a line
// when they are many.
func (st Style) Options(options []*eventv1.Option) string {
	st, options = st.safe(), safeAll(options)
	var b strings.Builder
	for len(options) > 0 {
		one := options[0].Creature
		n := slices.IndexFunc(options, func(o *eventv1.Option) bool { return o.Creature != one })
		if n < 0 {
			n = len(options)
		}
		b.WriteString(st.optionsOf(st.name(one), options[:n]))
		options = options[n:]
	}
	return orWord(b.String(), "nothing to do\n")
}

// optionsOf are the options of one creature, under the headings that they have.
func (st Style) optionsOf(name string, options []*eventv1.Option) string {
	var can strings.Builder
	var cannot refusals
	heading := ""
	for _, group := range groupsOf(options) {
		for _, line := range st.lines(group, &cannot) {
			if head := group[0].Group; head != heading {
				heading = head
				fmt.Fprintf(&can, "  %s\n", strings.ToUpper(head))
			}
			can.WriteString(line)
		}
	}
	text := ""
	if can.Len() > 0 {
		text += name + " may:\n" + can.String()
	}
	if len(cannot.reasons) > 0 {
		text += name + " may not:\n" + cannot.String()
	}
	return text
}

// groupsOf are options by their group, in the order in which the groups come.
func groupsOf(options []*eventv1.Option) [][]*eventv1.Option {
	var out [][]*eventv1.Option
	at := map[string]int{}
	for _, o := range options {
		i, known := at[o.Group]
		if !known {
			i = len(out)
			at[o.Group] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], o)
	}
	return out
}

// lines are a line for each option that is legal; those that are not go to the
// refusals.
func (st Style) lines(options []*eventv1.Option, cannot *refusals) []string {
	var out []string
	many := map[string][]*eventv1.Option{}
	for _, o := range options {
		if o.Legal && o.Item != "" {
			key := o.Action + " " + st.terms(o)
			many[key] = append(many[key], o)
		}
	}
	for _, o := range options {
		alike := many[o.Action+" "+st.terms(o)]
		switch {
		case !o.Legal:
			cannot.add(join(o.Reason, because(o.Rule)), join(o.Action, o.Item))
		case len(alike) < fewItems || o.Item == "":
			out = append(out, fmt.Sprintf("  %s\n%s", join(o.Action, o.Item, because(o.Title), st.terms(o)), st.choices(o)))
		case alike[0] == o:
			var items []string
			for _, other := range alike {
				items = append(items, other.Item)
			}
			out = append(out, fmt.Sprintf("  %s:\n    %s\n", join(o.Action+", each", st.terms(o)), wrapped(items, "\n    ")))
		}
	}
	return out
}

// choices are what may be chosen inside an option.
func (st Style) choices(o *eventv1.Option) string {
	var names []string
	for _, c := range o.Choices {
		if c.Legal {
			names = append(names, join(c.Action, c.Item))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "    one of: " + wrapped(names, "\n      ") + "\n"
}

// fewItems is how many options that differ in the item alone have a line each.
const fewItems = 4

// terms are what an option costs and takes.
func (st Style) terms(o *eventv1.Option) string {
	costs := map[string]int32{}
	for k, n := range o.Costs {
		if n != 0 { // what costs nothing need not say so
			costs[k] = n
		}
	}
	return join(with("costs", numbers(costs)), st.targets(o), reach(o), parameters(o), with("provokes", st.names(o.Provokes)))
}

// refusals are what may not be done, by reason, in the order they came.
type refusals struct {
	reasons []string
	names   map[string][]string
}

func (r *refusals) add(reason, name string) {
	if r.names == nil {
		r.names = map[string][]string{}
	}
	if _, known := r.names[reason]; !known {
		r.reasons = append(r.reasons, reason)
	}
	if !slices.Contains(r.names[reason], name) {
		r.names[reason] = append(r.names[reason], name)
	}
}

func (r *refusals) String() string {
	var b strings.Builder
	for _, reason := range r.reasons {
		names := r.names[reason]
		if len(names) == 1 {
			fmt.Fprintf(&b, "  %s: %s\n", names[0], reason)
			continue
		}
		fmt.Fprintf(&b, "  %s:\n    %s\n", reason, wrapped(names, "\n    "))
	}
	return b.String()
}

// lineLength is how long a line of a list may grow.
const lineLength = 100

// wrapped are words with commas between them, and a break where a line is full.
func wrapped(words []string, lineBreak string) string {
	var b strings.Builder
	length := 0
	for i, w := range words {
		if i > 0 {
			b.WriteByte(',')
			if length+len(w) > lineLength {
				b.WriteString(lineBreak)
				length = 0
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(w)
		length += len(w) + 2
	}
	return b.String()
}

func (st Style) targets(o *eventv1.Option) string {
	if o.MaximumTargets == 0 && len(o.Targets) == 0 {
		return ""
	}
	count := fmt.Sprint(o.MaximumTargets)
	if o.MinimumTargets != o.MaximumTargets {
		count = fmt.Sprintf("%d-%d", o.MinimumTargets, o.MaximumTargets)
	}
	var ids []string
	for _, id := range o.Targets {
		ids = append(ids, st.answer(id))
	}
	return "-> " + count + " of " + orWord(strings.Join(ids, ", "), "any")
}

// reach is how far an option goes, where the squares are listed.
func reach(o *eventv1.Option) string {
	if len(o.Squares) == 0 {
		return ""
	}
	far := int32(0)
	for _, sq := range o.Squares {
		far = max(far, sq.Feet)
	}
	more := ""
	if o.SquaresCut {
		more = " and more"
	}
	return fmt.Sprintf("to %s%s, %s at most", counted(len(o.Squares), "square"), more, feet(far))
}

func parameters(o *eventv1.Option) string {
	var out []string
	for _, p := range o.Parameters {
		text := p.Name
		if !p.Required {
			text = "[" + text + "]"
		}
		var values []string
		for _, v := range p.Values {
			values = append(values, fmt.Sprint(v.AsInterface()))
		}
		if len(values) > 0 {
			text += "=" + strings.Join(values, "|")
		}
		out = append(out, text)
	}
	return with("with", strings.Join(out, " "))
}
