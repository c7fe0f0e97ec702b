package proof

import (
	"slices"
	"strings"
	"testing"

	skalddice "github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// recordOf is a record of dice of format 2, as events.
type recordOf struct {
	t       *testing.T
	root    tape.Root
	entropy []tape.Contribution
}

func (r *recordOf) seed(epoch uint32, a tape.Audience) tape.Seed {
	s, err := tape.BranchOf(tape.FormatLeaf, r.root, "e", epoch, a)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *recordOf) commitments(epoch uint32, branches ...string) []*eventv1.Commitment {
	var out []*eventv1.Commitment
	for _, b := range branches {
		c := tape.CommitmentOf(tape.FormatLeaf, tape.Audience(b), r.seed(epoch, tape.Audience(b)))
		out = append(out, &eventv1.Commitment{Branch: b, Commitment: c[:]})
	}
	return out
}

func (r *recordOf) opened() *eventv1.Event {
	return event.New(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: 1, Open: true, Format: 2,
		Commitments: r.commitments(1, "everyone", "gm", "creatures"),
		SettingUp:   r.commitments(event.SettingUpEpoch(1), "everyone", "gm", "creatures")})
}

func (r *recordOf) given(who, value string) *eventv1.Event {
	r.entropy = append(r.entropy, tape.Contribution{Contributor: who, Bytes: []byte(value)})
	return event.New(event.Everyone(), &eventv1.EntropyGiven{Epoch: 1, Contributor: who, Value: []byte(value)})
}

func closed(epoch uint32) *eventv1.Event {
	return event.New(event.Everyone(), &eventv1.EntropyClosed{Epoch: epoch})
}

// roll draws with the entropy given so far.
func (r *recordOf) roll(epoch uint32, branch string, action uint64) *eventv1.Event {
	key, err := tape.KeyOf(tape.FormatLeaf, r.seed(epoch, tape.Audience(branch)), action, r.entropy)
	if err != nil {
		r.t.Fatal(err)
	}
	tp, err := tape.Open(key, tape.Real, tape.Address{Encounter: "e", Epoch: epoch, Action: action, Label: "x"})
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := skalddice.MustParse("2d20").Eval(tp, skalddice.Limits{})
	if err != nil {
		r.t.Fatal(err)
	}
	var faces []int32
	for _, f := range out.Faces {
		faces = append(faces, int32(f.Face)) //nolint:gosec // a face
	}
	return event.New(event.Everyone(), &eventv1.Roll{Epoch: epoch, Branch: branch, Action: action, Label: "x", Expression: "2d20", Faces: faces})
}

func (r *recordOf) revealed(branch string) *eventv1.Event {
	seed, setting := r.seed(1, tape.Audience(branch)), r.seed(event.SettingUpEpoch(1), tape.Audience(branch))
	return event.New(event.Everyone(), &eventv1.DiceRevealed{Epoch: 1, Branch: branch, Seed: seed[:], SettingUpSeed: setting[:]})
}

func (r *recordOf) leaf(action uint64, rolls ...*eventv1.Roll) *eventv1.Event {
	seed := r.seed(1, tape.GM)
	path, err := tape.PathOf(seed, action)
	if err != nil {
		r.t.Fatal(err)
	}
	l, h := tape.LeafOf(seed, action), tape.SeedHash(seed)
	o := &eventv1.RollsOpened{Epoch: 1, Branch: "gm", Action: action, Leaf: l[:], SeedHash: h[:], Rolls: rolls}
	for _, p := range path {
		o.Path = append(o.Path, p[:])
	}
	return event.New(event.Everyone(), o)
}

