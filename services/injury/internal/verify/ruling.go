package verify

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/recheck"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury/internal/ward"
)

// Rule works out what a ruling of fights makes of the records of patients as they stand.
// met is told of each patient that comes otherwise into a fight of which the request
// says so.
type Rule func(ctx context.Context, req *injuryv1.PrepareRulingRequest, met func(*injuryv1.Entrance)) (*injuryv1.PrepareRulingResponse, error)

// Ruling decides again what a ruling of fights made of records, and folds its Commits,
// which are all that it made in records of patients, at a time in milliseconds since
// 1970. decide says by rule what they would have been; nil where the fights could not be
// decided, and a nil answer where that cannot be said. The error refuses the ruling: who
// has the fights' records says where. It is the context's own when that ends.
func (v *Run) Ruling(ctx context.Context, at int64, commits []Stored, decide func(Rule) (*injuryv1.PrepareRulingResponse, error)) (refused error, err error) {
	defer func() { v.foldAll(commits) }()
	decidable := decide != nil
	for _, c := range commits {
		decidable = v.look(c) && decidable
	}
	if !decidable {
		v.report.Rulings += len(commits)
		return nil, nil
	}
	v.at = at
	v.dice(commits)
	resp, refused := v.ruled(decide)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case v.tapes.Missed != nil && v.missed(commits):
		return nil, nil
	case refused != nil:
		v.report.Rulings += len(commits)
		return refused, nil
	case resp == nil:
		v.report.Rulings += len(commits)
		return nil, nil
	}
	return nil, v.held(commits, resp.Records)
}

// filled puts what branches hold into a Commit, as if it had stood there. Where that is
// not to be had, the record can not be followed any further.
func (v *Run) filled(c Stored) bool {
	if err := branch.Inline(c.Opened, v.replay.Parts(named(c.Opened))); err != nil {
		v.broken[c.Header.Id] = true
		v.problem(c.Opened, recheck.Problem{Part: "commit", Text: err.Error()})
		return false
	}
	return true
}

// dice takes the dice of all Commits of a ruling, each patient's apart.
func (v *Run) dice(commits []Stored) {
	v.tapes.Of("", nil, nil)
	for _, c := range commits {
		for _, e := range c.Events {
			for _, red := range e.GetAmended().GetCommands() {
				v.tapes.Beside(ward.PatientDice(c.Header.Id), inputsOf(red))
			}
		}
	}
}

// inputsOf are the inputs of a deed that a ruling holds, those that can be read.
func inputsOf(red *eventv1.Redecided) (out []*eventv1.Input) {
	for _, data := range red.Inputs {
		in := &eventv1.Input{}
		if proto.Unmarshal(data, in) == nil {
			out = append(out, in)
		}
	}
	return out
}

// ruled decides; what crafted Commits make of the rules is an error.
func (v *Run) ruled(decide func(Rule) (*injuryv1.PrepareRulingResponse, error)) (resp *injuryv1.PrepareRulingResponse, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("deciding it panics: %v", r)
		}
	}()
	return decide(v.replay.Rule)
}

// missed puts a roll that is not on record to the patient whose it would have been; false
// when the ruling has nothing in that record.
func (v *Run) missed(commits []Stored) bool {
	for _, c := range commits {
		if ward.PatientDice(c.Header.Id) == v.tapes.MissedOf {
			v.report.Decided += len(commits)
			v.problem(c.Opened, *v.tapes.Missed)
			return true
		}
	}
	return false
}

// held holds Commits of a ruling against what it comes to, patient for patient.
func (v *Run) held(commits []Stored, want []*injuryv1.RecordAgain) error {
	v.report.Decided += len(commits)
	for _, c := range commits {
		i := slices.IndexFunc(want, func(r *injuryv1.RecordAgain) bool { return r.Patient == c.Header.Id })
		if i < 0 {
			v.problem(c.Opened, recheck.Problem{Part: "commit", Text: "the ruling does not make this patient's record another"})
			continue
		}
		is, err := event.Open(want[i].Data)
		if err != nil {
			return fmt.Errorf("verify: what a ruling comes to: %w", err)
		}
		v.compare(c.Opened, is)
	}
	for _, w := range want {
		if !slices.ContainsFunc(commits, func(c Stored) bool { return c.Header.Id == w.Patient }) {
			n, _ := aggregate.Parse(w.Subject)
			v.report.Problems = append(v.report.Problems, Problem{n.ID, recheck.Problem{Part: "commit", Version: w.Version,
				Text: "a ruling of fights makes this patient's record another, and the record says nothing of it"}})
		}
	}
	return nil
}
