// Package situation weighs what a situation gives to a roll: advantage,
// disadvantage and modifiers that conditions and injuries of those concerned bring.
// The rows are data of the rule book (situations.csv); what a row's limit asks is a
// function that the system registers under the limit's name.
//
// Every row that counted stands in the roll with its rule id. A condition gives a
// row once, however often it was inflicted.
//
// The package must never know a rule of a game or decide what is rolled; how sources
// cancel and stack is the system's to say, by the functions of weigh.go.
package situation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Heading is the first line of a table of situations. Lists in a cell are
// separated by "|".
//
//   - rolls: kinds of rolls that the row touches
//   - who: self (who rolls) or target (whom it is against)
//   - condition: name of a condition; "injury:KIND" for an injury; "*" for a row that
//     its limit alone decides
//   - variant: of the condition or the part of the body; empty means any
//   - limit: names of limits that must all hold; "!" before one turns it round
//   - gives: advantage, disadvantage, or a number with its sign
//   - kind: sources of one kind count once; empty means that the row is its own;
//     "each", of an injury, that every such injury is
//   - source: words for people; WHO stands for the name of the one in the condition
//   - rule: rule id
const Heading = "rolls,who,condition,variant,limit,gives,kind,source,rule"

// Roll is what is rolled, for the rows.
type Roll[K any] struct {
	// State in which it is rolled.
	State *eventv1.State
	// Kind of roll, as in the column rolls.
	Kind string
	// Self rolls; Target is whom it is against, nil for nobody.
	Self, Target *eventv1.Creature
	// More is what the system's limits ask about.
	More K
}

// Limit tells whether a row's limit holds for a roll.
type Limit[K any] func(roll *Roll[K]) bool

type row[K any] struct {
	target    bool
	condition string
	variant   string
	limits    []limit[K]
	advantage bool
	value     int32
	modifies  bool
	each      bool
	kind      string
	source    string
	rule      string
}

type limit[K any] struct {
	holds Limit[K]
	not   bool
}

// Table is the situations of a system by kind of roll.
type Table[K any] struct {
	rows map[string][]*row[K]
}

// Read reads a table. The error names the row: an unknown limit, a direction that
// is none, a rule that is missing.
func Read[K any](table string, limits map[string]Limit[K]) (*Table[K], error) {
	t := &Table[K]{rows: map[string][]*row[K]{}}
	_, err := csvtable.Read(table, Heading, func(cells []string) error {
		r, err := parse(cells, limits)
		if err != nil {
			return err
		}
		for _, kind := range strings.Split(cells[0], "|") {
			t.rows[kind] = append(t.rows[kind], r)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("situation: %w", err)
	}
	return t, nil
}

func parse[K any](cells []string, limits map[string]Limit[K]) (*row[K], error) {
	r := &row[K]{target: cells[1] == "target", condition: cells[2], variant: cells[3], kind: cells[6], source: cells[7], rule: cells[8]}
	switch {
	case cells[0] == "" || cells[2] == "" || cells[7] == "" || cells[8] == "":
		return nil, fmt.Errorf("rolls, condition, source and rule must be given")
	case cells[1] != "self" && cells[1] != "target":
		return nil, fmt.Errorf("who is %q, neither self nor target", cells[1])
	case cells[2] == "*" && cells[4] == "":
		return nil, fmt.Errorf("a row without condition needs a limit")
	}
	for _, name := range strings.Split(cells[4], "|") {
		if name == "" {
			continue
		}
		bare := strings.TrimPrefix(name, "!")
		holds := limits[bare]
		if holds == nil {
			return nil, fmt.Errorf("there is no limit %q", bare)
		}
		r.limits = append(r.limits, limit[K]{holds, bare != name})
	}
	switch cells[5] {
	case "advantage":
		r.advantage = true
	case "disadvantage":
	default:
		n, _ := csvtable.Int(cells[5])
		if n == 0 {
			return nil, fmt.Errorf("gives %q: neither advantage, disadvantage nor a number", cells[5])
		}
		r.modifies, r.value = true, n
	}
	switch {
	case r.kind == "":
		r.kind = r.rule
	case r.kind == each && !strings.HasPrefix(r.condition, injuryPrefix):
		return nil, fmt.Errorf("each is of injuries alone")
	}
	r.each = r.kind == each
	return r, nil
}

// Edges are the sources of advantage and disadvantage of a roll, in the order of
// the table.
func (t *Table[K]) Edges(roll *Roll[K]) []*eventv1.Edge {
	var out []*eventv1.Edge
	for _, r := range t.rows[roll.Kind] {
		if r.modifies || !r.counts(roll) {
			continue
		}
		if !r.each {
			out = append(out, &eventv1.Edge{Advantage: r.advantage, Kind: r.kind, Source: r.words(roll), Rule: r.rule})
			continue
		}
		for _, in := range r.injuries(r.who(roll)) {
			out = append(out, &eventv1.Edge{Advantage: r.advantage, Kind: "injury " + in.Id, Source: r.words(roll), Rule: r.rule})
		}
	}
	return out
}

// Modifiers are the numbers that the situation adds to a roll, in the order of the
// table.
func (t *Table[K]) Modifiers(roll *Roll[K]) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for _, r := range t.rows[roll.Kind] {
		if !r.modifies || !r.counts(roll) {
			continue
		}
		times := 1
		if r.each {
			times = len(r.injuries(r.who(roll)))
		}
		for range times {
			out = append(out, &eventv1.Modifier{Value: r.value, Source: r.words(roll), Rule: r.rule})
		}
	}
	return out
}

// Rules are the rule ids of all rows, each once, in order.
func (t *Table[K]) Rules() []string {
	var out []string
	// order-free: sorted below
	for _, rows := range t.rows {
		for _, r := range rows {
			out = append(out, r.rule)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *row[K]) words(roll *Roll[K]) string {
	return strings.ReplaceAll(r.source, "WHO", r.who(roll).GetName())
}

func (r *row[K]) who(roll *Roll[K]) *eventv1.Creature {
	if r.target {
		return roll.Target
	}
	return roll.Self
}

// counts tells whether a row counts for a roll.
func (r *row[K]) counts(roll *Roll[K]) bool {
	who := r.who(roll)
	if who == nil || !r.in(who) {
		return false
	}
	for _, l := range r.limits {
		if l.holds(roll) == l.not {
			return false
		}
	}
	return true
}

// in tells whether a creature is in the row's condition.
func (r *row[K]) in(c *eventv1.Creature) bool {
	if r.condition == "*" {
		return true
	}
	if strings.HasPrefix(r.condition, injuryPrefix) {
		return slices.ContainsFunc(c.Injuries, r.is)
	}
	for _, x := range c.Conditions {
		if x.Name == r.condition && (r.variant == "" || x.Variant == r.variant) {
			return true
		}
	}
	return false
}

// injuryPrefix begins a condition that is an injury; each is the kind of a row that
// counts for every one of them.
const (
	injuryPrefix = "injury:"
	each         = "each"
)

// is tells whether an injury is that of the row.
func (r *row[K]) is(in *eventv1.Injury) bool {
	return in.Kind == r.condition[len(injuryPrefix):] && (r.variant == "" || in.Part == r.variant)
}

// injuries are those of a creature that the row is about.
func (r *row[K]) injuries(c *eventv1.Creature) []*eventv1.Injury {
	var out []*eventv1.Injury
	for _, in := range c.Injuries {
		if r.is(in) {
			out = append(out, in)
		}
	}
	return out
}
