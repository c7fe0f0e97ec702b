package manners

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MultiRow is a row of the penalties for several attacks in one action.
//
// celesia.attack.multiweapon
type MultiRow struct {
	// light off-hand weapon, and the feat.
	light, feat bool
	// Main and off are what goes on the attack rolls.
	Main, Off int32
	// By is the rule id of a row of content; empty for the book's own.
	By string
}

// ErrMultiRows says why the table of penalties could not be read; nil when it was.
var multiRows, ErrMultiRows = body.ReadShipped("multiweapon", ReadMultiweapon)

// ReadMultiweapon reads the table; it must have one row for each of the four
// circumstances.
func ReadMultiweapon(text string) ([]MultiRow, error) {
	rows, err := csvtable.Lines(text, 4)
	if err != nil {
		return nil, fmt.Errorf("celesia: table: %w", err)
	}
	var out []MultiRow
	seen := map[[2]bool]bool{}
	for i, row := range rows {
		main, err1 := strconv.Atoi(row[2])
		off, err2 := strconv.Atoi(row[3])
		light, feat := row[0] == "yes", row[1] == "yes"
		if err1 != nil || err2 != nil || main > 0 || off > 0 || seen[[2]bool{light, feat}] || !light && row[0] != "no" || !feat && row[1] != "no" {
			return nil, fmt.Errorf("celesia: multiweapon row %d: %v", i+1, row)
		}
		seen[[2]bool{light, feat}] = true
		out = append(out, MultiRow{light: light, feat: feat, Main: int32(main), Off: int32(off)})
	}
	if len(out) != 4 {
		return nil, fmt.Errorf("celesia: multiweapon table has %d rows, not 4", len(out))
	}
	return out, nil
}

// MultiPenalty is the row for off-hand weapons that are light or not, with the feat
// or without it.
func MultiPenalty(book *effects.Book, light, feat bool) MultiRow {
	all := body.TableOf(book, "multiweapon", -1, -1, func(text string) ([]MultiRow, error) {
		rows, err := ReadMultiweapon(text)
		for i := range rows {
			rows[i].By = book.TableCite("multiweapon", i)
		}
		return rows, err
	}, multiRows)
	return all[slices.IndexFunc(all, func(m MultiRow) bool { return m.light == light && m.feat == feat })]
}

// StrayName is the first of the off-hand weapons named that is none.
func StrayName(c *eventv1.Creature, take *eventv1.TakeAction) string {
	names, _ := spoken.Words(take.GetParameters(), "offs")
	if one := spoken.Word(take.GetParameters(), "off"); one != "" {
		names = []string{one}
	}
	if i := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(checks.MeleeNames(nil, c), name) }); i >= 0 {
		return names[i]
	}
	return ""
}

// OtherEnd is the second end of a double weapon, a light weapon.
func OtherEnd(w *eventv1.CelesiaWeapon) *eventv1.CelesiaWeapon {
	return &eventv1.CelesiaWeapon{Name: w.Name, Kind: w.Kind, Dice: w.DoubleDice, Type: w.Type, Hands: w.Hands, Light: true, Reach: w.Reach,
		Threat: w.Threat, Multiplier: w.Multiplier, Nonlethal: w.Nonlethal, AttackBonus: w.AttackBonus, DamageBonus: w.DamageBonus, Extra: w.Extra}
}

// MultiUses is how often the action can be used in a turn.
//
// celesia.attack.multiweapon-limit
func MultiUses(c *eventv1.Creature) int32 {
	if body.Feature(c, body.FeatMultiweapon) {
		return max(1, body.SheetOf(c).MultiweaponUses)
	}
	return 1
}

// Light tells whether a weapon counts as light: natural weapons and unarmed
// strikes do.
//
// celesia.attack.natural-light, celesia.attack.unarmed-basics
func Light(w *eventv1.CelesiaWeapon) bool { return w.Light || body.Bodyless(w) }
