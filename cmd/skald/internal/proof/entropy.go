package proof

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// leafOf names the dice of one action on a branch.
type leafOf struct {
	branch
	action uint64
}

// String is the place of the action in a problem.
func (l leafOf) String() string { return fmt.Sprintf("%s, action %d", l.branch, l.action) }

func (d *dice) problem(format string, args ...any) {
	d.problems = append(d.problems, fmt.Sprintf(format, args...))
}

// epoch takes the commitments of an epoch. They stand before whatever is mixed in
// and before every roll.
func (d *dice) epoch(w *eventv1.DiceEpochOpened) {
	if _, known := d.formats[w.Epoch]; !known {
		d.formats[w.Epoch] = tape.Format(w.Format)
		setting := event.SettingUpEpoch(w.Epoch)
		d.formats[setting] = tape.Format(w.Format)
		if w.Open {
			d.open[w.Epoch] = true
			if len(w.SettingUp) > 0 {
				d.open[setting] = true
			}
		}
	}
	if f := tape.Format(w.Format); f != tape.FormatBranch && f != tape.FormatLeaf {
		d.problem("epoch %d: there is no layout %d", w.Epoch, w.Format)
	}
	if d.formats[w.Epoch] != tape.FormatBranch && len(w.Entropy) > 0 {
		d.problem("epoch %d: entropy stands beside its commitments", w.Epoch)
	}
	for _, c := range w.Entropy {
		d.entropy[w.Epoch] = append(d.entropy[w.Epoch], tape.Contribution{Contributor: c.Contributor, Bytes: c.Value})
	}
	for _, c := range w.Commitments {
		d.commit(branch{w.Epoch, c.Branch}, c.Commitment)
	}
	for _, c := range w.SettingUp {
		d.commit(branch{event.SettingUpEpoch(w.Epoch), c.Branch}, c.Commitment)
	}
}

func (d *dice) commit(at branch, commitment []byte) {
	if old, ok := d.commitments[at]; ok && string(old) != string(commitment) {
		d.problem("%s: committed to twice, differently", at)
	} else if len(d.rolls[at]) > 0 && !ok {
		d.problem("%s: rolled under before it was committed to", at)
	}
	d.commitments[at] = commitment
}

// given takes a contribution: it counts for the dice whose entropy is open.
func (d *dice) given(g *eventv1.EntropyGiven) {
	d.order = append(d.order, fmt.Sprintf("epoch %d, %s: %x", g.Epoch, g.Contributor, g.Value))
	if !d.open[g.Epoch] || g.Epoch == event.SettingUpEpoch(g.Epoch) { // it names the epoch, for both its dice
		d.problem("epoch %d: what %s gave stands outside the time between its commitments and its first roll", g.Epoch, g.Contributor)
		return
	}
	for _, number := range []uint32{g.Epoch, event.SettingUpEpoch(g.Epoch)} {
		if d.open[number] {
			d.entropy[number] = append(d.entropy[number], tape.Contribution{Contributor: g.Contributor, Bytes: g.Value})
		}
	}
	if b := g.Beacon; b != nil {
		d.beaconGiven(g)
	}
}

func (d *dice) beaconGiven(g *eventv1.EntropyGiven) {
	b, promised := g.Beacon, d.beacons[g.Epoch]
	if want := fmt.Sprintf("beacon/%s/%d", b.Name, b.Round); g.Contributor != want {
		d.problem("epoch %d: round %d of %s counts as %s", g.Epoch, b.Round, b.Name, g.Contributor)
	}
	if !proto.Equal(promised.GetBeacon(), b) || promised.GetWaived() {
		d.problem("epoch %d: round %d of %s was not promised", g.Epoch, b.Round, b.Name)
	}
	delete(d.beacons, g.Epoch)
	d.compare = append(d.compare, fmt.Sprintf("round %d of %s with %x", b.Round, b.Name, g.Value))
}

// close takes the closing of entropy. What is closed already was closed in a
// history that a ruling has put back.
func (d *dice) close(number uint32) {
	if promised := d.beacons[number]; promised != nil && d.open[number] {
		what := fmt.Sprintf("round %d of %s was promised for epoch %d and is not mixed in", promised.Beacon.GetRound(), promised.Beacon.GetName(), number)
		if promised.Waived {
			d.order = append(d.order, what+": waived")
		} else {
			d.problem("epoch %d: %s", number, what)
		}
	}
	for _, n := range []uint32{number, event.SettingUpEpoch(number)} {
		if d.open[n] {
			d.open[n] = false
		}
	}
}

