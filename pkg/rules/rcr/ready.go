package rcr

import (
	"maps"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// maxTrigger bounds the words of a trigger, in bytes.
const maxTrigger = 500

// Actions that are readied in ways of their own.
const (
	readyAttack = "attack"
	readyCast   = "cast"
	readyMove   = "move"
)

// readiable is one thing that can be readied.
type readiable struct {
	// what action it is, and the item of it.
	what, item string
	// refuse says why it cannot be readied now, the action apart; nil when nothing does.
	refuse func(s *eventv1.State, c *eventv1.Creature) error
}

// why says why it cannot be readied now; nil when it can.
func (x readiable) why(s *eventv1.State, c *eventv1.Creature) error {
	if x.refuse == nil {
		return nil
	}
	return x.refuse(s, c)
}

// readiables lists what a creature could ready: an attack, a spell or power or
// magic item that takes the action, movement up to its speed, and the other
// actions of a fight.
//
// rcr.base.fifth-edition-fallback
func readiables(s *eventv1.State, c *eventv1.Creature) []readiable {
	var out []readiable
	type refusal = func(s *eventv1.State, c *eventv1.Creature) error
	add := func(what, item string, why refusal) { out = append(out, readiable{what, item, why}) }
	for _, a := range sheetOf(c).Attacks {
		add(readyAttack, a.Name, func(s *eventv1.State, c *eventv1.Creature) error { return refuseWeapon(s, c, a) })
	}
	for _, sp := range sheetOf(c).Spells {
		if sp.CastingTime == "" || sp.CastingTime == "action" {
			add(readyCast, sp.Name, func(s *eventv1.State, c *eventv1.Creature) error { return refuseSpell(s, c, sp) })
		}
	}
	for _, p := range sheetOf(c).Powers {
		if p.Cost == "" || p.Cost == "action" {
			add("use-power", p.Name, func(s *eventv1.State, c *eventv1.Creature) error { return refusePower(s, c, p) })
		}
	}
	for _, it := range sheetOf(c).Items {
		if itemCost(it) == cAction {
			add("use-item", it.Name, func(s *eventv1.State, c *eventv1.Creature) error { return refuseItem(s, c, it) })
		}
	}
	for _, what := range []string{readyMove, "crawl", "stand", "dash", "disengage", "dodge", "help", "help-check", "use-object", "grapple", "shove", "escape", "stabilise"} {
		add(what, "", nil)
	}
	if cost, _ := useOf("hide").costOf(s); cost == cAction {
		add("hide", "", nil)
	}
	if cost, _ := useOf("search").costOf(s); cost == cAction {
		for _, skill := range useOf("search").skills {
			add("search", skill, nil)
		}
	}
	return out
}

// readied is what a creature has readied; empty when nothing.
func readied(c *eventv1.Creature) (what, item string) {
	b := rules.BegunOf(c, begunReadied)
	return b.GetAction().GetAction(), b.GetAction().GetItem()
}

// dropReady ends what was readied; the energy of a spell held is lost.
func dropReady(r *rules.Resolution, id, cause string) {
	if what, item := readied(r.Creature(id)); what == readyCast && concentration(r.Creature(id)) == item {
		endConcentration(r, id, cause) // takes what is readied with it
	}
	r.EndBegun(id, begunReadied, cause, cite.BaseFifthEditionFallback)
}

// moving tells whether a readied action spends movement.
func moving(what string) bool { return slices.Contains([]string{readyMove, "crawl", "stand"}, what) }

// poise is the counters of a creature that acts on its reaction.
func poise(s *eventv1.State, c *eventv1.Creature, what string) map[string]int64 {
	out := map[string]int64{cAction: 1, cAttacks: 0}
	if moving(what) {
		out = map[string]int64{cMovement: int64(baseSpeed(s, c)), cMoved: 0, cDangerous: 0, cDashes: 0}
	}
	for _, name := range rules.SortedKeys(c.Counters) {
		if strings.HasPrefix(name, cMulti) {
			out[name] = 0
		}
	}
	return out
}

// aside has a creature act beside its turn with the counters given: what it has
// left of its own turn is neither spent nor added to, and movement starts afresh
// in whoever's reach it stands.
func aside(r *rules.Resolution, id, why string, moves bool, set map[string]int64, do func() error) error {
	c := r.Creature(id)
	before, marks := map[string]int64{}, map[string]string{}
	var ties []*eventv1.Relation
	// order-free: a map is copied into a map
	for name, n := range c.Counters {
		before[name] = n
	}
	if moves {
		for _, m := range []string{mStarted, mScathed} {
			marks[m] = c.Marks[m]
			r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: m})
		}
		ties = slices.DeleteFunc(slices.Clone(c.Relations), func(rel *eventv1.Relation) bool { return rel.Kind != relStarted && rel.Kind != relEntered })
		untie(r, id, why)
	}
	for _, name := range rules.SortedKeys(set) {
		r.Set(id, name, set[name], why)
	}
	if err := do(); err != nil {
		return err
	}
	for _, name := range rules.SortedKeys(r.Creature(id).Counters) {
		if _, touched := set[name]; touched || strings.HasPrefix(name, cMulti) {
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
	r.Unrelate(id, relStarted, "", cause)
	r.Unrelate(id, relEntered, "", cause)
}

// poised is a state in which a creature has other counters: those with which it acts
// beside its turn. Nothing of the state given is changed.
func poised(s *eventv1.State, id string, counters map[string]int64) *eventv1.State {
	c := event.CloneCreature(s.Creatures[id])
	maps.Copy(c.Counters, counters)
	out := &eventv1.State{System: s.System, SystemVersion: s.SystemVersion, Settings: s.Settings, Status: s.Status, Round: s.Round, Phase: s.Phase,
		Active: s.Active, Creatures: maps.Clone(s.Creatures), Counters: s.Counters, Marks: s.Marks, Sides: s.Sides, Tasks: s.Tasks}
	out.Creatures[id] = c
	return out
}
