package proof

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// writeLines writes a file of records.
func writeLines(t *testing.T, dir string, n int, lines []*injuryv1.RecordLine) string {
	t.Helper()
	var text bytes.Buffer
	for _, line := range lines {
		data, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(data, '\n'))
	}
	name := filepath.Join(dir, fmt.Sprintf("%04d.jsonl", n))
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

var commitNamed = regexp.MustCompile(`^(?:encounter|patient) [^ ,:]+, version \d+`)

// commitsNamed are the Commits that problems are of, such as "patient kara, version 3".
func commitsNamed(problems []string) (out []string) {
	for _, p := range problems {
		if at := commitNamed.FindString(p); at != "" && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

// Both verifiers follow every campaign of the scenarios and of the played tables: how
// patients came into fights and left them, and rulings over several records.
func TestBothFollowLinks(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i, c := range campaigns(t) {
		files = append(files, writeLines(t, dir, i, c.lines))
	}
	crossed := 0
	for i, theirs := range runSecond(t, files) {
		c := campaigns(t)[i]
		if len(theirs.Problems) > 0 || says(theirs.Unchecked, "can not be read whole") {
			t.Errorf("%s: %v, %v", c.name, theirs.Problems, theirs.Unchecked)
		}
		crossings := 0
		for _, r := range recordsOf(t, c.lines) {
			for _, parts := range open(t, r.commits(c.lines)).parts {
				cmd := &eventv1.Command{}
				if err := proto.Unmarshal(parts[0].(*eventv1.CommitCause).Command, cmd); err != nil {
					t.Fatal(err)
				}
				if d := cmd.GetPatient().GetDeed(); d == "engage" || d == "release" {
					crossings++
				}
			}
		}
		if theirs.Crossed != crossings {
			t.Errorf("%s: %d crossings followed of %d", c.name, theirs.Crossed, crossings)
		}
		crossed += crossings
	}
	if crossed < 20 {
		t.Errorf("%d crossings: too few to tell anything", crossed)
	}
}

// forgedFile is a campaign with a forgery in it.
type forgedFile struct {
	what  string
	at    string // the Commit that was forged; empty where others are to be named
	whose string // record that is to be named, where Commits of it are missing
	lines []*injuryv1.RecordLine
}

// Forgeries of links, of every sort and of random ones, sealed again: both verifiers find
// each, and name the same Commit.
func TestBothFindForgedLinks(t *testing.T) {
	all := campaigns(t)
	var tried []forgedFile
	names := linkForgeries()
	for _, name := range []string{"it left the fight healthier", "nothing of the fight was recorded", "it left by another request",
		"it went into another fight", "it came with more hit points than its record has", "it came with another sheet"} {
		tt := names[name]
		delete(names, name)
		c, r, f, i := pick(t, all, tt.kind, tt.fits)
		tt.forge(f, i)
		tried = append(tried, forgedFile{name, fmt.Sprintf("%s, version %d", r.name, i+1), "", r.with(c.lines, f.seal(i))})
	}
	if len(names) > 0 {
		t.Errorf("a forgery of Go's is not tried: %v", names)
	}
	rng := rand.New(rand.NewPCG(21, 3))
	small := slices.DeleteFunc(slices.Clone(all), func(c campaign) bool { return len(c.lines) > 120 })
	for len(tried) < 6+forgeries()/3 {
		if forged, ok := forgeLink(t, rng, small[rng.IntN(len(small))]); ok {
			tried = append(tried, forged)
		}
	}
	dir := t.TempDir()
	var files []string
	for i, x := range tried {
		files = append(files, writeLines(t, dir, i, x.lines))
	}
	for i, theirs := range runSecond(t, files) {
		ours, x := proveLines(t, tried[i].lines), tried[i]
		if ours.OK() || len(theirs.Problems) == 0 {
			t.Errorf("%s (%s): the first found %v, the second %v", x.what, x.at, ours.Problems, theirs.Problems)
			continue
		}
		if x.whose != "" {
			if !says(ours.Problems, x.whose) || !says(theirs.Problems, x.whose) {
				t.Errorf("%s: the first names %q, the second %q", x.what, ours.Problems, theirs.Problems)
			}
			continue
		}
		mine, other := commitsNamed(ours.Problems), commitsNamed(theirs.Problems)
		if x.at != "" && (!slices.Contains(mine, x.at) || !slices.Contains(other, x.at)) {
			t.Errorf("%s: %s was forged; the first names %q, the second %q", x.what, x.at, ours.Problems, theirs.Problems)
		}
		if !slices.ContainsFunc(mine, func(at string) bool { return slices.Contains(other, at) }) {
			t.Errorf("%s (%s): the first names %q, the second %q", x.what, x.at, ours.Problems, theirs.Problems)
		}
	}
	t.Logf("%d forgeries", len(tried))
}

// forgeLink forges something about how a record of a campaign goes on from another.
func forgeLink(t *testing.T, rng *rand.Rand, c campaign) (forgedFile, bool) {
	t.Helper()
	all := recordsOf(t, c.lines)
	r := all[rng.IntN(len(all))]
	f := open(t, r.commits(c.lines))
	i := rng.IntN(len(f.parts))
	cmd, cause := &eventv1.Command{}, f.parts[i][0].(*eventv1.CommitCause)
	f.must(proto.Unmarshal(cause.Command, cmd))
	at := fmt.Sprintf("%s, version %d", r.name, i+1)
	sealed := func(what, at string) (forgedFile, bool) {
		return forgedFile{c.name + ": " + what, at, "", r.with(c.lines, f.seal(i))}, true
	}
	deed := cmd.GetPatient().GetDeed()
	crosses := deed == "engage" || deed == "release"
	switch rng.IntN(6) {
	case 0: // who crossed with whom
		if crosses {
			cause.RequestId += "x"
			return sealed("another request", at)
		}
	case 1:
		if crosses {
			cmd.GetPatient().Encounter += "x"
			cause.Command = f.marshal(cmd)
			return sealed("another fight", at)
		}
	case 2: // a coming in with something else
		if v := cmd.GetAdd().GetVitals(); cmd.GetAdd().GetSheet().GetPatient() != "" && v.GetHp() > 1 {
			v.Hp = proto.Int32(v.GetHp() + 1)
			cause.Command = f.marshal(cmd)
			return sealed("other hit points", at)
		}
	case 3: // a leaving with something else
		for _, m := range f.parts[i][2:] {
			if hp := m.(*eventv1.Event).GetHitPoints(); hp != nil && deed == "release" {
				hp.Hp++
				return sealed("left with other hit points", at)
			}
		}
	case 4: // a ruling's parts
		for _, m := range f.parts[i][2:] {
			e := m.(*eventv1.Event)
			parts := append(e.GetAmended().GetAcross(), e.GetReverted().GetAcross()...)
			if len(parts) > 1 {
				parts[rng.IntN(len(parts))].Version++
				return sealed("another part of a ruling", "")
			}
		}
	case 5: // the end of a record, from a crossing on
		if crosses && strings.HasPrefix(r.name, "patient") && i > 0 {
			f.commits, f.headers, f.parts = f.commits[:i], f.headers[:i], f.parts[:i]
			return forgedFile{c.name + ": " + at + " and what follows is cut off", "", r.name, r.with(c.lines, f.seal(i))}, true
		}
	}
	return forgedFile{}, false
}
