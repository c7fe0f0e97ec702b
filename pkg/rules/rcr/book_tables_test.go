package rcr

import (
	"encoding/csv"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
)

// printed are the rows of the table that the book prints with a rule.
func printed(t *testing.T, rule string) [][]string {
	t.Helper()
	e, ok := catalogue.Lookup(catalogue.RuleID(rule))
	rows, err := csv.NewReader(strings.NewReader(e.Table)).ReadAll()
	if !ok || err != nil || len(rows) < 3 {
		t.Fatalf("%s: %v, %d rows", rule, err, len(rows))
	}
	return rows[1:]
}

var whole = regexp.MustCompile(`-?\d+`)

// ends are the numbers of a cell such as "5 to 9", "10 or more".
func ends(t *testing.T, cell string) []int32 {
	t.Helper()
	var out []int32
	for _, w := range whole.FindAllString(cell, -1) {
		n, err := strconv.Atoi(w)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, int32(n))
	}
	if len(out) == 0 {
		t.Fatalf("%q has no number", cell)
	}
	return out
}

// What the book prints in tables that stand with their rules is what decides.
//
// rcr.initiative.range-call, rcr.damage.fall-compounding, rcr.dice.degrees-of-success,
// rcr.damage.dangerous-terrain
func TestPrintedTablesDecide(t *testing.T) {
	for _, row := range printed(t, cite.InitiativeRangeCall) {
		for _, n := range ends(t, strings.Split(row[1], "(")[0]) {
			if got := answers.Blocks[answers.BlockOf(n)].Name; got != row[0] {
				t.Errorf("%d is called under %s, printed %s", n, got, row[0])
			}
		}
	}
	for _, row := range printed(t, cite.DamageFallCompounding) {
		n := movement.FallDice(ends(t, row[0])[0], true)
		half := 2*ends(t, row[2])[0] - 7*n // the averages are printed as whole numbers
		if got := strconv.Itoa(int(n)) + "d6"; got != row[1] || half < -1 || half > 1 {
			t.Errorf("%s feet: %s, printed %v", row[0], got, row)
		}
	}
	for _, row := range printed(t, cite.DamageDangerousTerrain) {
		for _, n := range []int32{ends(t, row[0])[0], ends(t, row[1])[0]} {
			if got, _ := body.Book.TerrainDice(n); got != row[2] {
				t.Errorf("level %d: %s, printed %s", n, got, row[2])
			}
		}
	}
	for _, row := range printed(t, cite.DiceDegreesOfSuccess) {
		for _, margin := range ends(t, row[1]) {
			f := newTable(t).add(fighter("a", "party", goodAt(20, "arcana"))).start(nil, 20)
			f.Must(act("a", "task-check", "", "", withParameters("task", "lock", "skill", "arcana", "dc", int(30-margin), "degrees", true)), 10)
			for _, x := range f.State.Tasks {
				if x.Status != row[0] || x.Values["minutes"] > 0 != (row[2] != "none") || strconv.Itoa(int(x.Values["time_dice"])) != row[3] {
					t.Errorf("margin %d: %v, printed %v", margin, x, row)
				}
			}
		}
	}
}
