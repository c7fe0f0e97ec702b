package rcr

import (
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
	chArmor        = "armor-class"
	chArmorAtLeast = "armor-class-at-least"
	chSpeed        = "speed"
	chSpeedTimes   = "speed-times"
	chAttack       = "attack"
	chAttacked     = "attacked"
	chSave         = "save"
	chCheck        = "check"
	chInitiative   = "initiative"
	chDamage       = "damage"
	chAdvantage    = "advantage."
	chDisadvantage = "disadvantage."
	chResist       = "resist."
	chImmune       = "immune."
	chAll          = "all"
	// chOnce marks an effect that the first roll it weighs on uses up.
	chOnce = "once"
)

// change is one number that a condition brings.
type change struct {
	from  *eventv1.Condition
	key   string
	value int32
}

// changesOf lists what a creature's conditions change, in their order and by
// key. The same effect laid twice counts once, as in the fifth edition.
func changesOf(c *eventv1.Creature) []change {
	var out []change
	for i, x := range c.GetConditions() {
		if len(x.Values) == 0 || slices.ContainsFunc(c.Conditions[:i], func(y *eventv1.Condition) bool { return y.Name == x.Name && y.Cause == x.Cause }) {
			continue
		}
		for _, key := range rules.SortedKeys(x.Values) {
			out = append(out, change{x, key, x.Values[key]})
		}
	}
	return out
}

// flat is the sum of the plain numbers of a key.
func flat(c *eventv1.Creature, key string) int32 {
	n := int32(0)
	for _, ch := range changesOf(c) {
		if ch.key == key {
			n += ch.value
		}
	}
	return n
}

// changeDice are the dice that an effect may add.
var changeDice = []string{"d4", "d6", "d8", "d10", "d12", "d20"}

// dieOf splits the key of dice: "attack.d4" of "attack" has the die "d4".
func dieOf(key, kind string) (string, bool) {
	d, ok := strings.CutPrefix(key, kind+".")
	return d, ok && slices.Contains(changeDice, d)
}

// changeMods are the modifiers that conditions give a roll of the kinds: plain
// numbers, and dice that are rolled here, before the roll that they go with.
func changeMods(r *rules.Resolution, label string, c *eventv1.Creature, audience *eventv1.Audience, kinds ...string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for _, ch := range changesOf(r.Creature(c.GetId())) {
		for _, kind := range kinds {
			n := int32(0)
			if d, ok := dieOf(ch.key, kind); ok {
				n = rollChange(r, label, c.Id, ch, d, audience)
			} else if ch.key == kind {
				n = ch.value
			}
			if n != 0 {
				out = append(out, mod(n, ch.from.Cause, cite.BaseFifthEditionFallback))
			}
		}
	}
	return out
}

func rollChange(r *rules.Resolution, label, id string, ch change, d string, audience *eventv1.Audience) int32 {
	count := ch.value
	if count == 0 {
		return 0
	}
	total := r.Roll(rules.RollSpec{Label: label + "/" + ch.from.Name, Creature: id, Expression: itoa(abs(count)) + d, Reason: ch.from.Cause,
		Audience: audience, Rules: []string{cite.BaseFifthEditionFallback}}).Total
	if count < 0 {
		return -total
	}
	return total
}

// changeEdges are the sources of advantage and disadvantage that conditions
// give a roll of the kinds; each effect is a kind of its own.
//
// rcr.dice.same-kind-no-stack
func changeEdges(c *eventv1.Creature, kinds ...string) []*eventv1.Edge {
	var out []*eventv1.Edge
	for _, ch := range changesOf(c) {
		for _, kind := range kinds {
			if ch.key == chAdvantage+kind || ch.key == chDisadvantage+kind {
				out = append(out, &eventv1.Edge{Advantage: ch.key == chAdvantage+kind, Kind: ch.from.Name + "/" + c.Id, Source: ch.from.Cause,
					Rule: cite.BaseFifthEditionFallback})
			}
		}
	}
	return out
}

