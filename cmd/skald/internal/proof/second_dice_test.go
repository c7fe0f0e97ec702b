package proof

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	fights "github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The second verifier derives the vectors of docs/DICE.md.
func TestTheSecondVerifierHasTheVectors(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node: the second verifier is not run")
	}
	out, err := exec.CommandContext(t.Context(), node, "../../../../clients/typescript/verify/vectors.mjs",
		"../../../../docs/DICE.md", "../../../../pkg/dice/tape/testdata/vectors.json").CombinedOutput()
	if n, _ := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || n < 50 {
		t.Errorf("%v: %s", err, out)
	}
}

// places are those that problems of the dice name, as docs/RECORD.md has them.
func places(problems []string) []string {
	var out []string
	for _, p := range problems {
		if place, _, _ := strings.Cut(p, ": "); strings.HasPrefix(place, "epoch ") {
			out = append(out, place)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// diceForgery changes what a record says of its dice. It returns the first Commit that it
// changed, -1 where the fight has no such thing, and the beginning of a place that
// must be named.
type diceForgery func(f *forger) (from int, place string)

// find is forger.event for what a fight may lack. It comes first to what is last.
func (f *forger) find(fits func(*eventv1.Event) bool) (commit, part int, e *eventv1.Event) {
	for i, parts := range slices.Backward(f.parts) {
		for j, m := range parts[2:] {
			if e := m.(*eventv1.Event); fits(e) {
				return i, j + 2, e
			}
		}
	}
	return -1, 0, nil
}

func (f *forger) drop(commit, part int) {
	f.parts[commit] = slices.Delete(f.parts[commit], part, part+1)
}

// put puts an event at the end of a Commit.
func (f *forger) put(commit int, e *eventv1.Event) {
	f.parts[commit] = append(f.parts[commit], e)
	f.commits[commit].Parts = append(f.commits[commit].Parts, &eventv1.Sealed{Salt: make([]byte, 16)})
}

func bumped(b []byte) []byte {
	b = slices.Clone(b)
	b[0] ^= 1
	return b
}

func drawn(r *eventv1.Roll) bool { return len(r.GetFaces()) > int(r.GetSuppliedFaces()) }

// setting tells whether a number is of setting-up dice.
func setting(epoch uint32) bool { return epoch == event.SettingUpEpoch(epoch) }

// diceForgeries are one of each kind that the dice of a record can show.
var diceForgeries = map[string]diceForgery{
	"a contribution left out": func(f *forger) (int, string) {
		i, j, e := f.find(func(e *eventv1.Event) bool { return e.GetEntropyGiven() != nil })
		if e != nil {
			f.drop(i, j)
		}
		return i, fmt.Sprintf("epoch %d, branch everyone, action ", e.GetEntropyGiven().GetEpoch())
	},
	"a contribution changed": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetEntropyGiven() != nil })
		if e != nil {
			e.GetEntropyGiven().Value = bumped(e.GetEntropyGiven().Value)
		}
		return i, fmt.Sprintf("epoch %d, branch everyone, action ", e.GetEntropyGiven().GetEpoch())
	},
	"another contributor": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetEntropyGiven() != nil && e.GetEntropyGiven().Beacon == nil })
		if e != nil {
			e.GetEntropyGiven().Contributor = "player/eve"
		}
		return i, fmt.Sprintf("epoch %d, branch everyone, action ", e.GetEntropyGiven().GetEpoch())
	},
	"a contribution after the closing": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool {
			return e.GetEntropyClosed() != nil && !setting(e.GetEntropyClosed().Epoch)
		})
		if e != nil {
			f.put(i, event.New(event.Everyone(), &eventv1.EntropyGiven{Epoch: e.GetEntropyClosed().Epoch, Contributor: "player/eve", Value: []byte("late")}))
		}
		return i, fmt.Sprintf("epoch %d", e.GetEntropyClosed().GetEpoch())
	},
	"a contribution to setting-up dice alone": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return len(e.GetDiceEpoch().GetSettingUp()) > 0 })
		number := event.SettingUpEpoch(e.GetDiceEpoch().GetEpoch())
		if e != nil {
			f.put(i, event.New(event.Everyone(), &eventv1.EntropyGiven{Epoch: number, Contributor: "player/eve", Value: []byte("x")}))
		}
		return i, fmt.Sprintf("epoch %d", number)
	},
	"committed to afterwards": func(f *forger) (int, string) {
		i, j, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceEpoch().GetFormat() == 2 })
		if e != nil {
			f.drop(i, j)
			f.put(len(f.parts)-1, e)
		}
		return i, fmt.Sprintf("epoch %d, branch everyone", e.GetDiceEpoch().GetEpoch())
	},
	"somebody twice": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetEntropyGiven() != nil && e.GetEntropyGiven().Beacon == nil })
		if e != nil {
			f.put(i, event.New(event.Everyone(), &eventv1.EntropyGiven{Epoch: e.GetEntropyGiven().Epoch, Contributor: e.GetEntropyGiven().Contributor, Value: []byte("more")}))
		}
		return i, fmt.Sprintf("epoch %d, branch everyone", e.GetEntropyGiven().GetEpoch())
	},
	"entropy beside the commitments": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceEpoch() != nil })
		if e != nil {
			e.GetDiceEpoch().Entropy = []*eventv1.Entropy{{Contributor: "player/eve", Value: []byte("x")}}
		}
		return i, fmt.Sprintf("epoch %d", e.GetDiceEpoch().GetEpoch())
	},
	"never closed": func(f *forger) (int, string) {
		i, j, e := f.find(func(e *eventv1.Event) bool {
			return e.GetEntropyClosed() != nil && !setting(e.GetEntropyClosed().Epoch)
		})
		if e != nil {
			f.drop(i, j)
		}
		return i, fmt.Sprintf("epoch %d, branch everyone, action ", e.GetEntropyClosed().GetEpoch())
	},
	"setting-up dice never closed": func(f *forger) (int, string) {
		i, j, e := f.find(func(e *eventv1.Event) bool { return setting(e.GetEntropyClosed().GetEpoch()) })
		if e != nil {
			f.drop(i, j)
		}
		return i, fmt.Sprintf("epoch %d, branch ", e.GetEntropyClosed().GetEpoch())
	},
	"a beacon's value left out": func(f *forger) (int, string) {
		i, j, e := f.find(func(e *eventv1.Event) bool { return e.GetEntropyGiven().GetBeacon() != nil })
		if e != nil {
			f.drop(i, j)
		}
		return i, "epoch 1"
	},
	"a round that nobody promised": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetEntropyGiven().GetBeacon() != nil })
		if e != nil {
			e.GetEntropyGiven().Beacon.Round++
		}
		return i, "epoch 1"
	},
	"nobody waived the beacon": func(f *forger) (int, string) {
		i, j, e := f.find(func(e *eventv1.Event) bool { return e.GetBeaconNamed().GetWaived() })
		if e != nil {
			f.drop(i, j)
		}
		return i, "epoch 1"
	},
	"the seed of everyone":     seedForged("everyone", false),
	"the seed of gm":           seedForged("gm", false),
	"the seed of creatures":    seedForged("creatures", false),
	"a setting-up seed":        seedForged("everyone", true),
	"a secret setting-up seed": seedForged("gm", true),
	"a commitment": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceEpoch().GetFormat() == 2 })
		if e != nil {
			e.GetDiceEpoch().Commitments[0].Commitment = bumped(e.GetDiceEpoch().Commitments[0].Commitment)
		}
		return i, fmt.Sprintf("epoch %d, branch everyone", e.GetDiceEpoch().GetEpoch())
	},
	"a commitment of setting up": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return len(e.GetDiceEpoch().GetSettingUp()) > 0 })
		if e != nil {
			e.GetDiceEpoch().SettingUp[0].Commitment = bumped(e.GetDiceEpoch().SettingUp[0].Commitment)
		}
		return i, fmt.Sprintf("epoch %d, branch everyone", event.SettingUpEpoch(e.GetDiceEpoch().GetEpoch()))
	},
	"committed to twice": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceEpoch().GetFormat() == 2 })
		if e != nil {
			f.put(i, event.New(event.Everyone(), &eventv1.DiceEpochOpened{Epoch: e.GetDiceEpoch().Epoch,
				Commitments: []*eventv1.Commitment{{Branch: "gm", Commitment: make([]byte, 32)}}}))
		}
		return i, fmt.Sprintf("epoch %d, branch gm", e.GetDiceEpoch().GetEpoch())
	},
	"a layout that there is not": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceEpoch().GetFormat() == 2 })
		if e != nil {
			e.GetDiceEpoch().Format = 1
		}
		return i, fmt.Sprintf("epoch %d", e.GetDiceEpoch().GetEpoch())
	},
	"the layout of before": func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceEpoch().GetFormat() == 2 })
		if e != nil {
			e.GetDiceEpoch().Format = 0
		}
		return i, fmt.Sprintf("epoch %d, branch everyone", e.GetDiceEpoch().GetEpoch())
	},
	"a face": func(f *forger) (int, string) {
		return faceOf(f, func(r *eventv1.Roll) bool { return drawn(r) && r.Branch == "everyone" && !setting(r.Epoch) })
	},
	"a face of setting up": func(f *forger) (int, string) {
		return faceOf(f, func(r *eventv1.Roll) bool { return drawn(r) && setting(r.Epoch) && f.reveals(r.Branch) })
	},
	"a secret face": func(f *forger) (int, string) {
		return faceOf(f, func(r *eventv1.Roll) bool { return drawn(r) && r.Branch != "everyone" && f.reveals(r.Branch) })
	},
	"a leaf":         leafForged(func(o *eventv1.RollsOpened) { o.Leaf = bumped(o.Leaf) }),
	"a path":         leafForged(func(o *eventv1.RollsOpened) { o.Path[3] = bumped(o.Path[3]) }),
	"a path cut off": leafForged(func(o *eventv1.RollsOpened) { o.Path = o.Path[:9] }),
	"a seed hash":    leafForged(func(o *eventv1.RollsOpened) { o.SeedHash = bumped(o.SeedHash) }),
	"the leaf of another action": leafForged(func(o *eventv1.RollsOpened) {
		o.Action++
		for _, r := range o.Rolls {
			r.Action++
		}
	}),
	"an opened roll of another action": leafForged(func(o *eventv1.RollsOpened) { o.Rolls[0].Action++ }),
	"an opened face":                   leafForged(func(o *eventv1.RollsOpened) { o.Rolls[0].Faces[0] = another(o.Rolls[0]) }),
}

