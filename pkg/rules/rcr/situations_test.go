package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// Every row of the situations and every condition cites a rule of the catalogue, and
// every kind of source that a row gives may be renamed by the game master.
//
// rcr.dice.same-kind-no-stack
func TestSituationsHold(t *testing.T) {
	if body.SituationsError != nil || body.Conditions.Err() != nil {
		t.Fatal(body.SituationsError, body.Conditions.Err())
	}
	c, err := catalogue.System(body.ID)
	if err != nil {
		t.Fatal(err)
	}
	cited := body.Situations.Rules()
	for _, d := range body.Conditions.All() {
		cited = append(cited, d.Rule)
	}
	for _, id := range cited {
		if _, ok := c.Lookup(catalogue.RuleID(id)); !ok {
			t.Errorf("%s is no rule", id)
		}
	}
	text, err := content.Book().Table("situations")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(text), "\n")[1:]
	for _, row := range rows {
		if kind := strings.Split(row, ",")[6]; !slices.Contains(body.EdgeKinds, kind) {
			t.Errorf("a row gives the kind %q, which is not in the list", kind)
		}
	}
	if len(rows) < 40 {
		t.Errorf("only %d rows", len(rows))
	}
}
