package injuries

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Damage deals the damage of one attack or one effect: defences, temporary hit
// points, hit points, then wounds in table order, then death and failures.
func Damage(r *rules.Resolution, h *eventv1.Harm) (out checks.Harmed) {
	c := r.Creature(h.Target)
	if body.Dead(c) {
		r.Note(event.Everyone(), h.Target, "dead already: nothing more happens to it", body.Fallback)
		return out
	}
	parts := defend(r, c, h)
	house.Defends(r, c, h.Source, parts)
	for _, p := range parts {
		out.Taken += p.Taken
	}
	hp, temp, maximum := c.GetHp(), c.GetHpTemp(), c.GetHpMax()
	soaked := min(temp, out.Taken)
	left := max(0, hp-(out.Taken-soaked))
	over := out.Taken - soaked - max(0, hp) // beyond 0
	out.Dropped = hp > 0 && left == 0
	if out.Dropped && enduring(r, c, h, out.Taken, over) {
		left, out.Dropped = 1, false
	}
	felled := out.Dropped && spared(r, c, h)
	r.Emit(event.Controllers(c.Id), &eventv1.Damage{Target: c.Id, Source: h.Source, Cause: h.Cause, Parts: parts, Amount: out.Taken,
		Soaked: soaked, Critical: h.Critical, Nature: h.Nature}, cite.HpSecretTotals)
	r.SetHitPoints(c.Id, min(hp, left)+absorbed(parts, left, maximum), maximum, temp-soaked, cite.HpSecretTotals)
	stanch(r, c, parts)
	wounding := WoundsTouch(r, c)
	outright := out.Dropped && !felled && diesAtZero(r, c)
	switch {
	case !out.Dropped || outright || body.Down(c):
	case felled:
		knockOut(r, c.Id, h.Cause)
	default:
		BringDown(r, c.Id, h.Cause)
	}
	if wounding {
		out.Wounds = gainWounds(r, c.Id, triggered(r, h, out, maximum), h)
	}
	c = r.Creature(h.Target)
	switch {
	case body.Dead(c):
	case outright:
		Die(r, c.Id, h.Cause, body.Fallback)
	case felled: // rcr.base.knock-out: it does not die of it
	case outlasts(c):
		// it dies only where its turn begins at 0 hit points
	case (hp <= 0 || out.Dropped) && over > 0 && over >= maximum:
		Die(r, c.Id, "massive damage", body.Fallback)
	case hp <= 0 && out.Taken > 0:
		hitWhileDown(r, c.Id, h.Critical)
	}
	SetBloodied(r, h.Target)
	return out
}

// triggered is the number of wounds that a damage event brings: the largest of
// its triggers, never their sum. A critical hit counts even when all of its
// damage is cancelled.
//
// rcr.injury.highest-trigger-only, rcr.injury.wound-on-critical,
// rcr.injury.wounds-on-zero-hp, rcr.injury.wounds-on-massive-damage,
// rcr.injury.massive-damage-party-level
func triggered(r *rules.Resolution, h *eventv1.Harm, out checks.Harmed, maximum int32) int32 {
	n := int32(0)
	if h.Critical {
		n = 1
	}
	if out.Dropped {
		n = 2
	}
	levels := !r.On(cite.InjuryMassiveDamagePartyLevel) || r.Number(body.SetPartyLevel) >= 3
	if levels && 2*out.Taken > maximum {
		n = 3
	}
	return n
}

