package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// decDefend asks whoever an attack hits whether it reacts.
const decDefend = "defend"

// traitUncannyDodge lets a creature halve the damage of a hit by its reaction.
const traitUncannyDodge = "uncanny dodge"

// raises tells whether effects raise the armour class, and whether for one
// attack only.
func raises(effects []*eventv1.RcrEffect) (raised, once bool) {
	for _, e := range effects {
		if e.Changes[chArmor] > 0 {
			return true, e.Once
		}
	}
	return false, false
}

// defences lists the reactions that a creature could meet a hit with: a spell
// or a power that raises its armour class, halving the damage by a trait. What
// helps against one attack only helps in melee, as a parry does.
func defences(s *eventv1.State, c, attacker *eventv1.Creature, kind attackKind) []*eventv1.DecisionOption {
	if needReaction(s, c) != nil || c.Id == attacker.Id || attacker.GetMarks()[mFreeAction] != "" {
		return nil // whom a joiner surprises cannot react to it: rcr.surprise.joiners
	}
	var out []*eventv1.DecisionOption
	for _, sp := range sheetOf(c).Spells {
		if up, _ := raises(sp.Effects); up && sp.CastingTime == "reaction" && selfSpell(sp) && refuseSpell(s, c, sp) == nil {
			out = append(out, &eventv1.DecisionOption{Id: "cast/" + sp.Name, Text: "Cast " + sp.Name})
		}
	}
	if !perceives(s, c, attacker, kind.distance) {
		return out
	}
	for _, p := range sheetOf(c).Powers {
		if up, once := raises(p.Effects); up && p.Cost == "reaction" && p.RangeFeet == 0 && (kind.melee || !once) && refusePower(s, c, p) == nil {
			out = append(out, &eventv1.DecisionOption{Id: "react/" + p.Name, Text: "Use " + p.Name})
		}
	}
	if hasTrait(c, traitUncannyDodge) {
		out = append(out, &eventv1.DecisionOption{Id: traitUncannyDodge, Text: "Halve the damage"})
	}
	return out
}

// meetHit gives whoever is hit its reaction, before the hit takes effect. It
// tells whether the hit is turned aside and whether its damage is halved.
//
// rcr.base.fifth-edition-fallback
func meetHit(r *rules.Resolution, attacker, target *eventv1.Creature, o attackOpts, hit rules.Rolled) (turned, halved bool) {
	options := defences(r.State(), r.Creature(target.Id), attacker, o.kind)
	if len(options) == 0 {
		return false, false
	}
	shown := "" // of a roll that the target's players do not see
	if audienceOr(hit.Audience).Kind == eventv1.Audience_KIND_EVERYONE {
		shown = " with " + itoa(hit.Total)
	}
	d := &eventv1.Decision{Name: decDefend, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: target.Id, DefaultOption: "no",
		Cause: attacker.Name + " hits" + shown, Question: "React to the hit?", Rule: cite.BaseFifthEditionFallback,
		Options: append([]*eventv1.DecisionOption{{Id: "no", Text: "Take it"}}, options...)}
	answer := r.Ask(o.label+"/defend", d).Option
	at := slices.IndexFunc(options, func(x *eventv1.DecisionOption) bool { return x.Id == answer })
	if at < 0 {
		return false, false
	}
	c := r.Creature(target.Id)
	switch {
	case answer == traitUncannyDodge:
		spend(r, c.Id, cReaction, traitUncannyDodge)
		return false, true
	case answer[:4] == "cast":
		if err := castSpell(r, c, &eventv1.TakeAction{Creature: c.Id, Action: "cast-reaction", Item: answer[5:]}); err != nil {
			return false, false
		}
	default:
		if err := usePower(r, c, &eventv1.TakeAction{Creature: c.Id, Action: "react", Item: answer[6:]}); err != nil {
			return false, false
		}
	}
	return hit.Total < armorClass(r, r.Creature(target.Id), attacker, !o.kind.melee, o.cover).Value, false
}
