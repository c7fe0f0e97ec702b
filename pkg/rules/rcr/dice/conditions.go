package dice

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// EndTurnEffects makes the saving throws due at the end of a turn and ends
// what lasts until then.
func EndTurnEffects(r *rules.Resolution, id string) {
	for _, x := range r.Creature(id).Conditions {
		ability, dc := body.SaveThatEnds(x)
		if ability == "" || body.Suspended(r.Creature(id), x) || !slices.ContainsFunc(r.Creature(id).Conditions, func(y *eventv1.Condition) bool { return y.Id == x.Id }) {
			continue
		}
		source := r.Creature(x.Source)
		dc -= int32(body.OpenExhaustion(source)) // rcr.condition.exhaustion-dc: as it is now
		rolled := RollSave(r, "save-ends/"+id+"/"+x.Id, r.Creature(id), ability, dc, x.Name, source, body.SaveOpts{Magic: bySpell(source, x)})
		if rolled.Success() {
			r.RemoveCondition(id, x, "saving throw", cite.BaseFifthEditionFallback)
		}
	}
	body.Expire(r, "its time is over", cite.BaseFifthEditionFallback, func(_ string, u *eventv1.Until) bool {
		return u.When == body.UntilTurnEnd && u.Creature == id
	})
}

// bySpell tells whether a spell of the source laid a condition.
//
// rcr.trait.magic-resistance
func bySpell(source *eventv1.Creature, x *eventv1.Condition) bool {
	return slices.Contains(body.NamesOf(body.SheetOf(source).Spells), x.Cause)
}

// LetGo ends what a creature keeps up when it can do so no more: its grapples
// and its concentration, and what it holds where it is unconscious.
func LetGo(r *rules.Resolution, id string) {
	dropHeld(r, id)
	if !body.Incapacitated(r.Creature(id)) {
		return
	}
	for _, other := range r.CreatureIDs() {
		for _, x := range r.Creature(other).Conditions {
			if x.Name == body.CondGrappled && x.Source == id {
				r.RemoveCondition(other, x, "the grappler is incapacitated", cite.ConditionReplaceBase)
			}
		}
	}
	EndConcentration(r, id, "incapacitated")
}

// dropHeld lets everything fall that an unconscious creature has in its hands. A shield
// is strapped on and stays (a reading); the stunned and the petrified keep hold.
//
// rcr.base.fifth-edition-fallback
func dropHeld(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if body.Dead(c) || !body.Has(c, body.CondUnconscious) { // whoever is down is unconscious
		return
	}
	for _, name := range rules.SortedKeys(c.Items) {
		if it := c.Items[name]; slices.Contains([]string{"main", "off", "both"}, it.Place) {
			r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: "dropped", Values: it.Values, Cause: body.CondUnconscious},
				cite.BaseFifthEditionFallback)
		}
	}
}
