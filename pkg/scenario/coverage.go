package scenario

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/catalogue"
)

// Missing is a rule that nothing shows.
type Missing struct {
	// ID of the rule.
	ID string `json:"id"`
	// Title of the rule.
	Title string `json:"title"`
	// Weight of the rule.
	Weight string `json:"weight"`
	// Owner adjudicates the rule.
	Owner string `json:"owner"`
}

// CoverageReport is how much of a rule system's catalogue is shown.
type CoverageReport struct {
	// System is the rule system.
	System string `json:"system"`
	// Rules counted: core and optional ones, rare ones when asked for.
	Rules int `json:"rules"`
	// ByScenario counts the rules that a scenario cites.
	ByScenario int `json:"by_scenario"`
	// ByTest counts the rules that a Go test alone cites.
	ByTest int `json:"by_test"`
	// Missing are the rules that nothing cites, in catalogue order.
	Missing []Missing `json:"missing,omitempty"`
	// Unknown are ids of this system that are cited but are no rules.
	Unknown []string `json:"unknown,omitempty"`
}

// Percent of the counted rules that are shown, rounded down.
func (c *CoverageReport) Percent() int {
	if c.Rules == 0 {
		return 100
	}
	return 100 * (c.ByScenario + c.ByTest) / c.Rules
}

// Coverage compares a catalogue with the rules that scenarios and Go tests cite.
// Rare rules are counted only with rare; advice never, as it rules nothing.
func Coverage(c *catalogue.Catalogue, scenarios []*Scenario, tests map[string][]string, rare bool) *CoverageReport {
	out := &CoverageReport{System: c.System}
	shown := map[string]bool{}
	unknown := map[string]bool{}
	for _, s := range scenarios {
		for _, id := range s.Rules {
			if catalogue.RuleID(id).System() != c.System {
				continue
			}
			shown[id] = true
			if _, ok := c.Lookup(catalogue.RuleID(id)); !ok {
				unknown[id] = true
			}
		}
	}
	out.Unknown = sortedKeys(unknown)
	for _, e := range c.Entries {
		if e.Weight != catalogue.Core && e.Weight != catalogue.Optional && (e.Weight != catalogue.Rare || !rare) {
			continue
		}
		out.Rules++
		switch id := string(e.ID); {
		case shown[id]:
			out.ByScenario++
		case len(tests[id]) > 0:
			out.ByTest++
		default:
			out.Missing = append(out.Missing, Missing{ID: id, Title: e.Title, Weight: string(e.Weight), Owner: string(e.Owner)})
		}
	}
	return out
}

// ruleID finds what looks like a rule id; whether it is one, the catalogue says.
var ruleID = regexp.MustCompile(`\b[a-z][a-z0-9]*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){2,}\b`)

// citeImport and citeName find rules named by the generated constants of a book:
// cite.InjuryConAllowance in a file that imports the ids of one system.
var (
	citeImport = regexp.MustCompile(`"[^"\n]+/pkg/content/([a-z0-9]+)/cite"`)
	citeName   = regexp.MustCompile(`\bcite\.([A-Z][A-Za-z0-9]*)\b`)
)

// GoCitations finds the rules that the *_test.go files below a folder name, by
// their ids or the constants of them, with the files that name them.
func GoCitations(root string) (map[string][]string, error) {
	out := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		ids, err := cited(string(data))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, id := range ids {
			if !slices.Contains(out[id], name) {
				out[id] = append(out[id], name)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("scenario: reading tests: %w", err)
	}
	return out, nil
}

// cited are the rule ids that the text of a Go file names.
func cited(text string) ([]string, error) {
	ids := ruleID.FindAllString(text, -1)
	system := citeImport.FindStringSubmatch(text)
	if system == nil {
		return ids, nil
	}
	c, err := catalogue.System(system[1])
	if err != nil {
		return nil, err
	}
	byConst := map[string]string{}
	for _, e := range c.Entries {
		byConst[e.ID.Const()] = string(e.ID)
	}
	for _, m := range citeName.FindAllStringSubmatch(text, -1) {
		if id := byConst[m[1]]; id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
