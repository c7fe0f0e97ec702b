package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	branches "github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	fights "github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/systems"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// second is the second verifier, of another language and hand.
const second = "../../../../clients/typescript/verify/main.mjs"

// secondReport is what it says.
type secondReport struct {
	Encounter, Hash                                   string
	Commits, Withheld, Rolls, Faces, Supplied, Sealed int
	Totals, Crossed, Signed                           int
	Problems, Contributions, Compare, Unchecked       []string
}

// write writes Commits as an export file.
func write(t *testing.T, dir string, n int, commits [][]byte) string {
	t.Helper()
	var b bytes.Buffer
	for _, c := range commits {
		line, err := protojson.Marshal(&encounterv1.ExportResponse{Commit: c})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	name := filepath.Join(dir, fmt.Sprintf("%03d.jsonl", n))
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func runSecond(t *testing.T, files []string, flags ...string) []secondReport {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node: the second verifier is not run")
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), node, slices.Concat([]string{second}, flags, files)...)
	cmd.Stdout, cmd.Stderr = &out, &said
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v: %s", err, said.String())
	}
	var reports []secondReport
	for d := json.NewDecoder(&out); d.More(); {
		var r secondReport
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	if len(reports) != len(files) {
		t.Fatalf("%d reports for %d files", len(reports), len(files))
	}
	return reports
}

// The second verifier, written from the documentation, agrees with the first about
// fights of all systems, whole and as a spectator has them, and finds the forgeries
// that chain, digests, faces and totals show.
func TestTheSecondVerifierAgrees(t *testing.T) {
	dir := t.TempDir()
	type tried struct {
		name    string
		commits [][]byte
		forged  bool
		sealed  bool // again, so that nothing is lost but what was forged
	}
	var all []tried
	for n, system := range systems.Registry().IDs() {
		rng := rand.New(rand.NewPCG(12, uint64(n)))
		first, err := fights.Load("2026-11", system) // with dice of format 0
		if err != nil {
			t.Fatal(err)
		}
		newest := golden(t, system)
		for n := range 12 {
			from := newest
			if n >= 8 {
				from = first
			}
			g := from[rng.IntN(len(from))]
			all = append(all, tried{name: g.Name, commits: g.Commits})
			var seen [][]byte
			for _, c := range g.Commits {
				seen = append(seen, spectators(t, c))
			}
			all = append(all, tried{name: g.Name + ", a spectator's", commits: seen})
			all = append(all, tried{name: g.Name + ", a byte", commits: flipped(rng, g.Commits), forged: true})
			if f, ok := faceForged(t, g.Commits); ok {
				all = append(all, tried{name: g.Name + ", a face", commits: f, forged: true, sealed: true})
			}
		}
	}
	files := make([]string, len(all))
	for i, a := range all {
		files[i] = write(t, dir, i, a.commits)
	}
	faces, totals := 0, 0
	for i, theirs := range runSecond(t, files) {
		ours := check(all[i].commits)
		if all[i].forged {
			if len(theirs.Problems) == 0 || len(ours.Problems) == 0 {
				t.Errorf("%s: the first found %v, the second %v", all[i].name, ours.Problems, theirs.Problems)
			}
			if mine, other := places(ours.Problems), places(theirs.Problems); all[i].sealed && !slices.Equal(mine, other) {
				t.Errorf("%s: the first names %q, the second %q", all[i].name, mine, other)
			}
			continue
		}
		if len(theirs.Problems) > 0 || len(ours.Problems) > 0 {
			t.Errorf("%s: the first found %v, the second %v", all[i].name, ours.Problems, theirs.Problems)
		}
		if theirs.Hash != ours.Hash || theirs.Commits != ours.Commits || theirs.Withheld != ours.Withheld || theirs.Rolls != ours.Rolls ||
			theirs.Faces != ours.Faces || theirs.Sealed != ours.Sealed || theirs.Supplied != ours.Supplied+ours.Fixed {
			t.Errorf("%s: the first says %+v, the second %+v", all[i].name, ours, theirs)
		}
		faces, totals = faces+theirs.Faces, totals+theirs.Totals
	}
	if faces == 0 || totals == 0 {
		t.Errorf("%d faces and %d totals checked: nothing was shown", faces, totals)
	}
}

