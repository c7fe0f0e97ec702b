package rules

import (
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa(i int) string { return strconv.Itoa(i) }

// edit changes a creature by the game master's word.
func edit(r *Resolution, c *eventv1.EditCreature) error {
	if err := notEnded(r); err != nil {
		return err
	}
	if err := present(r, "edit.creature", c.Creature); err != nil {
		return err
	}
	if err := onMap("edit.position", c.Position); err != nil {
		return err
	}
	if err := r.checkVitals("edit.vitals", c.Vitals); err != nil {
		return err
	}
	if c.SetControllers {
		r.setControllers(c.Creature, c.Controllers)
	}
	if c.Sheet != nil {
		if c.Sheet.Id != c.Creature {
			return fault.Field("edit.sheet.id", "must be %q", c.Creature)
		}
		s := c.Sheet
		if effects.Refers(s) {
			s = proto.CloneOf(s) // the command stays as it was given
			if err := effects.Resolve(s, r.req.Content); err != nil {
				return err
			}
		}
		if v := CheckSheetWith(r.sys, r.req.Content, s); len(v) > 0 {
			return fault.Fields(v)
		}
		s, by, err := r.readSheet(s)
		if err != nil {
			return err
		}
		before := r.Creature(c.Creature).GetSheet()
		r.Emit(r.Audience(FactSheet, "", c.Creature), &eventv1.SheetSet{Creature: c.Creature, Sheet: s}, by...)
		r.grown(c.Creature, before.GetHitPoints(), s.HitPoints)
		r.restocked(c.Creature, before, s)
	}
	if err := r.removeNamed(c); err != nil {
		return err
	}
	if err := r.ApplyVitals(c.Creature, c.Vitals); err != nil {
		return err
	}
	if c.Position != nil {
		r.Move(&eventv1.Moved{Creature: c.Creature, To: c.Position, Mode: "placed"})
	}
	if c.Reason != "" {
		r.Note(event.GM(), c.Creature, "edited: "+c.Reason)
	}
	return r.sys.Edited(r, c.Creature)
}

// grown changes the maximum by what a new sheet gives more, or less, than the one
// before: what lowers the maximum for good goes on doing so. What is gained is there at
// once, but not for the dead.
func (r *Resolution) grown(id string, before, after int32) {
	c, more := r.Creature(id), after-before
	if c.Hp == nil || before <= 0 || more == 0 {
		return
	}
	most := max(1, c.GetHpMax()+more)
	if c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD {
		more = 0
	}
	r.SetHitPoints(id, min(most, c.GetHp()+max(0, more)), most, c.GetHpTemp())
}

// restocked gives a creature what a new sheet counts out beyond the one before: a slot,
// a use, a hit die more. Of what it counts out less no more is left than that.
func (r *Resolution) restocked(id string, before, after *eventv1.Sheet) {
	by, ok := r.sys.(Counting)
	if !ok || before == nil {
		return
	}
	was, is := by.Stores(before), by.Stores(after)
	for _, name := range SortedKeys(was) {
		if _, still := is[name]; !still {
			r.Set(id, name, min(0, r.Count(id, name)), "new sheet")
		}
	}
	for _, name := range SortedKeys(is) {
		switch more := is[name] - was[name]; {
		case more > 0:
			r.Set(id, name, r.Count(id, name)+more, "new sheet")
		case more < 0:
			r.Set(id, name, min(is[name], r.Count(id, name)), "new sheet")
		}
	}
}

// setControllers changes who controls a creature and tells the new ones what
// its controllers know.
func (r *Resolution) setControllers(id string, names []string) {
	r.Emit(event.Everyone(), &eventv1.ControllersSet{Creature: id, Controllers: names})
	r.tell(id)
}

// tell says what a creature is and has now, to the audiences that the system
// gives each fact: for those who come to see what they did not see before.
func (r *Resolution) tell(id string) {
	c := r.Creature(id)
	r.Emit(r.Audience(FactSheet, "", id), &eventv1.SheetSet{Creature: id, Sheet: c.Sheet})
	if c.Hp != nil {
		r.Emit(r.Audience(FactHitPoints, "", id), &eventv1.HitPoints{Creature: id, Hp: c.GetHp(), Max: c.GetHpMax(), Temp: c.GetHpTemp()})
	}
	for _, name := range SortedKeys(c.Counters) {
		r.Emit(r.Audience(FactCounter, name, id), &eventv1.CounterSet{Subject: id, Counter: name, Value: c.Counters[name], Was: c.Counters[name]})
	}
	for _, name := range SortedKeys(c.Marks) {
		r.Emit(r.Audience(FactMark, name, id), &eventv1.MarkSet{Subject: id, Mark: name, Value: c.Marks[name]})
	}
	for _, cond := range c.Conditions {
		r.Emit(r.Audience(FactCondition, cond.Name, id), &eventv1.ConditionAdded{Creature: id, Condition: cond})
	}
	for _, in := range c.Injuries {
		r.Emit(r.Audience(FactInjury, in.Kind, id), &eventv1.InjuryAdded{Creature: id, Injury: in})
	}
	for _, rel := range c.Relations {
		r.Emit(r.Audience(FactRelation, rel.Kind, id), &eventv1.RelationSet{Creature: id, Relation: rel})
	}
	for _, b := range c.Begun {
		r.Emit(r.Audience(FactBegun, b.Kind, id), &eventv1.BegunSet{Creature: id, Begun: b})
	}
}

func (r *Resolution) removeNamed(c *eventv1.EditCreature) error {
	for i, name := range c.RemoveConditions {
		found := false
		for _, cond := range r.Creature(c.Creature).Conditions {
			if cond.Id == name || cond.Name == name {
				r.RemoveCondition(c.Creature, cond, "game master")
				found = true
			}
		}
		if !found {
			return fault.Field("edit.remove_conditions["+itoa(i)+"]", "the creature has no condition %q", name)
		}
	}
	for i, id := range c.RemoveInjuries {
		at := slices.IndexFunc(r.Creature(c.Creature).Injuries, func(in *eventv1.Injury) bool { return in.Id == id })
		if at < 0 {
			return fault.Field("edit.remove_injuries["+itoa(i)+"]", "the creature has no injury %q", id)
		}
		in := r.Creature(c.Creature).Injuries[at]
		r.Emit(r.Audience(FactInjury, in.Kind, c.Creature), &eventv1.InjuryRemoved{Creature: c.Creature, Id: id, Cause: "game master"})
	}
	return r.removeTies(c)
}

// ApplyVitals sets a creature's numbers where given, for the audiences that
// the system gives them.
func (r *Resolution) ApplyVitals(id string, v *eventv1.Vitals) error {
	if v == nil {
		return nil
	}
	c := r.Creature(id)
	if v.Hp != nil || v.HpTemp != nil || v.HpMax != nil {
		hp, temp, most := c.GetHp(), c.GetHpTemp(), c.GetHpMax()
		if v.HpMax != nil {
			most, hp = *v.HpMax, min(hp, *v.HpMax)
		}
		if v.Hp != nil {
			hp = *v.Hp
		}
		if v.HpTemp != nil {
			temp = *v.HpTemp
		}
		if most < 0 || most > 1_000_000 {
			return fault.Field("vitals.hp_max", "%d is out of range", most)
		}
		if hp > most || hp < -1_000_000 {
			return fault.Field("vitals.hp", "%d is above the maximum of %d or absurd", hp, most)
		}
		if temp < 0 || temp > 1_000_000 {
			return fault.Field("vitals.hp_temp", "%d is out of range", temp)
		}
		r.SetHitPoints(id, hp, most, temp)
	}
	if err := r.applyLife(id, v); err != nil {
		return err
	}
	for _, decision := range SortedKeys(v.StandingOrders) {
		if err := r.stand("vitals.standing_orders["+decision+"]", id, decision, v.StandingOrders[decision]); err != nil {
			return err
		}
	}
	for i, o := range v.Orders {
		at := "vitals.orders[" + itoa(i) + "]"
		if o.GetSide() != "" || o.GetMonsters() || o.GetWhen() == "" || o.GetCreature() != "" && o.Creature != id {
			return fault.Field(at, "must be an order for the creature itself, with a condition")
		}
		mine := proto.CloneOf(o)
		if mine.Creature = id; mine.By == nil {
			mine.By = r.req.Caller
		}
		if err := r.giveOrder(at, mine); err != nil {
			return err
		}
	}
	for _, name := range SortedKeys(v.Counters) {
		if len(name) > MaxIDLength || v.Counters[name] > 1_000_000 || v.Counters[name] < -1_000_000 {
			return fault.Field("vitals.counters["+name+"]", "out of range")
		}
		r.Set(id, name, v.Counters[name], "game master")
	}
	for _, name := range SortedKeys(v.Marks) {
		r.Mark(id, name, v.Marks[name])
	}
	for i, cond := range v.Conditions {
		if cond.GetName() == "" {
			return fault.Field("vitals.conditions["+itoa(i)+"].name", "missing")
		}
		r.AddCondition(id, cond)
	}
	for i, in := range v.Injuries {
		if in.GetKind() == "" {
			return fault.Field("vitals.injuries["+itoa(i)+"].kind", "missing")
		}
		r.AddInjury(id, in)
	}
	for i, rel := range v.Relations {
		at := "vitals.relations[" + itoa(i) + "]"
		if rel.GetTo() == id {
			return fault.Field(at+".to", "is the creature itself")
		}
		if err := present(r, at+".to", rel.GetTo()); err != nil {
			return err
		}
		r.Relate(id, rel)
	}
	return r.applyItems(id, v.Items)
}

// applyLife makes a creature stable or dying that is said to be. That it is safe may be
// known to nobody but the game master: then all others are told that it is dying.
func (r *Resolution) applyLife(id string, v *eventv1.Vitals) error {
	const stable, dying = eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_DYING
	switch {
	case v.Life == eventv1.LifeStatus_LIFE_STATUS_UNSPECIFIED || v.Life == r.Creature(id).Life:
		return nil
	case v.Life != stable && v.Life != dying:
		return fault.Field("vitals.life", "%s follows from other things; only %s and %s can be said", v.Life, stable, dying)
	case v.Life == dying && r.Creature(id).Patient != "" && r.Creature(id).Hp != nil:
		// Its record says so, be it that it chokes with hit points left.
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: dying})
		return nil
	case r.Creature(id).Hp == nil || r.Creature(id).GetHp() > 0:
		return fault.Field("vitals.life", "with %d hit points it is neither stable nor dying", r.Creature(id).GetHp())
	case !v.LifeSecret || v.Life == dying:
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: v.Life})
		return nil
	}
	if r.Creature(id).Life != dying {
		r.Emit(event.Everyone(), &eventv1.LifeChanged{Creature: id, Status: dying})
	}
	r.Emit(event.GM(), &eventv1.LifeChanged{Creature: id, Status: stable})
	return nil
}

