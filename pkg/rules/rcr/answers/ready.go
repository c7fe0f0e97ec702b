package answers

import (
	"maps"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MaxTrigger bounds the words of a trigger, in bytes.
const MaxTrigger = 500

// Readiable is one thing that can be readied.
type Readiable struct {
	// What action it is, and the item of it.
	What, Item string
	// Refuse says why it cannot be readied now, the action apart; nil when nothing does.
	Refuse func(s *eventv1.State, c *eventv1.Creature) error
}

// Why says why it cannot be readied now; nil when it can.
func (x Readiable) Why(s *eventv1.State, c *eventv1.Creature) error {
	if x.Refuse == nil {
		return nil
	}
	return x.Refuse(s, c)
}

// DropReady ends what was readied; the energy of a spell held is lost.
func DropReady(r *rules.Resolution, id, cause string) {
	if what, item := dice.Readied(r.Creature(id)); what == dice.ReadyCast && body.Concentration(r.Creature(id)) == item {
		dice.EndConcentration(r, id, cause) // takes what is readied with it
	}
	r.EndBegun(id, body.BegunReadied, cause, cite.BaseFifthEditionFallback)
}

// Moving tells whether a readied action spends movement.
func Moving(what string) bool {
	return slices.Contains([]string{dice.ReadyMove, "crawl", "stand"}, what)
}

// Poise is the counters of a creature that acts on its reaction.
func Poise(s *eventv1.State, c *eventv1.Creature, what string) map[string]int64 {
	out := map[string]int64{body.CAction: 1, body.CAttacks: 0}
	if Moving(what) {
		out = map[string]int64{body.CMovement: int64(body.BaseSpeed(s, c)), body.CMoved: 0, body.CDangerous: 0, body.CDashes: 0}
	}
	for _, name := range rules.SortedKeys(c.Counters) {
		if strings.HasPrefix(name, body.CMulti) {
			out[name] = 0
		}
	}
	return out
}

// Aside has a creature act beside its turn with the counters given: what it has
// left of its own turn is neither spent nor added to, and movement starts afresh
// in whoever's reach it stands.
func Aside(r *rules.Resolution, id, why string, moves bool, set map[string]int64, do func() error) error {
	c := r.Creature(id)
	before, marks := map[string]int64{}, map[string]string{}
	var ties []*eventv1.Relation
	// order-free: a map is copied into a map
	for name, n := range c.Counters {
		before[name] = n
	}
	if moves {
		for _, m := range []string{body.MStarted, body.MScathed} {
			marks[m] = c.Marks[m]
			r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: m})
		}
		ties = slices.DeleteFunc(slices.Clone(c.Relations), func(rel *eventv1.Relation) bool { return rel.Kind != body.RelStarted && rel.Kind != body.RelEntered })
		untie(r, id, why)
	}
	for _, name := range rules.SortedKeys(set) {
		r.Set(id, name, set[name], why)
	}
	if err := do(); err != nil {
		return err
	}
	for _, name := range rules.SortedKeys(r.Creature(id).Counters) {
		if _, touched := set[name]; touched || strings.HasPrefix(name, body.CMulti) {
			r.Set(id, name, before[name], why+" is over")
		}
	}
	for _, m := range rules.SortedKeys(marks) {
		r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: m, Value: marks[m]})
	}
	if moves {
		untie(r, id, why+" is over")
	}
	for _, rel := range ties {
		r.Relate(id, rel)
	}
	return nil
}

// untie forgets whose reach a creature's movement began in and has entered.
func untie(r *rules.Resolution, id, cause string) {
	r.Unrelate(id, body.RelStarted, "", cause)
	r.Unrelate(id, body.RelEntered, "", cause)
}

// Poised is a state in which a creature has other counters: those with which it acts
// beside its turn. Nothing of the state given is changed.
func Poised(s *eventv1.State, id string, counters map[string]int64) *eventv1.State {
	c := event.CloneCreature(s.Creatures[id])
	maps.Copy(c.Counters, counters)
	out := &eventv1.State{System: s.System, SystemVersion: s.SystemVersion, Settings: s.Settings, Status: s.Status, Round: s.Round, Phase: s.Phase,
		Active: s.Active, Creatures: maps.Clone(s.Creatures), Counters: s.Counters, Marks: s.Marks, Sides: s.Sides, Tasks: s.Tasks}
	out.Creatures[id] = c
	return out
}