// useUp ends the effects that a roll of the kinds has used up.
func useUp(r *rules.Resolution, id string, kinds ...string) {
	for _, x := range slices.Clone(r.Creature(id).GetConditions()) {
		if x.Values[chOnce] == 0 {
			continue
		}
		weighs := slices.ContainsFunc(rules.SortedKeys(x.Values), func(key string) bool {
			return slices.ContainsFunc(kinds, func(kind string) bool {
				_, rolled := dieOf(key, kind)
				return rolled || key == kind || key == chAdvantage+kind || key == chDisadvantage+kind
			})
		})
		if weighs {
			r.RemoveCondition(id, x, "used up", cite.BaseFifthEditionFallback)
		}
	}
}

// saveKinds and checkKinds are the kinds of changes that weigh on a roll of an
// ability.
func saveKinds(ability string) []string {
	if ability == "" {
		return []string{chSave}
	}
	return []string{chSave, chSave + "." + ability}
}

func checkKinds(ability, purpose string) []string {
	kinds := []string{chCheck, chCheck + "." + ability}
	if purpose == chInitiative {
		kinds = append(kinds, chInitiative)
	}
	return kinds
}

// changedDamage is what the attacker's conditions add to the damage of a hit
// with a weapon: "damage" flat, "damage.d6" dice of the weapon's type,
// "damage.radiant" and "damage.radiant.d4" of a type of their own.
func changedDamage(c *eventv1.Creature, atk *eventv1.RcrAttack) (flat []*eventv1.Modifier, parts []*eventv1.RcrDamage) {
	if atk.Spell || len(atk.Damage) == 0 {
		return nil, nil
	}
	for _, ch := range changesOf(c) {
		rest, ok := strings.CutPrefix(ch.key, chDamage)
		switch {
		case !ok || ch.value == 0 || rest != "" && rest[0] != '.':
		case rest == "":
			flat = append(flat, mod(ch.value, ch.from.Cause, cite.BaseFifthEditionFallback))
		default:
			kind, d, rolled := strings.Cut(rest[1:], ".")
			if _, only := dieOf(ch.key, chDamage); only {
				kind, d, rolled = atk.Damage[0].Type, rest[1:], true
			}
			expr := itoa(ch.value)
			if rolled {
				expr += d
			}
			parts = append(parts, &eventv1.RcrDamage{Dice: expr, Type: kind})
		}
	}
	return flat, parts
}

// withChanges adds the changes of an effect to the values of its condition.
func withChanges(values map[string]int32, e *eventv1.RcrEffect) map[string]int32 {
	for _, key := range rules.SortedKeys(e.Changes) {
		values[key] = e.Changes[key]
	}
	if e.Once {
		values[chOnce] = 1
	}
	return values
}

// temporary gives the temporary hit points that an effect begins with.
func temporary(r *rules.Resolution, source *eventv1.Creature, id, cause string, e *eventv1.RcrEffect) {
	if e.TemporaryHitPoints == "" {
		return
	}
	n := max(0, r.Roll(rules.RollSpec{Label: "temporary/" + id, Creature: source.GetId(), Expression: e.TemporaryHitPoints, Reason: cause,
		Audience: event.Controllers(id), Rules: []string{cite.HealingMagicEligible}}).Total)
	r.Deed("temporary/"+id, &eventv1.Harm{Deed: deedTempHP, Target: id, Source: source.GetId(), Cause: cause, Amount: n})
}

// damageTypes are the types of damage that an effect may speak of.
var damageTypes = []string{"acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic", "radiant",
	"slashing", "thunder"}

// knownChange tells whether a key is one that an effect may have.
func knownChange(key string) bool {
	rolls := []string{chAttack, chSave, chCheck, chInitiative, chDamage}
	for _, a := range abilities {
		rolls = append(rolls, chSave+"."+a, chCheck+"."+a)
	}
	for _, prefix := range []string{chResist, chImmune} {
		if kind, ok := strings.CutPrefix(key, prefix); ok {
			return kind == chAll || slices.Contains(damageTypes, kind)
		}
	}
	for _, prefix := range []string{chAdvantage, chDisadvantage} {
		if kind, ok := strings.CutPrefix(key, prefix); ok {
			return kind == chAttacked || kind != chDamage && slices.Contains(rolls, kind)
		}
	}
	for _, t := range damageTypes {
		rolls = append(rolls, chDamage+"."+t)
	}
	for _, kind := range rolls {
		if _, dice := dieOf(key, kind); dice || key == kind {
			return true
		}
	}
	return slices.Contains([]string{chArmor, chArmorAtLeast, chSpeed, chSpeedTimes}, key)
}
