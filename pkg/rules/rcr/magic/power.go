package magic

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// PayPower pays for a power: its time, as a bonus action, a reaction, a part of a
// multiattack or the action, and its uses.
func PayPower(r *rules.Resolution, c *eventv1.Creature, p *eventv1.RcrPower) {
	switch {
	case p.Cost == "bonus":
		body.Spend(r, c.Id, body.CBonus, p.Name)
	case p.Cost == "reaction":
		body.Spend(r, c.Id, body.CReaction, p.Name)
	case p.Cost == "free":
	case c.Counters[body.CMulti+p.Name] > 0:
		body.Spend(r, c.Id, body.CMulti+p.Name, p.Name)
	case strike.WayWith(c, p.Name, "") != nil:
		strike.PayAttack(r, c, p.Name, "")
	default:
		body.Spend(r, c.Id, body.CAction, p.Name)
	}
	answers.PayUses(r, c, p)
}

// PowerDC is the difficulty that a power gives its saving throw, 0 for the spell DC, and
// the rule that says so; empty for that of the sheet. That of a martial adept's
// manoeuvre is the weapon DC: of a sheet that gives none, 8, the proficiency bonus and
// the better of Strength and Dexterity.
//
// rcr.feat.martial-adept-dc
func PowerDC(s *eventv1.State, c *eventv1.Creature, p *eventv1.RcrPower) (dc int32, rule string) {
	f := body.ChosenFeat(body.SheetOf(c), body.FeatMartialAdept)
	if p.Save.Dc != 0 || f == nil || !body.Named(f.Picks, p.Name) || !body.InForce(s, cite.FeatMartialAdeptDc) {
		return p.Save.Dc, ""
	}
	if dc := body.SheetOf(c).WeaponDc; dc > 0 {
		return dc, cite.FeatMartialAdeptDc
	}
	return 8 + body.SheetOf(c).ProficiencyBonus + max(body.AbilityMod(c, "strength"), body.AbilityMod(c, "dexterity")), cite.FeatMartialAdeptDc
}

// PowerSaveOpts is what the situation adds to a target's saving throw: stated
// circumstances, and for Dexterity its cover.
//
// rcr.base.half-cover
func PowerSaveOpts(r *rules.Resolution, target *eventv1.Creature, ability, cover string, take *eventv1.TakeAction) body.SaveOpts {
	edges, mods := body.StatedEdges(take.Circumstances, target.Id)
	return body.SaveOpts{About: body.AboutTrap(body.WoundFacts(take)), Water: body.SaidOfWater(take.Facts), Edges: edges, Kinds: body.Renamed(take.Facts, "kinds"), Modifiers: append(mods, body.CoverMods(r.State(), target, ability, cover)...)}
}
