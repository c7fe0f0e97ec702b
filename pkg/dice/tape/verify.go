package tape

import (
	"errors"
	"fmt"

	"github.com/skaldrpg/skald/pkg/dice"
)

// ErrCommitment is returned when a revealed seed is not the one committed to;
// then nothing else can be said.
var ErrCommitment = errors.New("tape: the seed is not the one committed to")

// Recorded is a roll as the log of a fight has it.
type Recorded struct {
	Address Address
	Purpose Purpose
	Expr    string      // the expression rolled
	Faces   []dice.Face // every face drawn, in rolling order
	// Supplied says how many of the faces, from the first, players read off
	// real dice. They are checked against the expression but not against the
	// tape. Face i of the roll is face i of the tape whoever rolled those before
	// it.
	Supplied int
}

// Difference is a recorded face that is not the tape's.
type Difference struct {
	Record   int // index of the roll among those given
	Face     int // index of the face in rolling order
	Sides    int
	Recorded int // the face in the log
	Derived  int // the face on the tape
}

// Fault is a recorded roll that cannot be what was rolled: the expression does
// not parse, or does not draw exactly these dice.
type Fault struct {
	Record int
	Err    error
}

// Report is the outcome of a verification.
type Report struct {
	Rolls       int // rolls looked at
	Faces       int // faces compared with the tape
	Supplied    int // faces that players supplied
	Totals      []int64
	Differences []Difference
	Faults      []Fault
}

// OK reports whether every face is the tape's and every roll holds together.
func (r *Report) OK() bool { return len(r.Differences) == 0 && len(r.Faults) == 0 }

// Verify checks recorded rolls of one branch against its revealed seed: that
// the seed is the one committed to, that every face is the one on the tape,
// and that the expression draws exactly these dice. Totals holds what each
// expression comes to over the recorded faces, 0 where it is at fault.
//
// The limits must be those under which the rolls were made; the zero value
// means the defaults. Verify does not know which addresses a fight ought to
// have used; whoever verifies must compare them with the log's own numbering.
//
// The error is [ErrCommitment], [ErrContributor] or nil; all that is wrong with
// single rolls is in the report.
func Verify(seed Seed, commitment Digest, entropy []Contribution, records []Recorded, lim dice.Limits) (*Report, error) {
	if !commitment.Matches(seed) {
		return nil, ErrCommitment
	}
	return verifySeed(FormatBranch, seed, entropy, records, lim)
}

// VerifyBranch is [Verify] for a branch as a format has it, under the default
// limits of dice.
func VerifyBranch(f Format, audience Audience, seed Seed, commitment Digest, entropy []Contribution, records []Recorded) (*Report, error) {
	if CommitmentOf(f, audience, seed) != commitment {
		return nil, ErrCommitment
	}
	return verifySeed(f, seed, entropy, records, dice.Limits{})
}

// VerifyRolls is [VerifyBranch] once the commitment was found to be the seed's.
func VerifyRolls(f Format, seed Seed, entropy []Contribution, records []Recorded) (*Report, error) {
	return verifySeed(f, seed, entropy, records, dice.Limits{})
}

func verifySeed(f Format, seed Seed, entropy []Contribution, records []Recorded, lim dice.Limits) (*Report, error) {
	if _, err := KeyOf(f, seed, 1, entropy); err != nil { // contributions are the same for all
		return nil, err
	}
	r := &Report{Rolls: len(records), Totals: make([]int64, len(records))}
	keys := map[uint64]Key{}
	for i := range records {
		action := records[i].Address.Action
		if f == FormatBranch {
			action = 0
		}
		key, ok := keys[action]
		if !ok {
			key, _ = KeyOf(f, seed, action, entropy)
			keys[action] = key
		}
		if err := r.check(key, i, &records[i], lim); err != nil {
			r.Faults = append(r.Faults, Fault{i, err})
		}
	}
	return r, nil
}

// verifyBy checks records with the key that each address has.
func verifyBy(keyOf func(Address) (Key, error), records []Recorded) *Report {
	r := &Report{Rolls: len(records), Totals: make([]int64, len(records))}
	for i := range records {
		key, err := keyOf(records[i].Address)
		if err == nil {
			err = r.check(key, i, &records[i], dice.Limits{})
		}
		if err != nil {
			r.Faults = append(r.Faults, Fault{i, err})
		}
	}
	return r
}

// check verifies one roll.
func (r *Report) check(key Key, i int, rec *Recorded, lim dice.Limits) error {
	if rec.Supplied < 0 || rec.Supplied > len(rec.Faces) {
		return fmt.Errorf("tape: %d of %d faces supplied", rec.Supplied, len(rec.Faces))
	}
	r.Supplied += rec.Supplied
	if err := r.compare(key, i, rec); err != nil {
		return err
	}
	expr, err := dice.ParseLimited(rec.Expr, lim)
	if err != nil {
		return err
	}
	faces := make([]int, len(rec.Faces))
	for j, f := range rec.Faces {
		faces[j] = f.Face
	}
	list := dice.List(faces...)
	result, err := expr.Eval(list, lim)
	if err != nil {
		return err
	}
	if list.Left() > 0 {
		return fmt.Errorf("tape: %d recorded faces are not drawn by %s", list.Left(), expr)
	}
	for j, f := range result.Faces {
		if f.Sides != rec.Faces[j].Sides {
			return fmt.Errorf("tape: face %d is of a d%d, recorded as of a d%d", j, f.Sides, rec.Faces[j].Sides)
		}
	}
	r.Totals[i] = result.Total
	return nil
}

// compare derives each face anew.
func (r *Report) compare(key Key, i int, rec *Recorded) error {
	t, err := Open(key, rec.Purpose, rec.Address)
	if err != nil {
		return err
	}
	for j, f := range rec.Faces {
		derived, err := t.Face(f.Sides)
		if err != nil {
			return err
		}
		if j < rec.Supplied {
			continue
		}
		r.Faces++
		if derived != f.Face {
			r.Differences = append(r.Differences, Difference{i, j, f.Sides, f.Face, derived})
		}
	}
	return nil
}
