package magic

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PotionOf finds a potion of the sheet by its name, used up or not; nil when there
// is none.
func PotionOf(c *eventv1.Creature, name string) *eventv1.CelesiaPotion {
	for _, p := range body.SheetOf(c).Potions {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// PotionNames lists the potions of the sheet, those used up among them.
func PotionNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, p := range body.SheetOf(c).Potions {
		out = append(out, p.Name)
	}
	return out
}

// RefuseBeside: whoever is treated must be beside the healer.
func RefuseBeside(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	if feet, _ := body.Apart(take, c, t); feet > 5 {
		return body.OutOfReach(cite.ActionFirstAid, t, feet)
	}
	return nil
}

// RefuseFirstAid says why first aid cannot be given: not beside the target, pinned,
// or the target is not dying.
func RefuseFirstAid(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := RefuseBeside(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && !mending.Dying(t) {
		return body.Refuse("NOT_DYING", cite.ActionFirstAid, "%s is not dying", t.Name)
	}
	return nil
}

// RefuseStaunch says why no bleeding can be staunched: not beside the target, pinned,
// or the target does not bleed.
//
// celesia.injury.hand-severed
func RefuseStaunch(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := RefuseBeside(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && t.Counters[body.CBleed] < 1 {
		return body.Refuse("NOT_BLEEDING", cite.InjuryHandSevered, "%s does not bleed", t.Name)
	}
	return nil
}

// Treat is the Heal check by which a wound or poison is treated.
//
// celesia.action.first-aid, celesia.dice.dis-broken-tool
func Treat(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, reason string) bool {
	k := body.RollKind{Name: "heal", Broken: spoken.Truth(take.Facts, checks.FactBroken)}
	return strike.RollSkillCheck(r, "treat", c, k, checks.DcOf(take), reason, nil, take.Circumstances, cite.ActionFirstAid).Success()
}

// DoTreatPoison is a Heal check; a success adds what the caller says to the patient's
// next Fortitude save (a reading: poison and its treatment are the skill's).
//
// celesia.action.first-aid
func DoTreatPoison(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !Treat(r, c, take, "treat poison") {
		return nil
	}
	if bonus, _ := spoken.Number(take.Parameters, "bonus"); bonus > 0 {
		for _, x := range r.Creature(body.Target(take)).Conditions { // treated again
			if x.Rule == cite.ActionFirstAid {
				r.RemoveCondition(body.Target(take), x, "treated again", cite.ActionFirstAid)
			}
		}
		r.AddCondition(body.Target(take), &eventv1.Condition{Name: checks.CondAided, Variant: "fortitude", Cause: "treated by " + c.Name,
			Values: map[string]int32{"aid": bonus}, Rule: cite.ActionFirstAid})
	}
	return nil
}

// RefusePotion says why a potion cannot be used: not on the sheet, none left, or the
// creature is pinned.
func RefusePotion(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch p := PotionOf(c, take.Item); {
	case p == nil:
		return body.Nameless("take.item", "potion", c.GetName(), take.Item, PotionNames(s, c))
	case c.Counters[body.CLeft+p.Name] < 1:
		return body.Refuse("NONE_LEFT", cite.ItemDrinkApply, "no %s is left", p.Name)
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// RefuseAdminister: the recipient has to be unconscious and beside the helper.
//
// celesia.action.administer-to-unconscious
func RefuseAdminister(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := RefusePotion(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && !body.Has(t, body.CondUnconscious) {
		return body.Refuse("CONSCIOUS", cite.ActionAdministerToUnconscious, "%s is conscious", t.Name)
	}
	return RefuseBeside(s, c, take)
}