// openedRolls takes rolls of a secret branch that were opened: those not known yet
// are checked with the others of the branch.
func (d *dice) openedRolls(w *eventv1.RollsOpened) {
	at := branch{w.Epoch, w.Branch}
	if len(w.Leaf) > 0 {
		d.leaves[leafOf{at, w.Action}] = w
	}
	for _, roll := range w.Rolls {
		d.opened = append(d.opened, roll)
		switch {
		case roll.Epoch != w.Epoch || roll.Branch != w.Branch || len(w.Leaf) > 0 && roll.Action != w.Action:
			d.problem("%s: what is opened holds a roll of %s", leafOf{at, w.Action}, rollAt(roll))
		case !slices.ContainsFunc(d.rolls[at], func(had *eventv1.Roll) bool { return sameFaces(had, roll) }):
			d.rolls[at] = append(d.rolls[at], roll)
		}
	}
}

func sameFaces(a, b *eventv1.Roll) bool {
	return a.Action == b.Action && a.Label == b.Label && a.Index == b.Index && a.Expression == b.Expression &&
		a.SuppliedFaces == b.SuppliedFaces && slices.Equal(a.Faces, b.Faces)
}

// deriveCreatures finds the seeds of creatures' branches that follow from the seed
// of their parent.
func (d *dice) deriveCreatures() {
	var branches []branch
	// order-free: a set
	for at := range d.rolls {
		branches = append(branches, at)
	}
	// order-free: a set
	for at := range d.commitments {
		branches = append(branches, at)
	}
	for _, at := range branches {
		id, creature := strings.CutPrefix(at.name, "creature/")
		parent := d.seeds[branch{at.epoch, string(tape.Creatures)}]
		if !creature || len(parent) != len(tape.Seed{}) {
			continue
		}
		seed := tape.CreatureOf(tape.Seed(parent), id)
		d.seeds[at] = seed[:]
		if _, committed := d.commitments[at]; !committed { // the parent is committed to, and that is enough
			c := tape.CommitmentOf(d.formats[at.epoch], tape.Audience(at.name), seed)
			d.commitments[at] = c[:]
		}
	}
}

// verifyLeaves checks rolls that were opened one by one.
func (d *dice) verifyLeaves(r *Report) {
	var order []leafOf
	// order-free: sorted below
	for at := range d.leaves {
		order = append(order, at)
	}
	slices.SortFunc(order, func(a, b leafOf) int {
		return strings.Compare(fmt.Sprintf("%010d %s %020d", a.epoch, a.name, a.action), fmt.Sprintf("%010d %s %020d", b.epoch, b.name, b.action))
	})
	for _, at := range order {
		if d.seeds[at.branch] == nil {
			r.Branches = append(r.Branches, fmt.Sprintf("action %d of %s (epoch %d)", at.action, at.name, at.epoch))
		}
		if err := d.verifyLeaf(at, r); err != nil {
			r.Problems = append(r.Problems, fmt.Sprintf("%s: %v", at, err))
		}
	}
}

func (d *dice) verifyLeaf(at leafOf, r *Report) error {
	w := d.leaves[at]
	if len(w.Leaf) != len(tape.Leaf{}) || len(w.SeedHash) != len(tape.Digest{}) || len(d.commitments[at.branch]) != len(tape.Digest{}) {
		return fmt.Errorf("a leaf of %d bytes for a commitment of %d", len(w.Leaf), len(d.commitments[at.branch]))
	}
	path := make([]tape.Digest, len(w.Path))
	for i, p := range w.Path {
		if len(p) != len(tape.Digest{}) {
			return fmt.Errorf("a path with %d bytes at height %d", len(p), i)
		}
		path[i] = tape.Digest(p)
	}
	if err := tape.CheckLeaf(tape.Digest(d.commitments[at.branch]), tape.Leaf(w.Leaf), at.action, path, tape.Digest(w.SeedHash)); err != nil {
		return err
	}
	if d.seeds[at.branch] != nil {
		return nil // its rolls are checked with the branch
	}
	records := r.records(slices.DeleteFunc(slices.Clone(d.rolls[at.branch]), func(roll *eventv1.Roll) bool { return roll.Action != at.action }))
	report, err := tape.VerifyLeaf(tape.Leaf(w.Leaf), at.action, d.entropy[at.epoch], records.rolls)
	if err != nil {
		return err
	}
	r.Faces += report.Faces
	r.differ(report, records)
	return nil
}
