package body

import (
	"encoding/csv"
	"slices"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Points of this system beside those that all systems have.
const (
	// PointManeuver are combat maneuver checks, PointManeuverDefense the CMD.
	PointManeuver        = "maneuver"
	PointManeuverDefense = "maneuver-defense"
	// Parts of the armour class: against attacks that touch suffices for, and all
	// others.
	PartTouch = "/touch"
	PartFull  = "/full"
	// PartConcentration is the check to keep a spell.
	PartConcentration = "/concentration"
)

// Counters of what content gives in a turn: acts more, of which the best source
// counts, and acts fewer, which all count.
const (
	CHouseActs = "content-acts"
	CHouseLess = "content-acts-lost"
)

// HouseActs is the name of what content gives among the effects that give acts.
const HouseActs = "content"

// Inflict puts a condition on a creature unless content keeps it off, with the
// conditions that content brings with it. It tells whether the creature has it now.
func Inflict(r *rules.Resolution, id string, x *eventv1.Condition) bool {
	if house.KeepsOff(r, r.Creature(id), x.Name) {
		return false
	}
	r.AddCondition(id, x)
	imply(r, id, x)
	return true
}

// imply brings the conditions that come with one of content; they end when it does.
func imply(r *rules.Resolution, id string, x *eventv1.Condition) {
	for _, name := range r.Content().Implies(x.Name) {
		if !Has(r.Creature(id), name) {
			Inflict(r, id, &eventv1.Condition{Name: name, Source: x.Source, Cause: x.Name, Until: x.Until,
				Rule: r.Content().Cite(effects.Conditions, x.Name).Rule})
		}
	}
}

// SettleImplied brings the conditions of a creature in line with those that content
// brings: what is missing is laid, what came with one that is over is over.
func SettleImplied(r *rules.Resolution, id string) {
	if r.Creature(id) == nil {
		return
	}
	for _, x := range r.Creature(id).Conditions {
		imply(r, id, x)
		if slices.Contains(r.Content().Implies(x.Cause), x.Name) && !Has(r.Creature(id), x.Cause) {
			r.RemoveCondition(id, x, x.Cause+" is over", x.Rule)
		}
	}
}

// KnockProne lays a creature prone that something else than its own body brings
// down: content may keep it on its feet.
func KnockProne(r *rules.Resolution, id, cause, rule string) {
	if !Has(r.Creature(id), CondProne) {
		Inflict(r, id, &eventv1.Condition{Name: CondProne, Cause: cause, Rule: rule})
	}
}

// TableText is the text of a table as the book has it.
func TableText(name string) (text string, found bool) {
	if !slices.Contains(Decided, name) {
		return "", false
	}
	text, err := content.Book().Table(name)
	return text, err == nil
}

// Decided are the tables that content may change.
var Decided = []string{"crippling", "multiweapon", "situations", "trade-offs"}

// TableOf is what read makes of a table as content has it; own when content changes
// nothing of it. Rows of packs name, in the column of their rule, the id that they
// are cited by; a column below 0 is none. What stood there becomes the kind of the
// row, where it has no other.
func TableOf[T any](book *effects.Book, name string, rule, kind int, read func(text string) (T, error), own T) T {
	t := book.Table(name)
	if t == nil {
		return own
	}
	return book.Memo(ID+"/"+name, func() any {
		made, err := read(cited(book, t, rule, kind))
		if err != nil {
			return own // content whose tables do not hold is refused before
		}
		return made
	}).(T)
}

// cited is the text of a table whose rows of packs name the id that they are cited
// by.
func cited(book *effects.Book, t *effects.Table, rule, kind int) string {
	rows := [][]string{t.Columns}
	for i, row := range t.Rows {
		if by := book.TableCite(t.Name, i); by != "" && rule >= 0 {
			row = slices.Clone(row)
			if kind >= 0 && row[kind] == "" {
				row[kind] = row[rule]
			}
			row[rule] = by
		}
		rows = append(rows, row)
	}
	var out strings.Builder
	_ = csv.NewWriter(&out).WriteAll(rows) // a strings.Builder takes everything
	return out.String()
}