// defend works out what of each part gets through: immunity, then resistance,
// then vulnerability, each once however often it is listed. Damage of no type
// is kept off by nothing but what resists that of traps.
//
// rcr.feat.elemental-adept-resistance, rcr.feat.dungeon-delver-trap-resistance
func defend(r *rules.Resolution, c *eventv1.Creature, h *eventv1.Harm) []*eventv1.DamagePart {
	s := body.SheetOf(c)
	var out []*eventv1.DamagePart
	odd := map[string]int32{} // damage of one type is halved as a whole, and rounded down once
	halve := func(kind string, n int32) int32 {
		n += odd[strings.ToLower(kind)]
		odd[strings.ToLower(kind)] = n % 2
		return n / 2
	}
	trapped := h.Facts[body.FactTrap] != "" && body.Feat(r.State(), c, body.FeatDungeonDelver, cite.FeatDungeonDelverTrapResistance)
	for _, p := range h.Parts {
		got := &eventv1.DamagePart{Type: p.Type, Rolled: p.Rolled, Taken: max(0, p.Rolled), Note: p.Note, Rule: p.Rule, Factors: p.Factors}
		var notes []string
		rule := body.Fallback
		switch {
		case p.Type == "" && trapped: // of any type, and so of none
			got.Taken, notes = halve("", got.Taken), append(notes, "resistance")
		case p.Type == "":
		case body.Absorbs(c, p.Type): // rcr.trait.absorption
			got.Taken, notes, rule = 0, append(notes, noteAbsorbed), cite.TraitAbsorption
		case defends(s.Immunities, p.Type, h.Facts), wards(c, body.ChImmune, p.Type), body.Has(c, body.CondPetrified) && strings.EqualFold(p.Type, "poison"):
			got.Taken, notes = 0, append(notes, "immunity")
		default:
			resists := defends(s.Resistances, p.Type, h.Facts) || hardy(c, p.Type) || body.Has(c, body.CondPetrified) || wards(c, body.ChResist, p.Type)
			wet := cooled(r, c, p.Type, h.Facts)
			if (resists || wet) && adept(r, h, p.Type) {
				resists, wet, got.Note, got.Rule = false, false, "resistance ignored", cite.FeatElementalAdeptResistance
			}
			if resists || trapped {
				got.Taken, notes = halve(p.Type, got.Taken), append(notes, "resistance")
			}
			if len(notes) == 0 && wet {
				got.Taken, notes, rule = halve(p.Type, got.Taken), append(notes, "resistance"), cite.UnderwaterFireResistance
			}
			if defends(s.Vulnerabilities, p.Type, h.Facts) {
				got.Taken, notes = got.Taken*2, append(notes, "vulnerability")
			}
		}
		if len(notes) > 0 {
			got.Note, got.Rule = strings.Join(notes, ", "), rule
			if trapped {
				got.Rule = cite.FeatDungeonDelverTrapResistance
			}
		}
		out = append(out, got)
	}
	return out
}

// noteAbsorbed is on damage that gives hit points.
const noteAbsorbed = "absorbed"

// absorbed is how many hit points the parts of damage give that are absorbed, to one
// that has so many left of its maximum; none to one at 0.
//
// rcr.trait.absorption
func absorbed(parts []*eventv1.DamagePart, left, maximum int32) (n int32) {
	for _, p := range parts {
		if p.Note == noteAbsorbed {
			n += max(0, p.Rolled)
		}
	}
	if left <= 0 {
		return 0
	}
	return min(n, max(0, maximum-left))
}

// cooled tells whether water about a creature takes half of a fire away.
//
// rcr.underwater.fire-resistance
func cooled(r *rules.Resolution, c *eventv1.Creature, kind string, facts map[string]string) bool {
	var said body.WaterSaid
	if word := facts[body.FactUnderwater]; word != "" {
		under := word != body.FactNo
		said.Under = &under
	}
	return strings.EqualFold(kind, "fire") && body.InWater(r.State(), c, said, cite.UnderwaterFireResistance)
}

// elements are the types of damage that an elemental adept is at home with.
var elements = []string{"acid", "cold", "fire", "lightning", "thunder"}

// adept tells whether damage comes from the magic of an elemental adept, which no
// resistance to the elements keeps off.
//
// rcr.feat.elemental-adept-resistance
func adept(r *rules.Resolution, h *eventv1.Harm, kind string) bool {
	return h.Facts["magical"] != "" && slices.Contains(elements, strings.ToLower(kind)) &&
		body.Feat(r.State(), r.Creature(h.Source), body.FeatElementalAdept, cite.FeatElementalAdeptResistance)
}

// wards tells whether an effect gives a defence against a type of damage.
func wards(c *eventv1.Creature, defence, kind string) bool {
	return body.Flat(c, defence+strings.ToLower(kind)) > 0 || body.Flat(c, defence+body.ChAll) > 0
}

// defends tells whether a list of defences covers a type under the facts of
// the weapon: "magical", "silvered", "adamantine".
func defends(list []*eventv1.RcrDefense, kind string, facts map[string]string) bool {
	for _, d := range list {
		switch {
		case !strings.EqualFold(d.Type, kind):
		case d.NonmagicalOnly && facts["magical"] != "":
		case d.ExceptSilvered && facts["silvered"] != "":
		case d.ExceptAdamantine && facts["adamantine"] != "":
		default:
			return true
		}
	}
	return false
}

// concentrationDC is the DC of the saving throw that damage forces on a
// creature that concentrates; 0 when there was no damage.
func concentrationDC(taken int32) int32 {
	if taken <= 0 {
		return 0
	}
	return max(10, taken/2)
}

// GiveTemporary gives temporary hit points: the larger number stays. They are
// no healing and open no check against wounds.
//
// rcr.healing.magic-eligible
func GiveTemporary(r *rules.Resolution, id string, amount int32) {
	c := r.Creature(id)
	r.SetHitPoints(id, c.GetHp(), c.GetHpMax(), max(amount, c.GetHpTemp()), body.Fallback)
}
