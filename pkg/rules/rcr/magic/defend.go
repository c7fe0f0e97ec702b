package magic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// defences lists the reactions that a creature could meet a hit with: a spell
// or a power that raises its armour class, halving the damage by a trait. What
// helps against one attack only helps in melee, as a parry does.
func defences(content *effects.Book, s *eventv1.State, c, attacker *eventv1.Creature, kind body.AttackKind) []*eventv1.DecisionOption {
	if attacker.GetMarks()[body.MFreeAction] != "" {
		return nil // whom a joiner surprises cannot react to it: rcr.surprise.joiners
	}
	var out []*eventv1.DecisionOption
	if parries(s, c, attacker, kind) {
		out = append(out, &eventv1.DecisionOption{Id: parry, Text: "Parry", Rule: cite.FeatDefensiveDuelistParry})
	}
	if strike.NeedReaction(s, c) != nil {
		return out
	}
	for _, sp := range body.SheetOf(c).Spells {
		if up, _ := strike.Raises(sp.Effects); up && sp.CastingTime == "reaction" && strike.SelfSpell(content, sp) && refuseSpell(s, c, sp) == nil {
			out = append(out, &eventv1.DecisionOption{Id: "cast/" + sp.Name, Text: "Cast " + sp.Name})
		}
	}
	if !body.PerceivesIn(s, c, attacker, kind.Apart(), kind.Water.Turned()) {
		return out
	}
	for _, p := range body.SheetOf(c).Powers {
		if up, once := strike.Raises(p.Effects); up && p.Cost == "reaction" && p.RangeFeet == 0 && (kind.Melee || !once) && strike.RefusePower(s, c, p) == nil {
			out = append(out, &eventv1.DecisionOption{Id: "react/" + p.Name, Text: "Use " + p.Name})
		}
	}
	if body.HasTrait(c, body.TraitUncannyDodge) {
		out = append(out, &eventv1.DecisionOption{Id: body.TraitUncannyDodge, Text: "Halve the damage"})
	}
	return out
}

// meetHit gives whoever is hit its reaction, before the hit takes effect. It
// tells whether the hit is turned aside and whether its damage is halved.
//
// rcr.base.fifth-edition-fallback
func meetHit(r *rules.Resolution, attacker, target *eventv1.Creature, o strike.AttackOpts, hit rules.Rolled) (turned, halved bool) {
	options := defences(r.Content(), r.State(), r.Creature(target.Id), attacker, o.Kind)
	if len(options) == 0 {
		return false, false
	}
	shown := "" // of a roll that the target's players do not see
	if dice.AudienceOr(hit.Audience).Kind == eventv1.Audience_KIND_EVERYONE {
		shown = " with " + body.Itoa(hit.Total)
	}
	d := &eventv1.Decision{Name: strike.DecDefend, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: target.Id, DefaultOption: "no", Against: []string{attacker.Id},
		Cause: attacker.Name + " hits" + shown, Question: "React to the hit?", Rule: cite.BaseFifthEditionFallback,
		Options: append([]*eventv1.DecisionOption{{Id: "no", Text: "Take it"}}, options...)}
	answer := r.Ask(o.Label+"/defend", d).Option
	at := slices.IndexFunc(options, func(x *eventv1.DecisionOption) bool { return x.Id == answer })
	if at < 0 {
		return false, false
	}
	c := r.Creature(target.Id)
	switch {
	case answer == parry:
		payParry(r, c, attacker)
		return hit.Total < answers.ArmorClass(r, c, attacker, false, o.Cover).Value+body.SheetOf(c).ProficiencyBonus, false
	case answer == body.TraitUncannyDodge:
		body.Spend(r, c.Id, body.CReaction, body.TraitUncannyDodge)
		return false, true
	case answer[:4] == "cast":
		if !strike.React(r, &eventv1.TakeAction{Creature: c.Id, Action: "cast-reaction", Item: answer[5:]}) {
			return false, false
		}
	default:
		if !strike.React(r, &eventv1.TakeAction{Creature: c.Id, Action: "react", Item: answer[6:]}) {
			return false, false
		}
	}
	return hit.Total < answers.ArmorClass(r, r.Creature(target.Id), attacker, !o.Kind.Melee, o.Cover).Value, false
}

// parry is the answer of a defensive duelist to a hit.
const parry = "parry"

// parries tells whether a defensive duelist with a finesse weapon in hand may parry a
// melee attack: with its reaction, or once more with one that it has used against the
// same attacker this turn.
//
// rcr.feat.defensive-duelist-parry, rcr.feat.defensive-duelist-double
func parries(s *eventv1.State, c, attacker *eventv1.Creature, kind body.AttackKind) bool {
	_, brawler := body.ImprovisedBonus(s, c)
	armed := slices.ContainsFunc(body.SheetOf(c).Attacks, func(a *eventv1.RcrAttack) bool {
		trained := body.RankIn(body.SheetOf(c), a.Name) != body.RankUntrained || brawler != "" && checks.Property(a, body.PropImprovised)
		return checks.Property(a, "finesse") && checks.Held(c, a.Name) && trained
	})
	if !kind.Melee || !armed || !body.Feat(s, c, body.FeatDefensiveDuelist, cite.FeatDefensiveDuelistParry) || !body.Perceives(s, c, attacker, kind.Apart()) {
		return false
	}
	return strike.NeedReaction(s, c) == nil || c.Marks[body.MParried] == attacker.Id && !body.Incapacitated(c)
}

// payParry spends the reaction of a parry, unless the one of before covers it.
//
// rcr.feat.defensive-duelist-double
func payParry(r *rules.Resolution, c, attacker *eventv1.Creature) {
	const rule = cite.FeatDefensiveDuelistDouble
	if c.Marks[body.MParried] == attacker.Id {
		r.Mark(c.Id, body.MParried, "", rule)
		return
	}
	body.Spend(r, c.Id, body.CReaction, "parry", cite.FeatDefensiveDuelistParry)
	if body.InForce(r.State(), rule) && (body.AttacksPerAction(c) > 1 || body.ArmedTwice(c)) {
		r.Mark(c.Id, body.MParried, attacker.Id, rule)
	}
}
