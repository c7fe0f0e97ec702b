package house

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Come is one thing that content sets off, as a system carries it out.
type Come struct {
	effects.Happening
	// Label under which it rolls.
	Label string
	// Target that it befalls, and Source who has what it comes from; Source may be
	// nil.
	Target, Source *eventv1.Creature
	// Amount of hit points, rolled; of damage it is not rolled yet.
	Rolled int32
	// Halved: half of the damage is done, since a saving throw was made.
	Halved bool
}

// Hook is a function that content refers to by name, for what no effect can say. It
// reads what it was given from Come.Hook.Values.
type Hook func(r *rules.Resolution, come Come)

// Hands are what a system alone can do. Those that are nil are not carried out; the
// system's Support says so.
type Hands struct {
	// Out tells whether nothing can befall a creature any more.
	Out func(c *eventv1.Creature) bool
	// Damage rolls Dice and Amount, and deals it.
	Damage func(r *rules.Resolution, come Come)
	// Save makes the saving throw Save against DC, and tells whether it was made.
	Save func(r *rules.Resolution, come Come) bool
	// Heal and Temporary give Rolled hit points.
	Heal, Temporary func(r *rules.Resolution, come Come)
	// Lay lays Condition on the target; Remove is not for it.
	Lay func(r *rules.Resolution, come Come)
	// Counter is the counter of what is left of a resource.
	Counter func(resource string) string
	// Hooks by name.
	Hooks map[string]Hook
}

// Happen carries out what content sets off by a trigger for a creature, in order.
// What happens in this way sets off nothing further.
func (h *Hands) Happen(r *rules.Resolution, label string, c *eventv1.Creature, trigger string, env effects.Env) {
	if c == nil {
		return
	}
	env.State = r.State()
	list := r.Content().Triggered(c, trigger, env)
	if len(list) == 0 {
		return
	}
	r.SetOff(func() {
		for i, x := range list {
			h.comes(r, label+"/"+trigger+"/"+strconv.Itoa(i+1), x, false)
		}
	})
}

// comes carries out one thing.
func (h *Hands) comes(r *rules.Resolution, label string, x effects.Happening, halved bool) {
	come := Come{Happening: x, Label: label, Target: r.Creature(x.Creature), Source: r.Creature(x.Bearer), Halved: halved}
	if come.Target == nil || h.Out(come.Target) {
		return
	}
	switch x.Kind {
	case effects.KindDamage:
		h.Damage(r, come)
	case effects.KindSave:
		h.save(r, come)
	case effects.KindHealing:
		come.Rolled = rolled(r, come)
		h.Heal(r, come)
	case effects.KindTemporaryHitPoints:
		come.Rolled = rolled(r, come)
		h.Temporary(r, come)
	case effects.KindCondition:
		if x.Remove {
			remove(r, come)
			return
		}
		h.Lay(r, come)
	case effects.KindUse:
		left := h.Counter(x.Resource)
		r.Set(x.Bearer, left, max(0, r.Count(x.Bearer, left)-int64(x.Amount)), x.Title, Cited(x.Cite)...)
	case effects.KindHook:
		if hook := h.Hooks[x.Hook.GetName()]; hook != nil {
			hook(r, come)
		}
	}
}

// save makes a saving throw and carries out what comes of it. Where the content says
// so, half of the damage that a failure does is done on a success.
func (h *Hands) save(r *rules.Resolution, come Come) {
	saved := h.Save(r, come)
	next, halves := come.Failed, 0
	if saved {
		next = come.Passed
		if come.Half {
			half := damageOf(come.Failed)
			next, halves = append(half, next...), len(half)
		}
	}
	for i, x := range next {
		h.comes(r, come.Label+"/"+strconv.Itoa(i+1), x, i < halves)
	}
}

// damageOf is the damage among what comes of a saving throw.
func damageOf(list []effects.Happening) []effects.Happening {
	var out []effects.Happening
	for _, x := range list {
		if x.Kind == effects.KindDamage {
			out = append(out, x)
		}
	}
	return out
}

// rolled is an amount of hit points, dice and flat part together; never less than 0.
func rolled(r *rules.Resolution, come Come) int32 {
	return max(0, r.Roll(rules.RollSpec{Label: come.Label + "/amount", Creature: come.Bearer, Expression: DiceAnd(come.Dice, come.Amount), Reason: come.Title,
		Audience: event.Controllers(come.Creature), Rules: Cited(come.Cite)}).Total)
}

// remove takes a condition away, however often it lies on the target.
func remove(r *rules.Resolution, come Come) {
	for _, k := range come.Target.Conditions {
		if k.Name == come.Condition {
			r.RemoveCondition(come.Target.Id, k, come.Title, Cited(come.Cite)...)
		}
	}
	unbring(r, come.Target.Id, come.Condition, come.Title, Cited(come.Cite)...)
}
