package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Harm is what an attack does to a creature.
type Harm struct {
	Target, Source, Cause string
	Amount                int32
	// Factors are what became of the amount after its roll.
	Factors []*eventv1.Factor
	// Kind of damage: fire, holy, or empty; more of it from the same flask; burns: it
	// goes on burning.
	Kind  string
	more  int32
	burns bool
	// extra are parts of a type of their own that content adds.
	extra []*eventv1.DamagePart
	// rule is that of the content that it comes of; setOff: it was set off by content,
	// and sets off nothing further; Magic: of a spell or a magic item.
	rule          string
	setOff, Magic bool
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

// With is the harm with parts of a type of their own beside it.
func (h Harm) With(parts []*eventv1.DamagePart) Harm {
	h.extra = parts
	return h
}

// Nonlethal is the nature of damage that does not kill.
const Nonlethal = "nonlethal"

// message is harm as medicine takes it.
func (h Harm) message() *eventv1.Harm {
	m := &eventv1.Harm{Deed: body.DeedDamage, Target: h.Target, Source: h.Source, Cause: h.Cause, Critical: h.critical,
		Parts: []*eventv1.DamagePart{{Type: h.Kind, Rolled: h.Amount, Rule: h.rule, Factors: h.Factors}}}
	if h.more > 0 {
		m.Parts = append(m.Parts, &eventv1.DamagePart{Type: h.Kind, Rolled: h.more})
	}
	m.Parts = append(m.Parts, h.extra...)
	if h.nonlethal {
		m.Nature = Nonlethal
	}
	for _, fact := range []struct{ name, value string }{{"effect", h.Effect}, {"together", yes(h.Together)}, {factSetOff, yes(h.setOff)}, {FactMagic, yes(h.Magic)}} {
		if fact.value == "" {
			continue
		}
		if m.Facts == nil {
			m.Facts = map[string]string{}
		}
		m.Facts[fact.name] = fact.value
	}
	return m
}

// Facts of harm in fights with content.
const (
	// FactMagic: it comes of a spell or a magic item.
	FactMagic  = "magic"
	factSetOff = "set-off"
)

func yes(is bool) string {
	if is {
		return rules.Yes
	}
	return ""
}

// PendingHarm reads the harm that a task puts off.
func PendingHarm(t *eventv1.Task) Harm {
	m := t.Harm[0]
	h := Harm{Target: m.Target, Source: m.Source, Cause: m.Cause, Effect: m.Facts["effect"], Kind: m.Parts[0].Type, Amount: m.Parts[0].Rolled, Factors: m.Parts[0].Factors,
		nonlethal: m.Nature == Nonlethal, critical: m.Critical, burns: len(t.Conditions) > 0,
		rule: m.Parts[0].Rule, setOff: m.Facts[factSetOff] != "", Magic: m.Facts[FactMagic] != ""}
	for _, p := range m.Parts[1:] {
		if p.Rule != "" {
			h.extra = append(h.extra, p)
		} else {
			h.more = p.Rolled
		}
	}
	return h
}

// Apply has harm done by medicine and settles what it means for the fight.
func (h Harm) Apply(r *rules.Resolution) {
	t := r.Creature(h.Target)
	if body.Dead(t) {
		return
	}
	res := r.Harm("harm/"+h.Target, h.message(), house.Concerned(r)...)
	if h.Effect == "disarmed" {
		disarm(r, h.Target)
	}
	if res.Down || res.Dead {
		LetGo(r, h.Target)
	}
	if h.burns {
		catchFire(r, h.Target, h.Source)
	}
	h.setsOff(r, res)
}

// setsOff carries out what content sets off by harm: for the one hurt, and by its
// death for whoever killed it.
func (h Harm) setsOff(r *rules.Resolution, res *eventv1.HarmResult) {
	if r.Content() == nil || h.setOff {
		return
	}
	source, target := r.Creature(h.Source), r.Creature(h.Target)
	env := effects.Env{Actor: source, Target: target, Damage: res.Taken, DamageType: h.Kind, Distance: -1}
	if d, known := body.Measured(source, target); known {
		env.Distance = d
	}
	if w := body.WeaponOf(source, h.Cause); w != nil {
		env.Weapon = effects.Weapon{Name: w.Name, Use: w.Use, Tags: Blow{Weapon: w}.tags()}
	}
	if res.Taken > 0 {
		Happen(r, "hurt/"+h.Target, h.Target, effects.TriggerHurt, env)
	}
	if res.Dead {
		Happen(r, "kill/"+h.Source, h.Source, effects.TriggerKill, env)
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
			for _, p := range h.extra {
				lost += p.Rolled
			}
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
