package spark

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
)

// Every row of the situations and every condition stands on a rule of the book.
func TestSituationsStandOnRules(t *testing.T) {
	rows := body.Book.Situations.Rules()
	if len(rows) != 7 {
		t.Errorf("rules of the situations: %v", rows)
	}
	for _, x := range body.Conditions.All() {
		rows = append(rows, x.Rule)
	}
	for _, id := range rows {
		if _, ok := catalogue.Lookup(catalogue.RuleID(id)); !ok {
			t.Errorf("there is no rule %q", id)
		}
	}
}

// A row that names a limit, a direction or a rule amiss is refused.
func TestSituationsAreChecked(t *testing.T) {
	for name, row := range map[string]string{
		"limit":     "attack,self,prone,,standing,advantage,,it,spark.condition.prone",
		"direction": "attack,self,prone,,,luck,,it,spark.condition.prone",
		"rule":      "attack,self,prone,,,advantage,,it,",
	} {
		if _, err := situation.Read(situation.Heading+"\n"+row+"\n", body.SituationLimits); err == nil || !strings.Contains(err.Error(), "situation") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
