package scrub

import (
	"strings"
	"testing"
)

// Neighbours on one replica are one finding; two looks have in common what both saw.
func TestFindings(t *testing.T) {
	fs := &findings{}
	for _, seq := range []uint64{4, 5, 6, 9} {
		fs.add(Finding{Kind: Missing, Replica: "b", Sequence: seq}, Finding{Kind: Missing, Replica: "c", Sequence: seq})
	}
	fs.add(Finding{Kind: Different, Replica: "b", Sequence: 10})
	if len(fs.list) != 5 || fs.list[0].Through != 6 || fs.list[1].Through != 6 || !strings.Contains(fs.list[0].String(), "4 to 6") {
		t.Fatalf("%v", fs.list)
	}
	if n := (&Report{Findings: fs.list, More: 2}).Damaged(); n != 11 {
		t.Errorf("%d damaged", n)
	}
	again := []Finding{{Kind: Missing, Replica: "b", Sequence: 5, Through: 8}, {Kind: Behind, Replica: "c"}}
	if f, ok := fs.list[0].both(again); !ok || f.Sequence != 5 || f.Through != 6 {
		t.Errorf("%v, %v", f, ok)
	}
	if f, ok := fs.list[1].both(again); ok {
		t.Errorf("%v was seen once", f)
	}
}

// The replica that differs is the one that is in the minority; without a majority
// the whole Commit counts, and else nobody can tell.
func TestJudge(t *testing.T) {
	rec := func(s string) *entry { e := entry{}; e.Seq, e.sum[0] = 7, s[0]; return &e }
	for name, c := range map[string]struct {
		have map[string]*entry
		want string
	}{
		"all the same": {map[string]*entry{"a": rec("x"), "b": rec("x"), "c": rec("x")}, ""},
		"one differs":  {map[string]*entry{"a": rec("x"), "b": rec("y"), "c": rec("x")}, "different b"},
		"one lacks it": {map[string]*entry{"a": rec("x"), "c": rec("x")}, "missing b"},
		"one has it":   {map[string]*entry{"b": rec("x")}, "surplus b"},
		"all differ":   {map[string]*entry{"a": rec("x"), "b": rec("y"), "c": rec("z")}, "different a, different b, different c"},
	} {
		var got []string
		for _, f := range judge(c.have, []string{"a", "b", "c"}, nil) {
			got = append(got, string(f.Kind)+" "+f.Replica)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %q, want %q", name, s, c.want)
		}
	}
}