// another is another face than a roll's first, and on its die.
func another(r *eventv1.Roll) int32 {
	if r.Faces[0] == 1 {
		return 2
	}
	return 1
}

// reveals tells whether the fight opens a branch as a whole.
func (f *forger) reveals(branch string) bool {
	if strings.HasPrefix(branch, "creature/") {
		branch = "creatures"
	}
	_, _, e := f.find(func(e *eventv1.Event) bool { return e.GetDiceRevealed().GetBranch() == branch })
	return e != nil
}

// simple tells whether the second verifier knows which dice an expression draws.
func simple(r *eventv1.Roll) bool { return !strings.ContainsAny(r.GetExpression(), "!r{(*/<>=cm") }

func faceOf(f *forger, fits func(r *eventv1.Roll) bool) (int, string) {
	i, _, e := f.find(func(e *eventv1.Event) bool {
		return e.GetRoll() != nil && simple(e.GetRoll()) && fits(e.GetRoll())
	})
	if e == nil {
		return i, ""
	}
	r := e.GetRoll()
	r.Faces[0] = another(r)
	return i, rollAt(r)
}

func seedForged(branch string, settingUp bool) diceForgery {
	return func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool {
			return e.GetDiceRevealed().GetBranch() == branch && (!settingUp || e.GetDiceRevealed().SettingUpSeed != nil)
		})
		if e == nil {
			return i, ""
		}
		r := e.GetDiceRevealed()
		if settingUp {
			r.SettingUpSeed = bumped(r.SettingUpSeed)
			return i, fmt.Sprintf("epoch %d, branch %s", event.SettingUpEpoch(r.Epoch), branch)
		}
		r.Seed = bumped(r.Seed)
		return i, fmt.Sprintf("epoch %d, branch %s", r.Epoch, branch)
	}
}

