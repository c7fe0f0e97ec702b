package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
)

func TestCoverageCountsEachRuleOnce(t *testing.T) {
	c := &catalogue.Catalogue{System: "demo", Entries: []catalogue.Entry{
		{ID: "demo.a.shown", Weight: catalogue.Core}, {ID: "demo.a.tested", Weight: catalogue.Optional},
		{ID: "demo.a.missing", Weight: catalogue.Core}, {ID: "demo.a.rare", Weight: catalogue.Rare}, {ID: "demo.a.advice", Weight: catalogue.Advice}}}
	scenarios := []*Scenario{{Rules: []string{"demo.a.shown", "other.a.b"}}, {Rules: []string{"demo.a.shown"}}}
	tests := map[string][]string{"demo.a.tested": {"x_test.go"}, "demo.a.shown": {"x_test.go"}}

	got := Coverage(c, scenarios, tests, false)
	if got.Rules != 3 || got.ByScenario != 1 || got.ByTest != 1 || len(got.Missing) != 1 || got.Missing[0].ID != "demo.a.missing" || got.Percent() != 66 {
		t.Errorf("got %+v", got)
	}
	if all := Coverage(c, scenarios, tests, true); all.Rules != 4 || len(all.Missing) != 2 {
		t.Errorf("with rare rules: %+v", all)
	}
	if odd := Coverage(c, []*Scenario{{Rules: []string{"demo.a.typo"}}}, nil, false); !slices.Equal(odd.Unknown, []string{"demo.a.typo"}) {
		// The catalogue of this test has no index, so every id is unknown to it.
		t.Errorf("unknown ids: %v", odd.Unknown)
	}
}

func TestGoCitationsReadsTestsOnly(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a_test.go", "// demo.area.name-two and demo.area.name-two\n// fmt.Println")
	write("b_test.go", "import \"example.com/pkg/content/rcr/cite\"\n// cite.InjuryConAllowance, cite.NoSuchRule")
	write("a.go", "// demo.area.other")
	got, err := GoCitations(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got["demo.area.name-two"]) != 1 || len(got["rcr.injury.con-allowance"]) != 1 || got["demo.area.other"] != nil {
		t.Errorf("got %v", got)
	}
}
