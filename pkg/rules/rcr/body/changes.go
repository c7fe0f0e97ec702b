package body

import (
	"iter"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What an effect changes while it lasts stands among the values of its
// condition, by the keys that RcrEffect.changes documents. A game master may
// lay such a condition by an edit too.
const (
	ChArmor        = "armor-class"
	ChArmorAtLeast = "armor-class-at-least"
	ChSpeed        = "speed"
	chSpeedTimes   = "speed-times"
	ChAttack       = "attack"
	ChAttacked     = "attacked"
	ChSave         = "save"
	ChCheck        = "check"
	ChInitiative   = "initiative"
	ChDamage       = "damage"
	ChAdvantage    = "advantage."
	ChDisadvantage = "disadvantage."
	ChResist       = "resist."
	ChImmune       = "immune."
	ChAll          = "all"
	// ChOnce marks an effect that the first roll it weighs on uses up.
	ChOnce = "once"
)

// Change is one number that a condition brings.
type Change struct {
	From  *eventv1.Condition
	Key   string
	Value int32
}

// ChangesOf are what a creature's conditions change, in their order and by
// key. The same effect laid twice counts once, as in the fifth edition.
func ChangesOf(c *eventv1.Creature) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		all := c.GetConditions()
		for i, x := range all {
			if len(x.Values) == 0 || laidBefore(all[:i], x) {
				continue
			}
			var few [4]string // keys that a condition has in most cases
			keys := few[:0]
			// order-free: sorted below
			for key := range x.Values {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				if !yield(Change{x, key, x.Values[key]}) {
					return
				}
			}
		}
	}
}

// Changed tells whether the conditions of a creature change anything.
func Changed(c *eventv1.Creature) bool {
	return slices.ContainsFunc(c.GetConditions(), func(x *eventv1.Condition) bool { return len(x.Values) > 0 })
}

// laidBefore tells whether a condition is the effect of one of those before it.
func laidBefore(before []*eventv1.Condition, x *eventv1.Condition) bool {
	return slices.ContainsFunc(before, func(y *eventv1.Condition) bool { return y.Name == x.Name && y.Cause == x.Cause })
}

// Flat is the sum of the plain numbers of a key.
func Flat(c *eventv1.Creature, key string) int32 {
	n := int32(0)
	for i, x := range c.GetConditions() {
		if v := x.Values[key]; v != 0 && !laidBefore(c.Conditions[:i], x) {
			n += v
		}
	}
	return n
}

// changeDice are the dice that an effect may add.
var changeDice = []string{"d4", "d6", "d8", "d10", "d12", "d20"}

// DieOf splits the key of dice: "attack.d4" of "attack" has the die "d4".
func DieOf(key, kind string) (string, bool) {
	d, ok := strings.CutPrefix(key, kind+".")
	return d, ok && slices.Contains(changeDice, d)
}

// WithChanges adds the changes of an effect to the values of its condition.
func WithChanges(values map[string]int32, e *eventv1.RcrEffect) map[string]int32 {
	for _, key := range rules.SortedKeys(e.Changes) {
		values[key] = e.Changes[key]
	}
	if e.Once {
		values[ChOnce] = 1
	}
	return values
}

// Temporary gives the temporary hit points that an effect begins with.
func Temporary(r *rules.Resolution, source *eventv1.Creature, id, cause string, e *eventv1.RcrEffect) {
	if e.TemporaryHitPoints == "" {
		return
	}
	n := max(0, r.Roll(rules.RollSpec{Label: "temporary/" + id, Creature: source.GetId(), Expression: e.TemporaryHitPoints, Reason: cause,
		Audience: event.Controllers(id), Rules: []string{cite.HealingMagicEligible}}).Total)
	r.Harm("temporary/"+id, &eventv1.Harm{Deed: DeedTempHP, Target: id, Source: source.GetId(), Cause: cause, Amount: n})
}

// DamageTypes are the types of damage that an effect may speak of.
var DamageTypes = []string{"acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic", "radiant",
	"slashing", "thunder"}

// KnownChange tells whether a key is one that an effect may have.
func KnownChange(key string) bool {
	rolls := []string{ChAttack, ChSave, ChCheck, ChInitiative, ChDamage}
	for _, a := range Abilities {
		rolls = append(rolls, ChSave+"."+a, ChCheck+"."+a)
	}
	for _, prefix := range []string{ChResist, ChImmune} {
		if kind, ok := strings.CutPrefix(key, prefix); ok {
			return kind == ChAll || slices.Contains(DamageTypes, kind)
		}
	}
	for _, prefix := range []string{ChAdvantage, ChDisadvantage} {
		if kind, ok := strings.CutPrefix(key, prefix); ok {
			return kind == ChAttacked || kind != ChDamage && slices.Contains(rolls, kind)
		}
	}
	for _, t := range DamageTypes {
		rolls = append(rolls, ChDamage+"."+t)
	}
	for _, kind := range rolls {
		if _, dice := DieOf(key, kind); dice || key == kind {
			return true
		}
	}
	return slices.Contains([]string{ChArmor, ChArmorAtLeast, ChSpeed, chSpeedTimes, ChFlySpeed}, key)
}
