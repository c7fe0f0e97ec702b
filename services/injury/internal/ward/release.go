package ward

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// leaving turns the difference between a patient's record and the creature as
// it leaves a fight into events, each for the audience that the rule system
// gives such a fact.
type leaving struct {
	id       string
	creature *eventv1.Creature
	lives    []*eventv1.Event
	fleeting rules.OfTheFight // what the rule system counts for one fight alone
	retell   bool             // new controllers hear everything
	packs    []string         // of the fight, by digest
}

func (l *leaving) leave(r *rules.Resolution) error {
	l.outlast()
	l.pin(r)
	l.identity(r)
	l.life(r) // first: who may know the rest can hang on it
	l.hitPoints(r)
	l.counters(r)
	l.marks(r)
	l.conditions(r)
	l.injuries(r)
	l.items(r)
	r.Emit(event.Everyone(), &eventv1.MarkSet{Subject: l.id, Mark: markEncounter})
	return nil
}

// outlast leaves of the creature what outlasts the fight: not conditions that
// end by turns or rounds, but those that count minutes beside them; not what the rule system counts for one fight alone,
// not the marks and hours that are the record's own.
func (l *leaving) outlast() {
	const valueMinutes = "minutes" // that a condition lasts, among its values
	c := l.creature
	c.Conditions = slices.DeleteFunc(c.Conditions, func(x *eventv1.Condition) bool { return x.GetUntil().GetWhen() != "" && x.Values[valueMinutes] == 0 })
	l.fleeting.Without(c)
	delete(c.Marks, markEncounter)
	delete(c.Counters, rules.CounterHours)
	if c.Sheet != nil {
		c.Sheet.Id, c.Sheet.Patient = l.id, l.id
	}
}

// pin keeps the record with the packs of the fight, if it had any: what the creature
// took there may be theirs.
func (l *leaving) pin(r *rules.Resolution) {
	if len(l.packs) > 0 && !slices.Equal(l.packs, r.State().Packs) {
		r.Emit(event.Everyone(), &eventv1.PacksPinned{Packs: l.packs})
	}
}

func (l *leaving) identity(r *rules.Resolution) {
	c := r.Creature(l.id)
	if !slices.Equal(c.Controllers, l.creature.Controllers) {
		l.retell = true
		r.Emit(event.Everyone(), &eventv1.ControllersSet{Creature: l.id, Controllers: l.creature.Controllers})
	}
	if s := l.creature.Sheet; s != nil && (l.retell || !proto.Equal(s, c.Sheet)) {
		r.Emit(r.Audience(rules.FactSheet, "", l.id), &eventv1.SheetSet{Creature: l.id, Sheet: s})
	}
	for _, name := range rules.SortedKeys(l.creature.StandingOrders) {
		if o := l.creature.StandingOrders[name]; l.retell || c.StandingOrders[name] != o {
			r.Emit(event.Controllers(l.id), &eventv1.StandingOrderSet{Creature: l.id, Decision: name, Order: o})
		}
	}
	l.orders(r)
}

// orders makes the standing orders with conditions those that it leaves with.
func (l *leaving) orders(r *rules.Resolution) {
	var want []*eventv1.StandingOrder
	for _, o := range l.creature.Orders {
		mine := proto.CloneOf(o)
		mine.Creature = l.id
		want = append(want, mine)
	}
	for _, o := range slices.Clone(r.Creature(l.id).Orders) {
		if !slices.ContainsFunc(want, func(w *eventv1.StandingOrder) bool { return event.SameOrder(w, o) }) {
			gone := proto.CloneOf(o)
			gone.Order = ""
			r.Emit(event.Controllers(l.id), &eventv1.OrderGiven{Order: gone})
		}
	}
	for _, o := range want {
		if l.retell || !slices.ContainsFunc(r.Creature(l.id).Orders, func(h *eventv1.StandingOrder) bool { return proto.Equal(h, o) }) {
			r.Emit(event.Controllers(l.id), &eventv1.OrderGiven{Order: o})
		}
	}
}

// life tells every change of life again to those who were told in the fight.
func (l *leaving) life(r *rules.Resolution) {
	was := r.Creature(l.id).Life
	if was == l.creature.Life && len(l.lives) == 0 {
		return
	}
	for _, e := range l.lives {
		audience := e.Audience
		if audience.GetKind() == eventv1.Audience_KIND_CREATURES {
			audience = event.Controllers(l.id)
		}
		r.Emit(audience, &eventv1.LifeChanged{Creature: l.id, Status: e.GetLife().Status, Cause: e.GetLife().Cause}, e.Rules...)
	}
	if r.Creature(l.id).Life == l.creature.Life {
		return
	}
	// What led here was not told in the fight. That a dying creature is safe
	// may be the game master's secret; all else is plain to see.
	audience := event.Everyone()
	if l.creature.Life == eventv1.LifeStatus_LIFE_STATUS_STABLE {
		audience = event.GM()
		if r.Creature(l.id).Life != eventv1.LifeStatus_LIFE_STATUS_DYING {
			r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: l.id, Status: eventv1.LifeStatus_LIFE_STATUS_DYING})
		}
	}
	r.Emit(audience, &eventv1.LifeChanged{Creature: l.id, Status: l.creature.Life})
}

