package daemon_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/daemon"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

func headKeys(t *testing.T) (*attest.Keys, string) {
	t.Helper()
	k, err := attest.OpenKeys(filepath.Join(t.TempDir(), "heads.key"), attest.DefaultName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := k.Public()
	if err != nil {
		t.Fatal(err)
	}
	return k, public[0].Verifier
}

func stoneBy(t *testing.T, sign func(string) (string, error)) journal.Record {
	t.Helper()
	d := tombstone.Draft{Removed: tombstone.Of([]uint64{1})}
	d.Table, d.Last = "friday", 1
	ms, err := d.Messages(sign, tombstone.Guards{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return journal.Record{Subject: ms[0].Subject, Seq: 2, Data: ms[0].Data}
}

// Without a key nobody's deletion is carried out; whoever wants every writer believed
// has to say so.
func TestWhoseDeletionsAreCarriedOut(t *testing.T) {
	own, key := headKeys(t)
	other, otherKey := headKeys(t)
	mine, foreign := stoneBy(t, own.Sign), stoneBy(t, other.Sign)
	unsigned := stoneBy(t, func(text string) (string, error) { return text + "\n- nobody AAAAAA==\n", nil })
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "heads.pub")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		args                    []string
		mine, foreign, unsigned bool
	}{
		"nothing":         {args: nil},
		"a key":           {args: []string{"--heads-known", key}, mine: true},
		"two keys":        {args: []string{"--heads-known", key, "--heads-known", otherKey}, mine: true, foreign: true},
		"two in one":      {args: []string{"--heads-known", key + "," + otherKey}, mine: true, foreign: true},
		"any":             {args: []string{"--heads-known", "any"}, mine: true, foreign: true, unsigned: true},
		"a list":          {args: []string{"--heads-known-file", file("retired " + otherKey + "\nbreak   the key before was lost\nsigns   " + key + "\n")}, mine: true, foreign: true},
		"bare keys":       {args: []string{"--heads-known-file", file("# ours\n\n" + key + "\n")}, mine: true},
		"an empty file":   {args: []string{"--heads-known-file", file("")}},
		"no file":         {args: []string{"--heads-known-file", filepath.Join(t.TempDir(), "none")}},
		"rubbish":         {args: []string{"--heads-known-file", file(key + "\nrubbish\n")}},
		"rubbish and key": {args: []string{"--heads-known-file", file("rubbish\n"), "--heads-known", key}, mine: true},
	} {
		t.Run(name, func(t *testing.T) {
			var known daemon.HeadsKnown
			f := pflag.NewFlagSet("x", pflag.ContinueOnError)
			known.Flags(f)
			if err := f.Parse(c.args); err != nil {
				t.Fatal(err)
			}
			believe, err := known.Believe()
			if err != nil {
				t.Fatal(err)
			}
			for what, one := range map[string]struct {
				rec  journal.Record
				want bool
			}{"ours": {mine, c.mine}, "a foreign one": {foreign, c.foreign}, "an unsigned one": {unsigned, c.unsigned}} {
				if _, err := believe.Read(one.rec); (err == nil) != one.want {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
	for _, args := range [][]string{{"--heads-known", "rubbish"}, {"--heads-known", "any", "--heads-known", key}, {"--heads-known", "any", "--heads-known-file", "x"}} {
		var known daemon.HeadsKnown
		f := pflag.NewFlagSet("x", pflag.ContinueOnError)
		known.Flags(f)
		if err := f.Parse(args); err != nil {
			t.Fatal(err)
		}
		if _, err := known.Believe(); err == nil {
			t.Errorf("%v is taken", args)
		}
	}
}

// A list that is made, or grows, after the service began counts from then on.
func TestAListOfKeysMayComeLater(t *testing.T) {
	own, key := headKeys(t)
	path := filepath.Join(t.TempDir(), "heads.pub")
	believe, err := tombstone.ByList(path)
	if err != nil {
		t.Fatal(err)
	}
	rec := stoneBy(t, own.Sign)
	if _, err := believe.Read(rec); err == nil {
		t.Error("believed without a list")
	}
	if err := os.WriteFile(path, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := believe.Read(rec); err != nil {
		t.Error(err)
	}
}