func leafForged(forge func(*eventv1.RollsOpened)) diceForgery {
	return func(f *forger) (int, string) {
		i, _, e := f.find(func(e *eventv1.Event) bool {
			return len(e.GetRollsOpened().GetLeaf()) > 0 && simple(e.GetRollsOpened().Rolls[0]) && drawn(e.GetRollsOpened().Rolls[0])
		})
		if e == nil {
			return i, ""
		}
		forge(e.GetRollsOpened())
		o := e.GetRollsOpened()
		return i, leafOf{branch{o.Epoch, o.Branch}, o.Action}.String()
	}
}

// triedDice is a record of which both verifiers are to name the same places.
type triedDice struct {
	name    string
	commits [][]byte
	place   string // the beginning of one that must be named; "-" where none may be
}

// Whatever is forged of the dice, both verifiers name the same places: by kinds,
// in the whole record and as a spectator has it, and any field at random.
func TestBothVerifiersNameTheSamePlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 4))
	all := diceFights(t)
	for _, system := range systems.Registry().IDs() { // and some that people did not prepare for this
		for _, fight := range golden(t, system) {
			if _, _, e := open(t, fight.Commits).find(func(e *eventv1.Event) bool { return e.GetDiceRevealed() != nil }); e != nil {
				all = append(all, fight)
				break
			}
		}
	}
	var tried []triedDice
	kinds := map[string]int{}
	for _, fight := range all {
		tried = append(tried, triedDice{fight.Name, fight.Commits, "-"}, triedDice{fight.Name + ", a spectator's", seenBy(t, fight.Commits), "-"})
		for _, name := range rules.SortedKeys(diceForgeries) {
			f := open(t, fight.Commits)
			from, place := diceForgeries[name](f)
			if from < 0 {
				continue
			}
			kinds[name]++
			commits := f.seal(from)
			tried = append(tried, triedDice{fight.Name + ", " + name, commits, place})
			if kinds[name] <= 3 {
				tried = append(tried, triedDice{fight.Name + ", a spectator's, " + name, seenBy(t, commits), ""})
			}
		}
		for range forgeries() / 10 {
			if name, commits := diceForgedAnywhere(t, rng, fight); commits != nil {
				tried = append(tried, triedDice{fight.Name + ", " + name, commits, ""})
			}
		}
	}
	for _, name := range rules.SortedKeys(diceForgeries) {
		if kinds[name] == 0 {
			t.Errorf("no fight has what is forged as %q", name)
		}
	}
	dir := t.TempDir()
	var files []string
	for i, a := range tried {
		files = append(files, write(t, dir, i, a.commits))
	}
	for i, theirs := range runSecond(t, files) {
		ours, a := check(tried[i].commits), tried[i]
		mine, other := places(ours.Problems), places(theirs.Problems)
		switch {
		case !slices.Equal(mine, other):
			t.Errorf("%s:\nthe first names  %q\nthe second names %q", a.name, mine, other)
		case a.place == "-" && len(ours.Problems)+len(theirs.Problems) > 0:
			t.Errorf("%s: the first found %q, the second %q", a.name, ours.Problems, theirs.Problems)
		case a.place != "-" && !slices.ContainsFunc(mine, func(p string) bool { return strings.HasPrefix(p, a.place) }):
			if a.place != "" {
				t.Errorf("%s: %q is not among %q", a.name, a.place, mine)
			}
		}
		if theirs.Faces != ours.Faces || theirs.Rolls != ours.Rolls || !slices.Equal(theirs.Contributions, ours.Contributions) || !slices.Equal(theirs.Compare, ours.Compare) {
			t.Errorf("%s: the first has %d faces of %d rolls, %q, %q; the second %d of %d, %q, %q", a.name,
				ours.Faces, ours.Rolls, ours.Contributions, ours.Compare, theirs.Faces, theirs.Rolls, theirs.Contributions, theirs.Compare)
		}
	}
	t.Logf("%d records of %d fights", len(tried), len(all))
}

