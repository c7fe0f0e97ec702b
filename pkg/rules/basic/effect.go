package basic

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// harm is what an attack does to a creature.
type harm struct {
	target, source, cause string
	amount                int32
	// kind of damage: fire, holy, or empty; more of it from the same flask; burns: it
	// goes on burning.
	kind  string
	more  int32
	burns bool
	// effect of a critical hit: disarmed, shaken, prone, blinded; or empty.
	effect string
	// nonlethal damage knocks out; critical came of a natural 20.
	nonlethal, critical bool
	// together: the target was conscious before the number that it was hit on.
	together bool
}

// do lets harm take effect: at once, or with everything else of the number when
// others act on it too.
//
// basic.initiative.ties-simultaneous
func (h harm) do(r *rules.Resolution, now bool) {
	if now || r.Count("", cTogether) == 0 {
		h.apply(r)
		return
	}
	t := putDown(r, taskHarm, h.target, h.cause)
	t.Values = map[string]int32{"amount": h.amount, "more": h.more}
	t.Modifiers = []*eventv1.Modifier{{Source: h.source, Rule: h.effect}, {Source: h.kind}}
	for name, on := range map[string]bool{"nonlethal": h.nonlethal, "critical": h.critical, "burns": h.burns} { // order-free: a map is copied into a map
		if on {
			t.Values[name] = 1
		}
	}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: t}, cite.InitiativeTiesSimultaneous)
}

// putDown begins the task of an effect that waits for the end of the number.
func putDown(r *rules.Resolution, kind, creature, text string) *eventv1.Task {
	n := r.Count("", cPending) + 1
	r.Set("", cPending, n, "")
	return &eventv1.Task{Id: fmt.Sprintf("pending-%09d", n), Creature: creature, Kind: kind, Status: "pending", Text: text}
}

func pendingHarm(t *eventv1.Task) harm {
	kind := ""
	if len(t.Modifiers) > 1 {
		kind = t.Modifiers[1].Source
	}
	return harm{target: t.Creature, source: t.Modifiers[0].GetSource(), effect: t.Modifiers[0].GetRule(), kind: kind, cause: t.Text,
		amount: t.Values["amount"], more: t.Values["more"], nonlethal: t.Values["nonlethal"] > 0, critical: t.Values["critical"] > 0,
		burns: t.Values["burns"] > 0}
}

// apply has harm done by medicine and settles what it means for the fight.
func (h harm) apply(r *rules.Resolution) {
	t := r.Creature(h.target)
	if t == nil || dead(t) {
		return
	}
	nature, facts := "", map[string]string{}
	if h.nonlethal {
		nature = "nonlethal"
	}
	if h.effect != "" && h.effect != "disarmed" {
		facts["effect"] = h.effect
	}
	if h.together {
		facts["together"] = "yes"
	}
	parts := []*eventv1.DamagePart{{Type: h.kind, Rolled: h.amount}}
	if h.more > 0 {
		parts = append(parts, &eventv1.DamagePart{Type: h.kind, Rolled: h.more})
	}
	res := r.Deed("harm/"+h.target, &eventv1.Harm{Deed: deedDamage, Target: h.target, Source: h.source, Cause: h.cause,
		Parts: parts, Critical: h.critical, Nature: nature, Facts: facts})
	if h.effect == "disarmed" {
		disarm(r, h.target)
	}
	if res[resDown] > 0 || res[resDead] > 0 {
		letGo(r, h.target)
	}
	if h.burns {
		catchFire(r, h.target, h.source)
	}
}

// takeEffect lets everything put down on a number happen together: first it is
// seen which spells were disturbed, then what the others give and do. Reading:
// healing counts before damage, so that the sum decides.
//
// basic.initiative.ties-simultaneous, basic.spell.disruption, basic.injury.subdual-zero
func takeEffect(r *rules.Resolution) {
	var spells []*eventv1.Task
	var harms []harm
	end := func(t *eventv1.Task, outcome string) {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, cite.InitiativeTiesSimultaneous)
	}
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		switch t := r.State().Tasks[id]; t.Kind {
		case taskSpell:
			if disrupted(r, t.Creature) {
				end(t, "disrupted")
				continue
			}
			spells = append(spells, t)
		case taskHarm:
			harms = append(harms, pendingHarm(t))
			end(t, "took effect")
		}
	}
	for _, t := range spells {
		end(t, "took effect")
		harms = append(harms, spellEffect(r, t.Creature, t.Text, slices.Clone(targetsOf(t)))...)
	}
	// Blows of one number are neither before nor after each other: one that does not
	// kill spares the target that all of them bring down, whoever rolled first.
	slices.SortStableFunc(harms, func(a, b harm) int { return cmp.Compare(spares(b), spares(a)) })
	conscious := map[string]bool{}
	for _, h := range harms {
		conscious[h.target] = up(r.Creature(h.target))
	}
	for _, h := range harms {
		h.together = conscious[h.target]
		h.apply(r)
	}
	takeHold(r)
}

// struckDown tells whether what was done to a creature on this number will bring it
// down. One that acts on the number itself, or holds and may yet, is not down before
// the others; anybody else is, though it falls only when the number is over.
//
// basic.initiative.ties-simultaneous
func struckDown(s *eventv1.State, c *eventv1.Creature) bool {
	if c.GetHp() < 1 || slices.Contains(s.Active, c.Id) || holdsOpen(c) {
		return false
	}
	if p := placeOf(s, c); p != nil && int64(p.Total) == s.Counters[cCount] && int64(p.Tiebreak) == s.Counters[cTie] {
		return false
	}
	lost := int32(0)
	// order-free: a sum
	for _, t := range s.Tasks {
		if t.Kind != taskHarm || t.Creature != c.Id {
			continue
		}
		if h := pendingHarm(t); h.kind != fire || !fireproof(c) {
			lost += h.amount + h.more
		}
	}
	return lost >= c.GetHp()
}

func spares(h harm) int {
	if h.nonlethal {
		return 1
	}
	return 0
}

func targetsOf(t *eventv1.Task) []string {
	var out []string
	for _, m := range t.Modifiers {
		out = append(out, m.Source)
	}
	return out
}
