package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Harm is what an attack does to a creature.
type Harm struct {
	Target, Source, Cause string
	Amount                int32
	// Kind of damage: fire, holy, or empty; more of it from the same flask; burns: it
	// goes on burning.
	Kind  string
	more  int32
	burns bool
	// Effect of a critical hit: disarmed, shaken, prone, blinded; or empty.
	Effect string
	// nonlethal damage knocks out; critical came of a natural 20.
	nonlethal, critical bool
	// Together: the target was conscious before the number that it was hit on.
	Together bool
}

// Do lets harm take effect: at once, or with everything else of the number when
// others act on it too.
//
// basic.initiative.ties-simultaneous
func (h Harm) Do(r *rules.Resolution, now bool) {
	if now || r.Count("", body.CTogether) == 0 {
		h.Apply(r)
		return
	}
	t := body.PutDown(r, body.TaskHarm, h.Target, h.Cause)
	t.Targets, t.Harm, t.Rule = []string{h.Target}, []*eventv1.Harm{h.message()}, cite.InitiativeTiesSimultaneous
	if h.burns {
		t.Conditions = []*eventv1.Condition{{Name: body.CondBurning, Source: h.Source, Rule: cite.ItemOilSecondRound}}
	}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
}

// Nonlethal is the nature of damage that does not kill.
const Nonlethal = "nonlethal"

// message is harm as medicine takes it.
func (h Harm) message() *eventv1.Harm {
	m := &eventv1.Harm{Deed: body.DeedDamage, Target: h.Target, Source: h.Source, Cause: h.Cause, Critical: h.critical,
		Parts: []*eventv1.DamagePart{{Type: h.Kind, Rolled: h.Amount}}}
	if h.more > 0 {
		m.Parts = append(m.Parts, &eventv1.DamagePart{Type: h.Kind, Rolled: h.more})
	}
	if h.nonlethal {
		m.Nature = Nonlethal
	}
	if h.Effect != "" || h.Together {
		m.Facts = map[string]string{}
	}
	if h.Effect != "" {
		m.Facts["effect"] = h.Effect
	}
	if h.Together {
		m.Facts["together"] = rules.Yes
	}
	return m
}

// PendingHarm reads the harm that a task puts off.
func PendingHarm(t *eventv1.Task) Harm {
	m := t.Harm[0]
	h := Harm{Target: m.Target, Source: m.Source, Cause: m.Cause, Effect: m.Facts["effect"], Kind: m.Parts[0].Type, Amount: m.Parts[0].Rolled,
		nonlethal: m.Nature == Nonlethal, critical: m.Critical, burns: len(t.Conditions) > 0}
	if len(m.Parts) > 1 {
		h.more = m.Parts[1].Rolled
	}
	return h
}

// Apply has harm done by medicine and settles what it means for the fight.
func (h Harm) Apply(r *rules.Resolution) {
	t := r.Creature(h.Target)
	if t == nil || body.Dead(t) {
		return
	}
	res := r.Harm("harm/"+h.Target, h.message())
	if h.Effect == "disarmed" {
		disarm(r, h.Target)
	}
	if res.Down || res.Dead {
		LetGo(r, h.Target)
	}
	if h.burns {
		catchFire(r, h.Target, h.Source)
	}
}

// struckDown tells whether what was done to a creature on this number will bring it
// down. One that acts on the number itself, or holds and may yet, is not down before
// the others; anybody else is, though it falls only when the number is over.
//
// basic.initiative.ties-simultaneous
func struckDown(s *eventv1.State, c *eventv1.Creature) bool {
	if c.GetHp() < 1 || slices.Contains(s.Active, c.Id) || order.HoldsOpen(c) {
		return false
	}
	if p := order.PlaceOf(s, c); p != nil && int64(p.Total) == s.Counters[body.CCount] && int64(p.Tiebreak) == s.Counters[body.CTie] {
		return false
	}
	lost := int32(0)
	// order-free: a sum
	for _, t := range s.Tasks {
		if t.Kind != body.TaskHarm || t.Creature != c.Id {
			continue
		}
		if h := PendingHarm(t); h.Kind != Fire || !Fireproof(c) {
			lost += h.Amount + h.more
		}
	}
	return lost >= c.GetHp()
}

// Spares is 1 for harm that is not lethal and 0 for any other, to sort by.
func Spares(h Harm) int {
	if h.nonlethal {
		return 1
	}
	return 0
}
