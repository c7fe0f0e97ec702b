package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	skalddice "github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// Again is Report with all that was decided decided again, where the export is whole
// and this build has the rules, and with a list of what was checked and what
// cannot be. It fails only when ctx ends.
func (p *Proof) Again(ctx context.Context, systems *rules.Registry) (*Report, error) {
	sound := len(p.report.Problems) == 0 // chain, digests and packs
	r := p.Report()
	if r.Commits == 0 {
		return r, nil
	}
	p.totals(r)
	r.checked("the chain of %d Commits and the digest of each part that is there", r.Commits)
	if r.Faces > 0 {
		r.checked("%d faces against the seeds that are revealed, and these against what was committed to", r.Faces)
	}
	r.checked("the total of each of %d rolls, and that nobody supplied faces where the server rolls", r.Rolls)
	switch {
	case r.Withheld > 0:
		r.unchecked("what was decided: %d parts are withheld from this viewer, commands and what they took from outside among them; "+
			"with them the numbering and labels of rolls, what became of them, and hidden events", r.Withheld)
	case !sound:
		r.unchecked("what was decided: the chain does not hold")
	default:
		if err := p.decide(ctx, systems, r); err != nil {
			return nil, err
		}
	}
	if r.Sealed > 0 {
		r.unchecked("the faces of %d rolls on branches that are not revealed, and what was committed to for these", r.Sealed)
	}
	r.unchecked("times, request ids, salts, and by which token a principal was known and what that allowed: nothing follows from them but the chain")
	r.unchecked("whether anything came after version %d, and whether this is the history that was shown: compare the last hash with a head that was kept", r.Version)
	return r, nil
}

// decide decides everything again.
func (p *Proof) decide(ctx context.Context, systems *rules.Registry, r *Report) error {
	got, err := encounter.Verify(ctx, systems, p.given, p.parts, p.stored)
	if err != nil {
		return err
	}
	r.Decided, r.Redecided, r.Other, r.Places = got.Decided, got.Commands, got.Other, got.Problems
	for _, at := range got.Problems {
		r.problem("%s", at)
	}
	if got.Decided > 0 {
		r.checked("what was decided: the commands of %d Commits were carried out again, and %d of commands that amendments decided anew; "+
			"events, inputs, labels and numbers of rolls, harm and states were compared", got.Decided, got.Commands)
		r.checked("%d digests of requests: who gave each command and what it said", got.Digests)
	}
	if got.Filled > 0 {
		r.unchecked("%d digests of requests: packs by name or a patient's record were filled in", got.Filled)
		r.unknown = true
	}
	for _, digest := range got.MissingPacks {
		r.unchecked("what was decided: the pack %s is needed and not in the export", digest)
	}
	if got.Content != "" {
		r.unchecked("the content of the rules: the record names %s, and this build has another under the same version; "+
			"where deciding again differs, it may be for that", got.Content)
		r.unknown = true
	}
	if got.Unnamed {
		r.unchecked("the content of the rules: the record does not name it, as builds before did not")
		r.unknown = true
	}
	if got.Fork != "" {
		r.unchecked("what it began as: it is a fork of encounter %s, whose record is not here", got.Fork)
	}
	for _, o := range got.Other {
		r.unchecked("what was decided by %d Commits, the first version %d: %s", o.Commits, o.First, needed(o))
	}
	return nil
}

// needed says which rules decided what this build cannot decide again.
func needed(o encounter.OtherRules) string {
	switch {
	case o.Here == "":
		return fmt.Sprintf("this build does not know the rule system %q, version %s", o.System, o.Version)
	case o.Engine != "":
		return fmt.Sprintf("version %s of the engine is needed; this build has %s", o.Engine, o.Here)
	}
	return fmt.Sprintf("version %s of %s is needed; this build has %s", o.Version, o.System, o.Here)
}

