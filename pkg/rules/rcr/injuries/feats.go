package injuries

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TendByHealer has somebody with the feat Healer spend a minute and a use of a kit on
// each patient: 1d6, the healer's Wisdom and one for each hit die that the patient has
// at most. It counts as an ability against wounds. A patient is tended once between
// long rests, by whomever.
//
// rcr.feat.healer-tend, rcr.feat.healer-once
func TendByHealer(r *rules.Resolution, c *eventv1.PatientCommand) error {
	const rule = cite.FeatHealerTend
	healer := r.Creature(c.User)
	switch {
	case body.Incapacitated(healer):
		return body.Refuse("UNABLE", rule, "%q cannot tend anybody", c.User)
	case !body.Feat(r.State(), healer, body.FeatHealer, rule):
		return body.Refuse("NO_FEAT", rule, "%q is no healer, or the table does not play the feat so", c.User)
	case r.Count(c.User, body.CKit) < int64(len(c.Patients)):
		return body.Refuse("NO_KIT", cite.HealingKitUseExpended, "%q has %d uses of a healer's kit left", c.User, r.Count(c.User, body.CKit))
	}
	for _, id := range c.Patients {
		switch p := r.Creature(id); {
		case body.Dead(p):
			return body.Refuse("DEAD", body.Fallback, "%q is dead", id)
		case p.Marks[body.MTended] != "" && body.InForce(r.State(), cite.FeatHealerOnce):
			return body.Refuse("TENDED", cite.FeatHealerOnce, "a healer has tended %q since its last long rest", id)
		}
	}
	for _, id := range c.Patients {
		r.Set(c.User, body.CKit, r.Count(c.User, body.CKit)-1, "tends wounds", cite.HealingKitUseExpended, rule)
		dice := int32(0)
		for _, d := range body.SheetOf(r.Creature(id)).HitDice {
			dice += d.Total
		}
		rolled := r.Roll(rules.RollSpec{Label: "tend/" + id, Creature: c.User, Expression: "1d6", Reason: "a healer's care", Audience: Healers(c.User, id), Rules: []string{rule},
			Modifiers: []*eventv1.Modifier{body.Mod(body.AbilityMod(healer, "wisdom"), "Wisdom", rule), body.Mod(dice, "hit dice of the patient", rule)}})
		r.Flag(id, body.MTended, true, cite.FeatHealerOnce)
		healDone(r, &eventv1.Harm{Deed: body.DeedHeal, Target: id, Source: c.User, Cause: "Healer", Amount: max(0, rolled.Total), Facts: map[string]string{"via": ViaAbility}})
	}
	return nil
}

// TendInspire has somebody with the feat Inspiring Leader speak for a minute: who hears
// it, the speaker among them, gains temporary hit points by the speaker's level and
// Charisma. Those in earshot are the patients named.
//
// rcr.feat.inspiring-leader-temp-hp
func TendInspire(r *rules.Resolution, c *eventv1.PatientCommand) error {
	const rule = cite.FeatInspiringLeaderTempHp
	speaker := r.Creature(c.User)
	switch {
	case body.Dead(speaker) || unaware(speaker) || body.Has(speaker, body.CondParalyzed):
		return body.Refuse("UNABLE", rule, "%q cannot speak", c.User)
	case !body.Feat(r.State(), speaker, body.FeatInspiringLeader, rule):
		return body.Refuse("NO_FEAT", rule, "%q inspires nobody", c.User)
	}
	amount := max(0, body.SheetOf(speaker).Level+body.AbilityMod(speaker, "charisma"))
	listeners := append([]string{c.User}, c.Patients...)
	for i, id := range listeners {
		switch p := r.Creature(id); {
		case i > 0 && id == c.User, body.Dead(p):
		case unaware(p) || body.Has(p, body.CondDeafened):
			r.Note(event.Controllers(id), id, p.Name+" hears nothing of it", rule)
		default:
			r.SetHitPoints(id, p.GetHp(), p.GetHpMax(), max(amount, p.GetHpTemp()), rule)
		}
	}
	return nil
}

// unaware tells whether a creature perceives nothing of what goes on about it, as the
// unconscious and the petrified do.
//
// rcr.base.fifth-edition-fallback
func unaware(c *eventv1.Creature) bool {
	return body.Down(c) || body.Has(c, body.CondUnconscious) || body.Has(c, body.CondPetrified)
}
