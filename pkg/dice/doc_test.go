package dice

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// The examples of docs/DICE.md hold.
func TestDocumentedExamples(t *testing.T) {
	text, err := os.ReadFile("../../docs/DICE.md")
	if err != nil {
		t.Skip("the document is not part of this checkout")
	}
	_, after, _ := strings.Cut(string(text), "\n## Examples\n")
	section, _, _ := strings.Cut(after, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		cells := strings.Split(strings.TrimSpace(line), "|")
		var faces []int
		for _, f := range strings.Fields(cells[2]) {
			n, err := strconv.Atoi(f)
			if err != nil {
				t.Fatal(err)
			}
			faces = append(faces, n)
		}
		r := drawn(t, strings.Trim(strings.TrimSpace(cells[1]), "`"), Limits{}, faces...)
		if got := strconv.FormatInt(r.Total, 10); got != strings.TrimSpace(cells[3]) {
			t.Errorf("%s comes to %s", strings.TrimSpace(line), got)
		}
		rows++
	}
	if rows < 10 {
		t.Errorf("%d examples found", rows)
	}
}

// The limits of docs/DICE.md are the defaults.
func TestDocumentedLimits(t *testing.T) {
	text, err := os.ReadFile("../../docs/DICE.md")
	if err != nil {
		t.Skip("the document is not part of this checkout")
	}
	d := DefaultLimits()
	for name, n := range map[string]int64{
		LimitLength: int64(d.Length), LimitDepth: int64(d.Depth), LimitElements: int64(d.Elements), LimitDice: int64(d.Dice),
		LimitSides: int64(d.Sides), LimitExplosions: int64(d.Explosions), LimitDraws: int64(d.Draws), LimitOddsWork: d.OddsWork,
	} {
		row := "| `" + name + "` | " + strconv.FormatInt(n, 10) + " |"
		if !strings.Contains(strings.ReplaceAll(string(text), ",", ""), row) {
			t.Errorf("no row %s", row)
		}
	}
}