func TestOrderOfTheDice(t *testing.T) {
	setting := event.SettingUpEpoch(1)
	for name, tt := range map[string]struct {
		events func(r *recordOf) []*eventv1.Event
		want   string // a problem; empty when there is none
		faces  int
	}{
		"in order": {func(r *recordOf) []*eventv1.Event {
			return []*eventv1.Event{r.opened(), r.given("player/ann", "a"), closed(setting), r.roll(setting, "everyone", 1), r.given("player/bob", "b"),
				closed(1), r.roll(1, "everyone", 2), r.roll(1, "everyone", 3), r.revealed("everyone")}
		}, "", 6},
		"rolled before it is closed": {func(r *recordOf) []*eventv1.Event {
			return []*eventv1.Event{r.opened(), r.roll(1, "everyone", 1), closed(1)}
		}, "rolled before its entropy is closed", 0},
		"given before the commitments": {func(r *recordOf) []*eventv1.Event {
			return []*eventv1.Event{r.given("player/ann", "a"), r.opened(), closed(1), r.roll(1, "everyone", 1)}
		}, "stands outside the time", 0},
		"given after it is closed": {func(r *recordOf) []*eventv1.Event {
			return []*eventv1.Event{r.opened(), closed(1), r.given("player/ann", "a"), r.roll(1, "everyone", 1), r.revealed("everyone")}
		}, "stands outside the time", 2},
		"left out": {func(r *recordOf) []*eventv1.Event {
			r.given("player/ann", "a")
			return []*eventv1.Event{r.opened(), closed(1), r.roll(1, "everyone", 1), r.revealed("everyone")}
		}, "the tape has", 2},
		"a round that is missing": {func(r *recordOf) []*eventv1.Event {
			return []*eventv1.Event{r.opened(), event.New(event.Everyone(), &eventv1.BeaconNamed{Epoch: 1, Beacon: &eventv1.Beacon{Name: "b", Round: 3}}), closed(1)}
		}, "was promised for epoch 1 and is not mixed in", 0},
		"a round that nobody promised": {func(r *recordOf) []*eventv1.Event {
			e := r.given("beacon/b/3", "v")
			e.GetEntropyGiven().Beacon = &eventv1.Beacon{Name: "b", Round: 3}
			return []*eventv1.Event{r.opened(), e, closed(1)}
		}, "was not promised", 0},
		"creatures by their parent": {func(r *recordOf) []*eventv1.Event {
			return []*eventv1.Event{r.opened(), closed(setting), r.roll(setting, "creature/orc", 1), closed(1), r.roll(1, "creature/orc", 2),
				r.revealed("creatures"), r.revealed("gm")}
		}, "", 4},
		"one action": {func(r *recordOf) []*eventv1.Event {
			roll := r.roll(1, "gm", 1)
			return []*eventv1.Event{r.opened(), closed(1), r.leaf(1, roll.GetRoll())}
		}, "", 2},
		"one action, another face": {func(r *recordOf) []*eventv1.Event {
			roll := r.roll(1, "gm", 1)
			roll.GetRoll().Faces[0] = roll.GetRoll().Faces[0]%20 + 1
			return []*eventv1.Event{r.opened(), closed(1), r.leaf(1, roll.GetRoll())}
		}, "the tape has", 2},
		"one action by the leaf of another": {func(r *recordOf) []*eventv1.Event {
			roll := r.roll(1, "gm", 1)
			e := r.leaf(2, roll.GetRoll())
			e.GetRollsOpened().Action = 1
			return []*eventv1.Event{r.opened(), closed(1), e}
		}, "is not one of the branch", 0},
	} {
		d, r := newDice(), &recordOf{t: t, root: tape.Root{7}}
		for _, e := range tt.events(r) {
			d.add(e)
		}
		report := &Report{Encounter: "e", Withheld: 1}
		d.verify(report)
		if tt.want == "" && len(report.Problems) > 0 || tt.want != "" && !slices.ContainsFunc(report.Problems, func(s string) bool { return strings.Contains(s, tt.want) }) {
			t.Errorf("%s: %v", name, report.Problems)
		}
		if report.Faces != tt.faces {
			t.Errorf("%s: %d faces follow, want %d", name, report.Faces, tt.faces)
		}
	}
}

func TestBeaconIsToBeCompared(t *testing.T) {
	d, r := newDice(), &recordOf{t: t, root: tape.Root{7}}
	e := r.given("beacon/drand quicknet/3", "\xab")
	e.GetEntropyGiven().Beacon = &eventv1.Beacon{Name: "drand quicknet", Round: 3}
	for _, ev := range []*eventv1.Event{r.opened(), event.New(event.Everyone(), &eventv1.BeaconNamed{Epoch: 1, Beacon: e.GetEntropyGiven().Beacon}), e, closed(1)} {
		d.add(ev)
	}
	report := &Report{Encounter: "e"}
	d.verify(report)
	if len(report.Problems) > 0 || !slices.Equal(report.Compare, []string{"round 3 of drand quicknet with ab"}) || len(report.Contributions) != 1 {
		t.Errorf("%+v", report)
	}
}