func (l *leaving) hitPoints(r *rules.Resolution) {
	n := l.creature
	if n.Hp == nil {
		return
	}
	if l.retell {
		r.Emit(r.Audience(rules.FactHitPoints, "", l.id), &eventv1.HitPoints{Creature: l.id, Hp: n.GetHp(), Max: n.GetHpMax(), Temp: n.GetHpTemp()})
		return
	}
	r.SetHitPoints(l.id, n.GetHp(), n.GetHpMax(), n.GetHpTemp())
}

func (l *leaving) counters(r *rules.Resolution) {
	c := r.Creature(l.id)
	for _, name := range union(c.Counters, l.creature.Counters) {
		value, was := l.creature.Counters[name], c.Counters[name]
		if name == rules.CounterHours {
			value = was // time goes on between fights
		}
		if l.retell {
			r.Emit(r.Audience(rules.FactCounter, name, l.id), &eventv1.CounterSet{Subject: l.id, Counter: name, Value: value, Was: was})
			continue
		}
		r.Set(l.id, name, value, "left the fight")
	}
}

func (l *leaving) marks(r *rules.Resolution) {
	c := r.Creature(l.id)
	for _, name := range union(c.Marks, l.creature.Marks) {
		switch value := l.creature.Marks[name]; {
		case name == markEncounter:
		case l.retell:
			r.Emit(r.Audience(rules.FactMark, name, l.id), &eventv1.MarkSet{Subject: l.id, Mark: name, Value: value})
		default:
			r.Mark(l.id, name, value)
		}
	}
}

// conditions makes the list the same, order included: from the first that
// differs on, all are taken on again.
func (l *leaving) conditions(r *rules.Resolution) {
	want := l.creature.Conditions
	for _, c := range slices.Clone(r.Creature(l.id).Conditions) {
		if !slices.ContainsFunc(want, func(w *eventv1.Condition) bool { return w.Id == c.Id }) {
			r.RemoveCondition(l.id, c, "left the fight")
		}
	}
	have := r.Creature(l.id).Conditions
	for i, at := 0, l.same(len(have), func(i int) bool { return i < len(want) && proto.Equal(have[i], want[i]) }); i < len(want); i++ {
		if i >= at {
			r.AddCondition(l.id, want[i])
		}
	}
}

func (l *leaving) injuries(r *rules.Resolution) {
	want := l.creature.Injuries
	for _, in := range slices.Clone(r.Creature(l.id).Injuries) {
		if !slices.ContainsFunc(want, func(w *eventv1.Injury) bool { return w.Id == in.Id }) {
			r.Emit(r.Audience(rules.FactInjury, in.Kind, l.id), &eventv1.InjuryRemoved{Creature: l.id, Id: in.Id, Cause: "left the fight"})
		}
	}
	have := r.Creature(l.id).Injuries
	for i, at := 0, l.same(len(have), func(i int) bool { return i < len(want) && proto.Equal(have[i], want[i]) }); i < len(want); i++ {
		if i >= at {
			r.AddInjury(l.id, want[i])
		}
	}
}

// same counts the leading entries that need not be told; none for new controllers.
func (l *leaving) same(n int, equal func(int) bool) int {
	if l.retell {
		return 0
	}
	for i := range n {
		if !equal(i) {
			return i
		}
	}
	return n
}

// items tells the controllers what has become of things. What the fight says nothing
// of is where it was.
func (l *leaving) items(r *rules.Resolution) {
	c := r.Creature(l.id)
	for _, name := range union(c.Items, l.creature.Items) {
		now := l.fleeting.Thing(c.Items[name], l.creature.Items[name])
		if now != nil && (l.retell || !same(now, c.Items[name])) {
			r.Emit(event.Controllers(l.id), &eventv1.ItemChanged{Creature: l.id, Item: name, Place: now.Place, Values: now.Values, Cause: "left the fight"})
		}
	}
}

// same tells whether a thing is where it was and as it was.
func same(a, b *eventv1.ItemState) bool {
	return b != nil && a.Place == b.Place && maps.Equal(a.Values, b.Values)
}

// union lists the keys of two maps in order.
func union[V any](a, b map[string]V) []string {
	keys := append(rules.SortedKeys(a), rules.SortedKeys(b)...)
	slices.Sort(keys)
	return slices.Compact(keys)
}
