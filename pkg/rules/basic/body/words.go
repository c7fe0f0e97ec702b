package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FoesNamed are the facts that name foes of the one who acts.
var FoesNamed = []string{"leaves", "closes_with", "engaged"}

// CheckFoes refuses facts that name as a foe one who is none.
func CheckFoes(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, key := range FoesNamed {
		list, _ := spoken.Words(take.Facts, key)
		for i, id := range list {
			if !Opposed(c, s.Creatures[id]) {
				return fault.Field("take.facts."+key+"["+Itoa(i)+"]", "%q is no foe of %s", id, c.Name)
			}
		}
	}
	return nil
}

// Unnoticed tells whether an attack by surprise from behind is one: as stated, or
// as the game master says. One that is noticed costs nothing.
//
// basic.attack.behind-not-with-sneak
func Unnoticed(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	const rule = cite.AttackBehindNotWithSneak
	if spoken.Truth(take.Facts, "behind") || spoken.Truth(take.Facts, "unaware") {
		return true
	}
	t := r.Creature(take.Targets[0])
	d := rules.YesNo(DecUnnoticed, c.Id, c.Name+" goes for "+t.Name, "Does the attack come by surprise from behind?", DecideYes, rule)
	d.GmOnly = true
	if r.Ask("unnoticed/"+c.Id, d).GetOption() == DecideYes {
		return true
	}
	r.Note(event.Everyone(), c.Id, t.Name+" notices "+c.Name, rule)
	return false
}

// OfAnotherFight refuses vitals that were counted, marked or laid in another
// fight and mean nothing in this one. The record of a patient may hold them; there
// they are left behind.
func OfAnotherFight(add *eventv1.AddCreature) error {
	if add.Sheet.Patient != "" {
		return nil
	}
	v, s := add.GetVitals(), add.Sheet.GetBasic()
	c := &eventv1.Creature{Sheet: add.Sheet}
	if err := rules.Named("add.vitals.counters", rules.SortedKeys(v.GetCounters()), map[string][]string{
		CLeft: append(SpellNames(c), Carried(c)...), CAmmunition: rules.SortedKeys(s.GetAmmunition())}); err != nil {
		return err
	}
	for _, name := range rules.SortedKeys(v.GetCounters()) {
		if rules.Listed(OfTheFight.Counters, name) {
			return fault.Field("add.vitals.counters["+name+"]", "is counted within a fight alone")
		}
	}
	for _, name := range rules.SortedKeys(v.GetMarks()) {
		if rules.Listed(OfTheFight.Marks, name) {
			return fault.Field("add.vitals.marks["+name+"]", "is marked within a fight alone")
		}
	}
	if i := slices.IndexFunc(v.GetConditions(), func(x *eventv1.Condition) bool { return rules.Listed(OfTheFight.Conditions, x.Name) }); i >= 0 {
		return fault.Field("add.vitals.conditions["+Itoa(i)+"].name", "%s ends with the fight", v.Conditions[i].Name)
	}
	return nil
}
