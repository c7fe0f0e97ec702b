package rules

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RelationTo is what a creature is to another, of a kind; nil when it is not. To
// nobody named it is the first of the kind.
func RelationTo(c *eventv1.Creature, kind, to string) *eventv1.Relation {
	for _, rel := range c.GetRelations() {
		if rel.Kind == kind && (to == "" || rel.To == to) {
			return rel
		}
	}
	return nil
}

// RelatedTo are the creatures to which a creature is of a kind, in the order in
// which that began.
func RelatedTo(c *eventv1.Creature, kind string) []string {
	var out []string
	for _, rel := range c.GetRelations() {
		if rel.Kind == kind {
			out = append(out, rel.To)
		}
	}
	return out
}

// RelatedFrom are the creatures that are of a kind to a creature, by id.
func RelatedFrom(s *eventv1.State, kind, to string) []string {
	var out []string
	// order-free: sorted below
	for id, c := range s.Creatures {
		if RelationTo(c, kind, to) != nil {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// BegunOf is the first thing of a kind that a creature has begun; nil when there
// is none.
func BegunOf(c *eventv1.Creature, kind string) *eventv1.Begun {
	for _, b := range c.GetBegun() {
		if b.Kind == kind {
			return b
		}
	}
	return nil
}

// Relate makes a creature of a kind to another, in place of what it was to it of
// that kind, for the audience that the system gives the kind. The message must
// not be changed afterwards.
func (r *Resolution) Relate(creature string, rel *eventv1.Relation, rules ...string) {
	r.Emit(r.Audience(FactRelation, rel.Kind, creature), &eventv1.RelationSet{Creature: creature, Relation: rel}, rules...)
}

// Unrelate ends what a creature is of a kind to another, or to all when nobody is
// named. Nothing is emitted when it is not.
func (r *Resolution) Unrelate(creature, kind, to, cause string, rules ...string) {
	if RelationTo(r.Creature(creature), kind, to) == nil {
		return
	}
	r.Emit(r.Audience(FactRelation, kind, creature), &eventv1.RelationEnded{Creature: creature, Kind: kind, To: to, Cause: cause}, rules...)
}

// Begin says what a creature has begun, in place of what has the same id; without
// an id the kind is the id. The message must not be changed afterwards.
func (r *Resolution) Begin(creature string, b *eventv1.Begun, rules ...string) {
	if b.Id == "" {
		b.Id = b.Kind
	}
	r.Emit(r.Audience(FactBegun, b.Kind, creature), &eventv1.BegunSet{Creature: creature, Begun: b}, rules...)
}

// EndBegun ends the first thing of a kind that a creature has begun, and returns
// it. Nothing is emitted when there is none.
func (r *Resolution) EndBegun(creature, kind, outcome string, rules ...string) *eventv1.Begun {
	b := BegunOf(r.Creature(creature), kind)
	if b != nil {
		r.Emit(r.Audience(FactBegun, b.Kind, creature), &eventv1.BegunEnded{Creature: creature, Id: b.Id, Outcome: outcome}, rules...)
	}
	return b
}

// Flag sets or clears a mark that is only there or not: its word is "true".
func (r *Resolution) Flag(subject, mark string, on bool, rules ...string) {
	value := ""
	if on {
		value = Yes
	}
	r.Mark(subject, mark, value, rules...)
}

// Yes is the word of a mark that is only there or not, and of a fact that holds.
const Yes = "true"

// removeTies takes away relations and things begun by the game master's word.
func (r *Resolution) removeTies(c *eventv1.EditCreature) error {
	for i, name := range c.RemoveRelations {
		kind, to, _ := strings.Cut(name, "/")
		if RelationTo(r.Creature(c.Creature), kind, to) == nil {
			return fault.Field("edit.remove_relations["+itoa(i)+"]", "the creature has no relation %q", name)
		}
		r.Unrelate(c.Creature, kind, to, "game master")
	}
	for i, id := range c.RemoveBegun {
		at := slices.IndexFunc(r.Creature(c.Creature).Begun, func(b *eventv1.Begun) bool { return b.Id == id })
		if at < 0 {
			return fault.Field("edit.remove_begun["+itoa(i)+"]", "the creature has begun nothing of the id %q", id)
		}
		b := r.Creature(c.Creature).Begun[at]
		r.Emit(r.Audience(FactBegun, b.Kind, c.Creature), &eventv1.BegunEnded{Creature: c.Creature, Id: b.Id, Outcome: "game master"})
	}
	return nil
}
