package render

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fullest leaves of what is told of a contest, in one step, the last alone: each
// audience is told apart, and who hears several hears the most last.
func fullest(events []*eventv1.Event) []*eventv1.Event {
	last := map[string]*eventv1.Event{}
	for _, e := range events {
		if c := e.GetContest().GetContest(); c != nil {
			last[c.Id] = e
		}
	}
	if len(last) == 0 {
		return events
	}
	return slices.DeleteFunc(slices.Clone(events), func(e *eventv1.Event) bool {
		c := e.GetContest().GetContest()
		return c != nil && last[c.Id] != e
	})
}

// mixed is what was mixed into dice: words as they were said, other bytes in
// hexadecimal.
func mixed(value []byte) string {
	words := string(value)
	if words == "" {
		return "nothing"
	}
	for _, r := range words {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return hex.EncodeToString(value)
		}
	}
	return strconv.Quote(words)
}

// contest is a contest in words, with its id, by which it is settled.
func (st Style) contest(c *eventv1.Contest) string {
	what := "contests a step"
	switch c.GetKind() {
	case eventv1.Contest_KIND_TAKE_BACK:
		what = "asks to take the last command back"
		if c.Commands > 1 {
			what = fmt.Sprintf("asks to take the last %d commands back", c.Commands)
		}
	case eventv1.Contest_KIND_RULING:
		what = "contests a ruling"
	}
	line := join("Contest", c.GetId()+":", claimant(c.GetBy()), what)
	if c.GetWords() != "" {
		line += fmt.Sprintf(", %q", c.Words)
	}
	if claim := st.claim(c.GetClaim()); claim != "" {
		line += "; claimed: " + claim
	}
	switch c.GetStatus() {
	case eventv1.Contest_STATUS_UPHELD:
		line += "; upheld"
	case eventv1.Contest_STATUS_DECLINED:
		line += "; declined"
	case eventv1.Contest_STATUS_WITHDRAWN:
		return line + "; given up"
	default:
		if c.GetByVote() {
			line += "; the players concerned are asked"
		}
		return line
	}
	return join(line, because(c.GetReason()))
}

func claimant(p *eventv1.Principal) string {
	if p.GetRole() == eventv1.Principal_ROLE_GM {
		return "the game master"
	}
	return p.GetName()
}

// claim is a claimed change in words.
func (st Style) claim(c *eventv1.ContestClaim) string {
	var out []string
	if c.GetDrop() {
		out = append(out, "it should not count")
	}
	if c.GetClearCircumstances() {
		out = append(out, "without the circumstances stated")
	}
	if t := c.GetChange(); t != nil {
		for _, part := range []string{with("by", st.name(t.Creature)), t.Action, t.Item, with("against", st.names(t.Targets))} {
			if part != "" {
				out = append(out, part)
			}
		}
		for _, object := range []map[string]any{t.Parameters.AsMap(), t.Facts.AsMap()} {
			for _, name := range sorted(object) {
				out = append(out, fmt.Sprintf("%s %s", name, st.plain(object[name])))
			}
		}
		for _, x := range t.Circumstances {
			out = append(out, join(x.Direction, because(x.Cause)))
		}
	}
	for _, x := range c.GetRolls() {
		out = append(out, fmt.Sprintf("roll %s shows %s", x.Label, strings.Trim(fmt.Sprint(x.Faces), "[]")))
	}
	return strings.Join(out, ", ")
}

// Contests are contests, one a line, with the dry runs that were asked for.
func (st Style) Contests(l *encounterv1.ListContestsResponse) string {
	st, l = st.safe(), safe(l)
	if len(l.GetContests()) == 0 {
		return "no contests\n"
	}
	var b strings.Builder
	for _, c := range l.Contests {
		mark := " "
		if c.Yours {
			mark = "*"
		}
		line := join(mark, st.contest(c.Contest))
		if c.Step > 0 {
			line += fmt.Sprintf(" [step %d]", c.Step)
		}
		if c.TakenBack {
			line += " (taken back since)"
		}
		b.WriteString(line + "\n")
		if c.Refused != "" {
			b.WriteString("    cannot be upheld as it is: " + c.Refused + "\n")
		}
		if c.DryRun != nil {
			for _, dry := range strings.Split(strings.TrimSuffix(Preview(c.DryRun), "\n"), "\n") {
				b.WriteString("    " + dry + "\n")
			}
		}
	}
	return b.String()
}