// totals holds every readable roll: its dice, value and total, and the policy of the
// dice, which everybody is told.
func (p *Proof) totals(r *Report) {
	var all []*eventv1.Roll
	// order-free: sorted below
	for _, rolls := range p.dice.rolls {
		all = append(all, rolls...)
	}
	opened := map[*eventv1.Roll]bool{}
	for _, roll := range p.dice.opened {
		opened[roll] = true
	}
	all = slices.DeleteFunc(all, func(roll *eventv1.Roll) bool { return opened[roll] })
	all = append(all, p.dice.opened...) // those, too, that are in the record as they were rolled
	slices.SortStableFunc(all, func(a, b *eventv1.Roll) int {
		return strings.Compare(fmt.Sprintf("%s %8d %s %4d", a.Branch, a.Action, a.Label, a.Index), fmt.Sprintf("%s %8d %s %4d", b.Branch, b.Action, b.Label, b.Index))
	})
	for _, roll := range all {
		if why := wrong(roll, opened[roll]); why != "" {
			r.problem("roll %s (index %d, branch %s, action %d): %s", roll.Label, roll.Index, roll.Branch, roll.Action, why)
		}
		if p.server && roll.SuppliedFaces > 0 && !roll.Fixed {
			r.problem("roll %s (index %d, branch %s, action %d): %d faces were supplied, and the policy is that the server rolls", roll.Label, roll.Index, roll.Branch, roll.Action, roll.SuppliedFaces)
		}
	}
}

// wrong says what of a roll does not follow from its faces; empty when all does. One
// that was opened holds the value and nothing beyond: not what it was for.
func wrong(roll *eventv1.Roll, opened bool) string {
	expr, err := skalddice.Parse(roll.Expression)
	if err != nil {
		return err.Error()
	}
	faces := make([]int, len(roll.Faces))
	for i, f := range roll.Faces {
		faces[i] = int(f)
	}
	result, err := expr.Eval(skalddice.List(faces...), skalddice.Limits{})
	if err != nil {
		return err.Error()
	}
	total := int64(result.Total)
	for _, m := range roll.Modifiers {
		total += int64(m.Value)
	}
	all, kept := rules.Faces(result)
	switch {
	case len(result.Faces) != len(faces):
		return fmt.Sprintf("%d faces for the %d that %s rolls", len(faces), len(result.Faces), expr)
	case int64(roll.Value) != int64(result.Total):
		return fmt.Sprintf("the value is %d, and the faces come to %d", roll.Value, result.Total)
	case opened:
	case int64(roll.Total) != total:
		return fmt.Sprintf("the total is %d, and value and modifiers come to %d", roll.Total, total)
	case !slices.Equal(kept, roll.Kept) || !sameDice(all, roll.Dice):
		return "the dice are not those that the faces give"
	}
	return ""
}

func sameDice(a, b []*eventv1.Die) bool {
	return slices.EqualFunc(a, b, func(x, y *eventv1.Die) bool {
		return x.Sides == y.Sides && x.Face == y.Face && x.Value == y.Value && x.Kept == y.Kept && slices.Equal(x.Notes, y.Notes)
	})
}

func (r *Report) problem(format string, args ...any) {
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	}
}

func (r *Report) checked(format string, args ...any) {
	r.Checked = append(r.Checked, fmt.Sprintf(format, args...))
}

func (r *Report) unchecked(format string, args ...any) {
	r.Unchecked = append(r.Unchecked, fmt.Sprintf(format, args...))
}

// Holds tells whether every Commit was decided again and nothing was found: only
// then all holds that a record by itself can show.
func (r *Report) Holds() bool { return r.OK() && r.Decided == r.Commits && !r.unknown }

// verdict is the last line for people.
func (r *Report) verdict() string {
	switch {
	case !r.OK():
		return ""
	case r.Holds():
		return fmt.Sprintf("every Commit holds, up to version %d\n", r.Version)
	}
	return "what could be checked holds\n"
}

// lists are the lists of what was checked and what was not, for people.
func (r *Report) lists() string {
	var b strings.Builder
	for _, line := range r.Checked {
		b.WriteString("checked: " + text.Escape(line) + "\n")
	}
	for _, line := range r.Unchecked {
		b.WriteString("not checked: " + text.Escape(line) + "\n")
	}
	return b.String()
}
