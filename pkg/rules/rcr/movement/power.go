package movement

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// LetPower has a power paid for take effect; to is where its user appears, nil
// for nowhere else.
func LetPower(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower, ids []string, to *eventv1.Position, take *eventv1.TakeAction) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: ids, Item: p.Name, Notes: body.StatedNotes(take)})
	var rolled []*eventv1.DamagePart
	for _, d := range p.Damage {
		rolled = append(rolled, thestrike.RollDamage(r, "power/damage", c.Id, p.Name, d, false))
	}
	healing := int32(0)
	if p.Healing != "" {
		healing = r.Roll(rules.RollSpec{Label: "power/healing", Creature: c.Id, Expression: p.Healing, Reason: "healing of " + p.Name, Rules: []string{body.Fallback}}).Total
	}
	// One use makes one check against wounds, however many it heals.
	facts := body.Also(map[string]string{"via": injuries.ViaAbility}, injuries.MedicineFacts(take, ids[0]))
	for _, id := range ids {
		if check := powerOn(r, r.Creature(c.Id), id, p, rolled, healing, facts, take); check > 0 {
			facts = map[string]string{"via": injuries.ViaAbility, "check": body.Itoa(check)}
		}
	}
	magic.Teleport(r, c.Id, p.Name, p.TeleportFeet, to)
}

// powerOn has a power take effect on one target. It returns how the check
// against wounds that goes with healing came out: 0 for none.
func powerOn(r *rules.Resolution, c *eventv1.Creature, id string, p *eventv1.RcrPower, rolled []*eventv1.DamagePart, healing int32,
	facts map[string]string, take *eventv1.TakeAction) (check int32) {
	target := r.Creature(id)
	saved, save := false, p.Save
	if p.Save != nil {
		cover, _ := body.CoverBehind(r.State(), c, target, take)
		opts := magic.PowerSaveOpts(r, target, p.Save.Ability, cover, take)
		opts.Types, opts.Against = body.TypesOf(p.Damage), body.Laid(p.Effects)
		opts.Magic = spoken.Word(take.GetFacts(), "about") == body.AboutMagic // rcr.trait.magic-resistance
		dc, rule := magic.PowerDC(r.State(), c, p)
		if save = (&eventv1.RcrSave{Ability: p.Save.Ability, Dc: dc, HalfOnSuccess: p.Save.HalfOnSuccess}); rule != "" {
			opts.Rules = append(opts.Rules, rule)
		}
		saved = dice.RollSave(r, "power/save/"+id, target, p.Save.Ability, body.EffectDC(c, dc), thestrike.EffectPurpose(p.Effects), c, opts).Success()
	}
	var parts []*eventv1.DamagePart
	for _, d := range rolled {
		if n := thestrike.AfterSave(target, d, p.Save, saved); n.Rolled > 0 {
			parts = append(parts, n)
		}
	}
	if len(parts) > 0 {
		DamageDeed(r, "power/harm/"+id, target, c, p.Name, parts, false, body.Also(map[string]string{"magical": rules.Yes}, body.WoundFacts(take)))
	}
	if p.Healing != "" {
		check = injuries.CheckOf(healDeed(r, "power/heal/"+id, r.Creature(id), r.Creature(c.Id), p.Name, max(0, healing), facts))
	}
	if !saved {
		layEffects(r, c, target, p.Name, p.Effects, save)
	}
	return check
}