// Move emits where a creature now stands, for the audience that the system gives
// positions.
func (r *Resolution) Move(m *eventv1.Moved, rules ...string) {
	r.Emit(r.Audience(FactPosition, "", m.Creature), m, rules...)
}

// SetHitPoints emits a creature's hit points; nothing when they stay.
func (r *Resolution) SetHitPoints(id string, hp, maximum, temp int32, rules ...string) {
	c := r.Creature(id)
	if c.Hp != nil && c.GetHp() == hp && c.GetHpMax() == maximum && c.GetHpTemp() == temp {
		return
	}
	r.Emit(r.Audience(FactHitPoints, "", id), &eventv1.HitPoints{Creature: id, Hp: hp, Max: maximum, Temp: temp}, rules...)
}

// AddCondition puts a condition on a creature. An empty id is filled with the
// first free one of the form NAME, NAME-2, ... It returns the id.
func (r *Resolution) AddCondition(id string, cond *eventv1.Condition, rules ...string) string {
	c := r.Creature(id)
	if cond.Id == "" {
		taken := func(want string) bool {
			return slices.ContainsFunc(c.Conditions, func(x *eventv1.Condition) bool { return x.Id == want })
		}
		cond = &eventv1.Condition{Id: freeID(cond.Name, taken), Name: cond.Name, Variant: cond.Variant, Source: cond.Source,
			Cause: cond.Cause, Until: cond.Until, Values: cond.Values, Rule: cond.Rule}
	}
	if len(rules) == 0 && cond.Rule != "" {
		rules = []string{cond.Rule}
	}
	r.Emit(r.Audience(FactCondition, cond.Name, id), &eventv1.ConditionAdded{Creature: id, Condition: cond}, rules...)
	return cond.Id
}

