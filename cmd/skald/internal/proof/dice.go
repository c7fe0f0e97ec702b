package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	skalddice "github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// branch is a branch of the key tree within an epoch.
type branch struct {
	epoch uint32
	name  string
}

// String is the place of the branch in a problem, as docs/RECORD.md has it.
func (b branch) String() string { return fmt.Sprintf("epoch %d, branch %s", b.epoch, b.name) }

// rollAt is the place of a roll in a problem.
func rollAt(r *eventv1.Roll) string {
	return fmt.Sprintf("%s, %s#%d", leafOf{branch{r.Epoch, r.Branch}, r.Action}, r.Label, r.Index)
}

// dice collects what bears on the faces.
type dice struct {
	commitments map[branch][]byte
	seeds       map[branch][]byte
	entropy     map[uint32][]tape.Contribution
	rolls       map[branch][]*eventv1.Roll
	formats     map[uint32]tape.Format
	open        map[uint32]bool // entropy may still be given; absent where there was no such time
	beacons     map[uint32]*eventv1.BeaconNamed
	leaves      map[leafOf]*eventv1.RollsOpened
	opened      []*eventv1.Roll   // as they were opened: address, expression, faces and value
	order       []string          // contributions in the order of the record
	compare     []string          // what nobody but the reader can check
	last        map[string]uint64 // highest number of an action, by branch
	skipped     []string          // gaps in those numbers
	problems    []string
}

func newDice() dice {
	return dice{commitments: map[branch][]byte{}, seeds: map[branch][]byte{}, formats: map[uint32]tape.Format{}, open: map[uint32]bool{},
		beacons: map[uint32]*eventv1.BeaconNamed{}, leaves: map[leafOf]*eventv1.RollsOpened{},
		entropy: map[uint32][]tape.Contribution{}, rolls: map[branch][]*eventv1.Roll{}, last: map[string]uint64{}}
}

func (d *dice) add(e *eventv1.Event) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_DiceEpoch:
		d.epoch(w.DiceEpoch)
	case *eventv1.Event_DiceRevealed:
		d.seeds[branch{w.DiceRevealed.Epoch, w.DiceRevealed.Branch}] = w.DiceRevealed.Seed
		if seed := w.DiceRevealed.SettingUpSeed; seed != nil {
			d.seeds[branch{event.SettingUpEpoch(w.DiceRevealed.Epoch), w.DiceRevealed.Branch}] = seed
		}
	case *eventv1.Event_EntropyGiven:
		d.given(w.EntropyGiven)
	case *eventv1.Event_EntropyClosed:
		d.close(w.EntropyClosed.Epoch)
	case *eventv1.Event_BeaconNamed:
		d.beacons[w.BeaconNamed.Epoch] = w.BeaconNamed
	case *eventv1.Event_RollsOpened:
		d.openedRolls(w.RollsOpened)
	case *eventv1.Event_Roll:
		at := branch{w.Roll.Epoch, w.Roll.Branch}
		d.rolls[at] = append(d.rolls[at], w.Roll)
		d.number(w.Roll)
		if d.open[at.epoch] && int(w.Roll.SuppliedFaces) < len(w.Roll.Faces) {
			d.problem("%s: rolled before its entropy is closed", rollAt(w.Roll))
		}
	}
}

// number holds that the addresses of a branch are the log's own numbering:
// actions that draw from it are numbered 1, 2, 3 as they come. Who could pick
// addresses could pick faces.
func (d *dice) number(r *eventv1.Roll) {
	last := d.last[r.Branch]
	if r.Action > last+1 {
		d.skipped = append(d.skipped, fmt.Sprintf("%s: drew after action %d", leafOf{branch{r.Epoch, r.Branch}, r.Action}, last))
	}
	if r.Action == 0 {
		d.problem("%s: has no action number", rollAt(r))
	}
	d.last[r.Branch] = max(last, r.Action)
}