func seenBy(t *testing.T, commits [][]byte) [][]byte {
	t.Helper()
	out := make([][]byte, len(commits))
	for i, c := range commits {
		out[i] = spectators(t, c)
	}
	return out
}

// diceForgedAnywhere forges any field of any event that bears on the dice; nil where it hit on
// nothing. Expressions are left alone, of which the second verifier reads simple
// ones, and dice, from which it takes the sides of the others.
func diceForgedAnywhere(t *testing.T, rng *rand.Rand, fight fights.Fight) (string, [][]byte) {
	t.Helper()
	f := open(t, fight.Commits)
	var at []int
	var of []*eventv1.Event
	for i, parts := range f.parts {
		for _, m := range parts[2:] {
			if e := m.(*eventv1.Event); event.OfDice(e) || e.GetRollsOpened() != nil || drawn(e.GetRoll()) && simple(e.GetRoll()) && rng.IntN(8) == 0 {
				at, of = append(at, i), append(of, e)
			}
		}
	}
	if len(of) == 0 {
		return "", nil
	}
	n := rng.IntN(len(of))
	var all []site
	sites("", of[n].ProtoReflect(), func() {}, &all)
	all = slices.DeleteFunc(all, func(s site) bool {
		return !strings.Contains(s.path[1:], ".") || strings.HasPrefix(s.path, ".audience") || strings.Contains(s.path, ".expression") || strings.Contains(s.path, ".dice[") || strings.HasSuffix(s.path, ".dice")
	})
	if len(all) == 0 {
		return "", nil
	}
	s := all[rng.IntN(len(all))]
	s.forge()
	return fmt.Sprintf("version %d, %s", at[n]+1, s.path), f.seal(at[n])
}