// spectators is a Commit as a spectator has it.
func spectators(t *testing.T, commit []byte) []byte {
	t.Helper()
	o, err := event.Open(commit)
	if err != nil {
		t.Fatal(err)
	}
	data, err := event.Redact(commit, func(part int) bool {
		return part >= 2 && o.Events[part-2].Audience.GetKind() == eventv1.Audience_KIND_EVERYONE
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// flipped has one bit of one Commit changed, and nothing sealed again.
func flipped(rng *rand.Rand, commits [][]byte) [][]byte {
	out := append([][]byte(nil), commits...)
	at := rng.IntN(len(out) - 1) // the last one's header is held by nothing
	c := bytes.Clone(out[at])
	c[rng.IntN(len(c))] ^= 1 << rng.IntN(8)
	out[at] = c
	return out
}

// faceForged changes the value of a roll with its total left as it was, and seals
// everything again.
func faceForged(t *testing.T, commits [][]byte) ([][]byte, bool) {
	t.Helper()
	f := open(t, commits)
	revealed, forged := false, -1
	for i, parts := range f.parts {
		for _, m := range parts[2:] {
			e := m.(*eventv1.Event)
			revealed = revealed || e.GetDiceRevealed() != nil
			if r := e.GetRoll(); forged < 0 && r != nil && r.Branch == "everyone" && r.SuppliedFaces == 0 && r.Epoch <= 1 && r.Expression == "1d20" {
				r.Faces[0] = r.Faces[0]%20 + 1
				forged = i
			}
		}
	}
	if !revealed || forged < 0 {
		return nil, false
	}
	return f.seal(forged), true
}

// An amended history on a branch is followed by both, part by part; neither takes parts
// that are not the ones that were named.
func TestBothFollowABranch(t *testing.T) {
	dir := t.TempDir()
	for _, g := range golden(t, "rcr") {
		whole, parts := branched(t, g.Commits)
		if parts == nil {
			continue
		}
		lines := func(n int, parts [][]byte) string {
			name := write(t, dir, n, nil)
			var b bytes.Buffer
			for _, p := range parts {
				line, err := protojson.Marshal(&encounterv1.ExportResponse{BranchPart: &encounterv1.ExportedPart{Branch: "b", Data: p}})
				if err != nil {
					t.Fatal(err)
				}
				b.Write(append(line, '\n'))
			}
			rest, err := os.ReadFile(write(t, dir, n+1, whole))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, append(b.Bytes(), rest...), 0o600); err != nil {
				t.Fatal(err)
			}
			return name
		}
		forged := append([][]byte(nil), parts...)
		forged[0] = bytes.Clone(parts[0])
		forged[0][len(forged[0])/2] ^= 1
		theirs := runSecond(t, []string{write(t, dir, 10, g.Commits), lines(20, parts), lines(30, forged), lines(40, parts[1:])})
		for i, given := range [][][]byte{parts, forged, parts[1:]} {
			p := New()
			for _, data := range given {
				p.Branch("b", data)
			}
			for _, c := range whole {
				p.Add(c)
			}
			ours, second := p.Report(), theirs[i+1]
			if i > 0 {
				if len(ours.Problems) == 0 || len(second.Problems) == 0 {
					t.Errorf("%s: the first found %v, the second %v", g.Name, ours.Problems, second.Problems)
				}
				continue
			}
			if len(ours.Problems) > 0 || second.Rolls != theirs[0].Rolls || second.Rolls != ours.Rolls || len(second.Problems) != len(theirs[0].Problems) {
				t.Errorf("%s: the first says %+v, the second %+v, and of the same in its Commit %+v", g.Name, ours, second, theirs[0])
			}
		}
		return
	}
	t.Error("no fight with an amendment")
}

// branched puts the history of a fight's first amendment with commands on a branch in
// two parts.
func branched(t *testing.T, commits [][]byte) ([][]byte, [][]byte) {
	t.Helper()
	f := open(t, commits)
	for i, all := range f.parts {
		for _, m := range all[2:] {
			am := m.(*eventv1.Event).GetAmended()
			if len(am.GetCommands()) < 2 {
				continue
			}
			w, err := branches.Write(am.Commands, 1, zeros{})
			if err != nil {
				t.Fatal(err)
			}
			am.Branch, am.BranchHash, am.Parts, am.Count = "b", w.Hash, uint32(len(w.Parts)), uint32(len(am.Commands)) //nolint:gosec // few
			am.Commands = nil
			return f.seal(i), w.Parts
		}
	}
	return nil, nil
}

// zeros are salts for tests.
type zeros struct{}

// Read is io.Reader.Read.
func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