func (d *dice) verify(r *Report) {
	d.deriveCreatures()
	r.Problems = append(r.Problems, d.problems...)
	r.Contributions, r.Compare = d.order, d.compare
	if r.Withheld == 0 { // what is withheld may hold the numbers that are missing
		r.Problems = append(r.Problems, d.skipped...)
	}
	d.verifyLeaves(r)
	// order-free: sums
	for at, rolls := range d.rolls {
		r.Rolls += len(rolls)
		if d.seeds[at] != nil {
			continue
		}
		for _, roll := range rolls { // faces rolled by people need no seed
			r.count(roll)
			if d.leaves[leafOf{at, roll.Action}] != nil {
				continue
			}
			if int(roll.SuppliedFaces) < len(roll.Faces) {
				r.Sealed++
			}
		}
	}
	order := slices.SortedFunc(maps.Keys(d.seeds), func(a, b branch) int {
		if a.epoch != b.epoch {
			return int(a.epoch) - int(b.epoch)
		}
		return strings.Compare(a.name, b.name)
	})
	for _, at := range order {
		r.Branches = append(r.Branches, fmt.Sprintf("%s (epoch %d)", at.name, at.epoch))
		if err := d.verifyBranch(at, r); err != nil {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", at, err))
		}
	}
}

// count counts the faces that people gave: rolled by hand, or fixed by word.
func (r *Report) count(roll *eventv1.Roll) {
	if roll.Fixed {
		r.Fixed += int(roll.SuppliedFaces)
		return
	}
	r.Supplied += int(roll.SuppliedFaces)
}

// verifyBranch derives every face of a revealed branch again.
func (d *dice) verifyBranch(at branch, r *Report) error {
	if len(d.seeds[at]) != len(tape.Seed{}) || len(d.commitments[at]) != len(tape.Digest{}) {
		return fmt.Errorf("a seed of %d bytes for a commitment of %d", len(d.seeds[at]), len(d.commitments[at]))
	}
	records := r.records(d.rolls[at])
	report, err := tape.VerifyBranch(d.formats[at.epoch], tape.Audience(at.name), tape.Seed(d.seeds[at]), tape.Digest(d.commitments[at]), d.entropy[at.epoch], records.rolls)
	if err != nil {
		return err
	}
	r.Faces += report.Faces
	for _, roll := range d.rolls[at] {
		r.count(roll)
	}
	r.differ(report, records)
	return nil
}

// records are rolls as the verification takes them; one that no expression draws is
// a problem by itself.
func (r *Report) records(rolls []*eventv1.Roll) records {
	var out records
	for _, roll := range rolls {
		rec, err := recorded(cmp.Or(r.address, r.Encounter), roll)
		if err != nil {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", rollAt(roll), err))
			continue
		}
		out.rolls, out.taken = append(out.rolls, rec), append(out.taken, roll)
	}
	return out
}

// records are rolls of one branch, and the events that they were taken from.
type records struct {
	rolls []tape.Recorded
	taken []*eventv1.Roll
}

// differ notes what a verification found.
func (r *Report) differ(report *tape.Report, records records) {
	for _, diff := range report.Differences {
		r.Problems = append(r.Problems, fmt.Sprintf("%s, face %d: shows %d, the tape has %d", rollAt(records.taken[diff.Record]), diff.Face+1, diff.Recorded, diff.Derived))
	}
	for _, f := range report.Faults {
		r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", rollAt(records.taken[f.Record]), f.Err))
	}
}

// recorded is a roll as the verification takes it: with the sides of each die
// in rolling order, which the expression gives.
func recorded(encounter string, roll *eventv1.Roll) (tape.Recorded, error) {
	expr, err := skalddice.Parse(roll.Expression)
	if err != nil {
		return tape.Recorded{}, err
	}
	faces := make([]int, 0, len(roll.Faces))
	for _, f := range roll.Faces {
		faces = append(faces, int(f))
	}
	result, err := expr.Eval(skalddice.List(faces...), skalddice.Limits{})
	if err != nil {
		return tape.Recorded{}, err
	}
	if len(result.Faces) != len(faces) {
		return tape.Recorded{}, fmt.Errorf("%d faces for the %d that %s rolls", len(faces), len(result.Faces), expr)
	}
	return tape.Recorded{Purpose: tape.Real, Expr: roll.Expression, Faces: result.Faces, Supplied: int(roll.SuppliedFaces),
		Address: tape.Address{Encounter: encounter, Epoch: roll.Epoch, Action: roll.Action, Label: roll.Label, Index: roll.Index}}, nil
}
