package body

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ArmourWeights are the kinds of barding, the lightest first.
var ArmourWeights = []string{"light", "medium", "heavy"}

// Barding is a row of the table of barding.
type Barding struct {
	// Weight: 1 for light, 2 for medium, 3 for heavy.
	Weight int
	// Base armour class.
	Base int32
	// Loud: it hampers Stealth.
	Loud bool
	// Pounds and gold pieces for a creature of medium size.
	Pounds, Gold int32
}

// Bardings is the table of barding by the name of the armour in lower case;
// BardingError says what is wrong with it.
//
// rcr.equipment.barding-light, rcr.equipment.barding-medium, rcr.equipment.barding-heavy
var Bardings, BardingError = readBarding()

func readBarding() (map[string]Barding, error) {
	text, err := content.Book().Table("barding")
	if err != nil {
		return nil, err
	}
	out := map[string]Barding{}
	_, err = csvtable.Read(text, "kind,type,base_ac,stealth,weight,gold", func(rec []string) error {
		b := Barding{Weight: slices.Index(ArmourWeights, rec[0]) + 1, Loud: rec[3] == "disadvantage"}
		if b.Weight == 0 || rec[3] != "disadvantage" && rec[3] != "none" {
			return fmt.Errorf("kind %q, stealth %q", rec[0], rec[3])
		}
		for _, cell := range []struct {
			text string
			to   *int32
		}{{rec[2], &b.Base}, {rec[4], &b.Pounds}, {rec[5], &b.Gold}} {
			n, err := strconv.ParseInt(cell.text, 10, 32)
			if err != nil {
				return err
			}
			*cell.to = int32(n)
		}
		out[rec[1]] = b
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rcr: table barding: %w", err)
	}
	return out, csvtable.Rows(len(out), 12)
}

// BardingNames are the names of all barding, in order.
func BardingNames() []string { return rules.SortedKeys(Bardings) }

// BardingOf is the barding that a creature wears.
func BardingOf(c *eventv1.Creature) (Barding, bool) {
	b, ok := Bardings[strings.ToLower(SheetOf(c).Barding)]
	return b, ok
}

// Fit is what barding weighs and costs for a creature of a size, in pounds and gold
// pieces: twice as much for a large one. For other sizes than these two the caller
// says (a reading).
//
// rcr.equipment.barding-large
func (b Barding) Fit(size string) (pounds, gold int32, known bool) {
	switch size {
	case "medium":
		return b.Pounds, b.Gold, true
	case "large":
		return 2 * b.Pounds, 2 * b.Gold, true
	}
	return 0, 0, false
}

// Armour is the armour class that barding gives by a Dexterity modifier: light adds
// all of it, medium at most 2, heavy none (a reading).
//
// rcr.equipment.barding-stats
func (b Barding) Armour(dexterity int32) int32 {
	switch b.Weight {
	case 1:
		return b.Base + dexterity
	case 2:
		return b.Base + min(2, dexterity)
	}
	return b.Base
}

// BardingMinutes is how long barding takes to put on or off.
//
// rcr.equipment.barding-don-doff
func BardingMinutes(helped bool) int32 {
	if helped {
		return 5
	}
	return 10
}

// trainedFor are the totals of training from which a mount is trained for each kind
// of barding.
//
// rcr.mount.training-barding
var trainedFor = []int32{120, 150, 200}

// BardingTraining is the heaviest barding that a creature is trained for: 0 for
// none, else as Barding.Weight.
func BardingTraining(c *eventv1.Creature) int {
	n := slices.Index(ArmourWeights, SheetOf(c).BardingTraining) + 1
	for i, total := range trainedFor {
		if TrainingOf(c) >= total {
			n = max(n, i+1)
		}
	}
	return n
}
