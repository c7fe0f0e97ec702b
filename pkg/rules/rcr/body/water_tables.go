package body

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/csvtable"
)

// depthBand is what a band of depth leaves of the light of day; Last is -1 for the
// last band, which has no end.
type depthBand struct {
	First, Last int32
	Light       string
}

func (t *RuleBook) clarityRow(rec []string) error {
	feet := NoLimit
	if rec[1] != "none" {
		n, err := csvtable.Int(rec[1])
		if err != nil {
			return err
		}
		feet = n
	}
	t.clarity[strings.ToLower(rec[0])] = feet
	return nil
}

// ClarityFeet is how far water of a clarity lets anybody see, in feet.
func (t *RuleBook) ClarityFeet(clarity string) int32 {
	if feet, ok := t.clarity[clarity]; ok {
		return feet
	}
	return NoLimit
}

// lightOf are the words of the table of depths in words of light.
var lightOf = map[string]string{"unaffected": LightBright, "dim light": LightDim, "darkness": LightDark}

func (t *RuleBook) depthRow(rec []string) (err error) {
	band, before := depthBand{Last: -1, Light: lightOf[rec[2]]}, int32(0)
	if n := len(t.depths); n > 0 {
		before = t.depths[n-1].Last
	}
	if band.First, err = csvtable.Int(rec[0]); err != nil {
		return err
	}
	if rec[1] != "" {
		if band.Last, err = csvtable.Int(rec[1]); err != nil {
			return err
		}
	}
	if band.First != before || band.Light == "" || band.Last >= 0 && band.Last <= band.First {
		return fmt.Errorf("a band from %q to %q with %q does not follow %d", rec[0], rec[1], rec[2], before)
	}
	t.depths = append(t.depths, band)
	return nil
}

func (t *RuleBook) depthsDone() error {
	if n := len(t.depths); n == 0 || t.depths[n-1].Last >= 0 {
		return errors.New("the last band must have no end")
	}
	return csvtable.Rows(len(t.depths), 3)
}

// SunlightAt is what is left of bright sunlight under so many feet of water. Where
// two bands meet the first reaches to its end, and the last begins at its start (a
// reading).
//
// rcr.underwater.depth-light
func (t *RuleBook) SunlightAt(feet int32) string {
	for i, band := range t.depths {
		if last := len(t.depths) - 1; i == last || feet <= band.Last && feet < t.depths[last].First {
			return band.Light
		}
	}
	return LightBright
}

// bardingHead is the heading of the tables of barding.
const bardingHead = "type,base_ac,stealth,weight,gold"

// bardingRow reads a row of the table of a grade of barding.
func (t *RuleBook) bardingRow(grade string) func(rec []string) error {
	return func(rec []string) error {
		b := &Barding{Grade: grade, Loud: rec[2] == "Disadvantage"}
		if !b.Loud && rec[2] != "None" {
			return fmt.Errorf("stealth %q is neither Disadvantage nor None", rec[2])
		}
		var err error
		for _, cell := range []struct {
			text string
			to   *int32
		}{{rec[1], &b.Base}, {rec[3], &b.Weight}, {rec[4], &b.Gold}} {
			if *cell.to, err = csvtable.Int(cell.text); err != nil {
				return err
			}
		}
		name := strings.ToLower(rec[0])
		if t.Barding[name] != nil {
			return fmt.Errorf("%q twice", rec[0])
		}
		t.Barding[name] = b
		return nil
	}
}
