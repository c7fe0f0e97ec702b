package journal_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/journal"
)

func TestToken(t *testing.T) {
	for name, c := range map[string]struct {
		token string
		ok    bool
	}{
		"letters":      {"goblin-7_A", true},
		"utf8":         {"þórr", true},
		"longest":      {strings.Repeat("x", 128), true},
		"too long":     {strings.Repeat("x", 129), false},
		"empty":        {"", false},
		"dot":          {"a.b", false},
		"star":         {"*", false},
		"star inside":  {"a*b", false},
		"greater":      {">", false},
		"space":        {"a b", false},
		"tab":          {"a\tb", false},
		"wide space":   {"a\u3000b", false},
		"newline":      {"a\r\nb", false},
		"nul":          {"a\x00b", false},
		"delete":       {"a\x7fb", false},
		"invalid utf8": {"a\xffb", false},
	} {
		if err := journal.Token(c.token); (err == nil) != c.ok || err != nil && !errors.Is(err, journal.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The partition of a table is the one that the server's own mapping computes, so
// that a mapping can take over.
func TestPartitionIsTheServers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 64).Draw(t, "n")
		table := rapid.StringMatching(`[a-zA-Z0-9_-]{1,20}`).Draw(t, "table")
		tr, err := server.NewSubjectTransform("in.*", fmt.Sprintf("out.{{partition(%d,1)}}", n))
		if err != nil {
			t.Fatal(err)
		}
		out, err := tr.Match("in." + table)
		if err != nil {
			t.Fatal(err)
		}
		if want := "out." + strconv.Itoa(journal.Partition(table, n)); out != want {
			t.Fatalf("server %s, ours %s", out, want)
		}
	})
}

func TestSubject(t *testing.T) {
	for name, c := range map[string]struct {
		p           int
		table, kind string
		id          []string
		want        string
	}{
		"first stream": {0, "t1", "encounter", []string{"e1"}, "skald.0.t1.encounter.e1"},
		"another":      {7, "t1", "patient", []string{"p"}, "skald.7.t1.patient.p"},
		"branch":       {0, "t1", "branch", []string{"e1", "3"}, "skald.0.t1.branch.e1.3"},
		"no stream":    {-1, "t1", "encounter", []string{"e"}, ""},
		"no id":        {1, "t1", "encounter", nil, ""},
		"bad table":    {1, "t.1", "encounter", []string{"e"}, ""},
		"bad id":       {1, "t1", "encounter", []string{">"}, ""},
	} {
		got, err := journal.SubjectIn(c.p, c.table, c.kind, c.id...)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if f, err := journal.TableFilterIn(1, "t1"); err != nil || f != "skald.1.t1.>" {
		t.Errorf("table filter %q %v", f, err)
	}
	if _, err := journal.TableFilterIn(1, "*"); err == nil {
		t.Error("a wildcard is no table")
	}
}

func TestBranches(t *testing.T) {
	for _, kind := range []string{"encounter", "patient"} {
		b := journal.Branch{Table: "t", Kind: kind, ID: "x", Name: "ab"}
		subject, err := b.Subject(2)
		if want := "skald.2.t." + kind + ".@branch.x.ab"; err != nil || subject != want {
			t.Errorf("%q, %v, want %q", subject, err, want)
		}
		if back, ok := journal.SplitBranch(subject); !ok || back != b {
			t.Errorf("read back %v, %v", back, ok)
		}
		if _, _, _, ok := journal.SplitSubject(subject); ok {
			t.Errorf("%s is taken for an aggregate's own", subject)
		}
		if !journal.Matches(journal.KindFilter(2, kind), subject) {
			t.Errorf("%s is not of its kind", subject)
		}
	}
	for _, bad := range []journal.Branch{{Table: "t", Kind: "dice", ID: "x", Name: "b"}, {Table: "t", Kind: "patient", ID: "x.y", Name: "b"},
		{Table: "t", Kind: "patient", ID: "x", Name: ">"}, {Table: "t", Kind: "patient", ID: "x"}} {
		if subject, err := bad.Subject(0); err == nil {
			t.Errorf("%v is at %s", bad, subject)
		}
	}
	for _, other := range []string{"skald.0.t.patient.x", "skald.0.t.dice.@branch.x.b", "skald.0.t.encounter.@packs.x", "skald.0.t.patient.@branch.x"} {
		if b, ok := journal.SplitBranch(other); ok {
			t.Errorf("%s is taken for %v", other, b)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		filter, subject string
		want            bool
	}{
		{"", "a.b", true}, {">", "a.b", true}, {"a.b", "a.b", true}, {"a.b", "a.b.c", false}, {"a.b.c", "a.b", false},
		{"a.*", "a.b", true}, {"a.*", "a.b.c", false}, {"*.b", "a.b", true}, {"a.>", "a.b.c", true}, {"a.>", "a", false},
		{journal.PartitionFilter(3), "skald.3.t.encounter.e", true}, {journal.PartitionFilter(3), "skald.0.t.encounter.e", false},
		{journal.KindFilter(0, "patient"), "skald.0.t.patient.p", true}, {journal.KindFilter(0, "patient"), "skald.0.t.encounter.e", false},
	} {
		if got := journal.Matches(c.filter, c.subject); got != c.want {
			t.Errorf("%q on %q: %v", c.filter, c.subject, got)
		}
	}
}