// RemoveCondition takes a condition off a creature.
func (r *Resolution) RemoveCondition(id string, cond *eventv1.Condition, cause string, rules ...string) {
	r.Emit(r.Audience(FactCondition, cond.Name, id),
		&eventv1.ConditionRemoved{Creature: id, Id: cond.Id, Name: cond.Name, Cause: cause}, rules...)
}

// AddInjury gives a creature an injury; an empty id is filled as for conditions.
func (r *Resolution) AddInjury(id string, in *eventv1.Injury, rules ...string) string {
	c := r.Creature(id)
	if in.Id == "" {
		taken := func(want string) bool {
			return slices.ContainsFunc(c.Injuries, func(x *eventv1.Injury) bool { return x.Id == want })
		}
		in = &eventv1.Injury{Id: freeID(in.Kind, taken), Kind: in.Kind, Part: in.Part, Side: in.Side, Amount: in.Amount,
			Permanent: in.Permanent, Description: in.Description, Cause: in.Cause, Rule: in.Rule, Values: in.Values}
	}
	if len(rules) == 0 && in.Rule != "" {
		rules = []string{in.Rule}
	}
	r.Emit(r.Audience(FactInjury, in.Kind, id), &eventv1.InjuryAdded{Creature: id, Injury: in}, rules...)
	return in.Id
}

func freeID(name string, taken func(string) bool) string {
	if !taken(name) {
		return name
	}
	for n := 2; ; n++ {
		if id := name + "-" + itoa(n); !taken(id) {
			return id
		}
	}
}

// SortedKeys lists a map's keys in order, for loops that must not depend on
// the order of maps.
func SortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	// order-free: sorted below
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
