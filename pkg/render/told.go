package render

import (
	"fmt"
	"slices"
	"strings"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ruling is what a ruling changed, as a viewer is told: by whom and why, each step
// that came out otherwise with its lines before (-) and now (+), and the state. by is
// who made it, if that is known.
func (st Style) Ruling(by *eventv1.Principal, r *encounterv1.Ruling) string {
	st, r, by = st.safe(), safe(r), safe(by)
	var b strings.Builder
	b.WriteString(join(rulingWord(r.GetKind()), with("by", whose(by)), because(r.GetReason()),
		with("on contest", r.GetContest())) + ":\n")
	for _, s := range r.GetSteps() {
		if !st.smallChange(s) || st.Bookkeeping {
			b.WriteString(st.Corrected(s))
		}
	}
	if r.GetMore() {
		b.WriteString("  ... and more, which history --within lists\n")
	}
	for _, c := range r.GetChanges() {
		if told(c) || st.Bookkeeping {
			fmt.Fprintf(&b, "  %s\n", st.Change(c))
		}
	}
	if r.GetMoreChanges() {
		b.WriteString("  ... and more, which diff lists\n")
	}
	if len(r.GetSteps())+len(r.GetChanges()) == 0 {
		b.WriteString("  nothing that you know of came out otherwise\n")
	}
	return b.String()
}

// told tells whether a change is what people read.
func told(c *encounterv1.Change) bool {
	first, rest, _ := strings.Cut(c.Path, ".")
	switch first {
	case "counters", "marks", "decisions":
		return false
	case "creatures":
		_, what, _ := strings.Cut(rest, ".")
		what, _, _ = strings.Cut(what, ".")
		return what != "counters" && what != "marks" && what != "sheet"
	}
	return true
}

// whose is who made a ruling: a game master without a name of its own is the game
// master.
func whose(by *eventv1.Principal) string {
	if by.GetRole() == eventv1.Principal_ROLE_GM && by.GetName() == "gm" {
		return roles[by.Role]
	}
	return join(roles[by.GetRole()], by.GetName())
}

func rulingWord(k encounterv1.Ruling_Kind) string {
	switch k {
	case encounterv1.Ruling_KIND_REVERTED:
		return "The encounter is put back"
	case encounterv1.Ruling_KIND_REDONE:
		return "What was taken back counts again"
	}
	return "Ruling"
}

// Corrected is a step inside an amended history: what it is about and how it came
// out, then the lines that are gone (-) and those that are new (+).
func (st Style) Corrected(s *encounterv1.Step) string {
	st, s = st.safe(), safe(s)
	c := s.GetCorrected()
	var b strings.Builder
	number := ""
	if c.GetStep() > 0 {
		number = fmt.Sprintf("step %d", c.Step)
	}
	if s.GetNumber() > 0 && c.GetWithin() > 0 {
		number = join(fmt.Sprintf("#%d.%d", c.Within, s.Number), number)
	}
	headline := st.headline(c, s.GetEvents())
	if st.smallChange(s) {
		headline = st.about(s.GetEvents()) + ": as before but for the books"
	}
	fmt.Fprintf(&b, "  %s\n", join(number+":", headline))
	if c.GetKind() == encounterv1.Corrected_KIND_SAME {
		return b.String()
	}
	before, now := st.spokenLines(c.GetBefore()), st.spokenLines(s.GetEvents())
	for _, line := range changed(before, now) {
		fmt.Fprintf(&b, "    %s\n", line)
	}
	return b.String()
}

// smallChange tells whether a step came out otherwise in nothing that people read.
func (st Style) smallChange(s *encounterv1.Step) bool {
	c := s.GetCorrected()
	return c.GetKind() == encounterv1.Corrected_KIND_CHANGED && slices.Equal(st.spokenLines(c.GetBefore()), st.spokenLines(s.GetEvents()))
}

// headline says what a step was about and how it came out.
func (st Style) headline(c *encounterv1.Corrected, now []*eventv1.Event) string {
	about := now
	if len(about) == 0 {
		about = c.GetBefore()
	}
	text := st.about(about)
	switch c.GetKind() {
	case encounterv1.Corrected_KIND_SAME:
		return text + ": as before"
	case encounterv1.Corrected_KIND_GONE:
		text += " does not count any more"
	case encounterv1.Corrected_KIND_NEW:
		text += " counts now"
	default:
		if was, is := results(c.GetBefore()), results(now); was != is {
			text += ": " + orWord(was, "nothing") + " -> " + orWord(is, "nothing")
		} else {
			text += " came out otherwise"
		}
	}
	if c.GetForced() {
		text += ", which stands by the game master's word"
	}
	return text
}

// about is what a step is about: the action that was taken, or its first line.
func (st Style) about(events []*eventv1.Event) string {
	for _, e := range events {
		if a := e.GetAction(); a != nil {
			return join(st.name(a.Creature)+"'s", spaced(a.Action), with("with", a.Item), with("on", st.names(a.Targets)))
		}
	}
	for _, e := range events {
		if line, bookkeeping := st.words(e); line != "" && !bookkeeping && !e.Bookkeeping {
			return strings.TrimSpace(line)
		}
	}
	return "something small"
}

// results are how attacks came out, or else the rolls that have an outcome.
func results(events []*eventv1.Event) string {
	var attacks, rolls []string
	for _, e := range events {
		if a := e.GetAttack(); a != nil {
			attacks = append(attacks, a.Outcome)
		}
		if r := e.GetRoll(); r.GetOutcome() != "" {
			rolls = append(rolls, r.Outcome)
		}
	}
	if len(attacks) > 0 {
		return strings.Join(attacks, ", ")
	}
	return strings.Join(rolls, ", ")
}

// spokenLines are events in words, one line each, without indents.
func (st Style) spokenLines(events []*eventv1.Event) []string {
	var out []string
	for _, e := range events {
		if line := strings.TrimSpace(st.Event(e)); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// maxTable bounds the lines that are compared one with the other; beyond it all are
// shown, the old ones first.
const maxTable = 400

// changed are the lines that are in one list alone, in order: "- " those of the first,
// "+ " those of the second.
func changed(a, b []string) []string {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	common := make([][]int, len(a)+1) // lengths of the longest common rests
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	if len(a) <= maxTable && len(b) <= maxTable {
		for i := range slices.Backward(a) {
			for j := range slices.Backward(b) {
				if a[i] == b[j] {
					common[i][j] = common[i+1][j+1] + 1
				} else {
					common[i][j] = max(common[i+1][j], common[i][j+1])
				}
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}

// Differences are changes of a state in words, one line each.
func (st Style) Differences(changes []*encounterv1.Change) string {
	if len(changes) == 0 {
		return "nothing differs\n"
	}
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s\n", st.Change(c))
	}
	return b.String()
}

// withoutRuling are the events of a ruling's step that its Ruling does not tell.
func withoutRuling(events []*eventv1.Event) []*eventv1.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e *eventv1.Event) bool {
		am := e.GetAmended()
		return e.GetReverted() != nil || am != nil && len(am.Notes) == 0 || e.GetRoll() != nil
	})
}
