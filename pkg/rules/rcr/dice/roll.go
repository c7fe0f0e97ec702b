package dice

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RollCheck makes a check of a skill, a tool or a bare ability against a DC (0
// for none). A check that fails by itself is not rolled.
func RollCheck(r *rules.Resolution, label string, c *eventv1.Creature, skill string, dc int32, purpose string, o body.CheckOpts) rules.Rolled {
	if o.Reason == "" {
		o.Reason = skill + " check"
	}
	if len(o.Rules) == 0 {
		o.Rules = []string{body.Fallback}
	}
	if rule, fails := AutoFailCheck(r.State(), c, purpose, o.Water); fails {
		r.Note(AudienceOr(o.Audience), c.Id, o.Reason+" fails without a roll", rule)
		return rules.Rolled{Outcome: "failure", Audience: AudienceOr(o.Audience)}
	}
	if purpose == "" || purpose == "sight" {
		o.Dim = o.Dim || body.HardToSee(r.State(), c, o.Water) != body.LightBright
	}
	o.Edges = slices.Concat(o.Edges, SpendHeld(r, c, body.ForCheck), UseHelp(r, c, skill))
	if o.Inspiration && r.Count(c.Id, body.CInspiration) > 0 {
		r.Set(c.Id, body.CInspiration, 0, "advantage on a check", cite.BaseInspirationHeld)
		o.Edges = append(o.Edges, Adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	ability := body.SkillAbility[skill]
	if ability == "" {
		ability = skill // a bare ability; a tool goes by what the caller's purpose says
	}
	bonus, _ := body.SkillBonus(c, skill)
	d := D20{Label: label, Creature: c, Reason: o.Reason, Audience: o.Audience, Judge: o.Judge, Rules: o.Rules,
		Modifiers: append([]*eventv1.Modifier{body.Mod(bonus, skill, body.Fallback)}, o.Modifiers...),
		Edges:     Merged(append(CheckEdgesOf(r.State(), c, body.Asked{Ability: ability, Skill: skill, Purpose: purpose, Kit: o.Kit, Water: o.Water}), o.Edges...), o.Kinds)}
	d.Modifiers = append(d.Modifiers, ChangeMods(r, label, c, o.Audience, CheckKinds(ability, purpose)...)...)
	d = d.By(r, house.PointCheck+"/"+skill, effects.Env{Actor: c})
	d.Edges = append(d.Edges, checkFeats(r.State(), c, skill, o)...)
	switch {
	case o.Unsaid: // then it has one
		d.Judge = reaching(dc)
	case dc > 0:
		d.Target = Difficulty(dc)
	}
	rolled := d.Roll(r)
	UseUp(r, c.Id, CheckKinds(ability, purpose)...)
	if dc > 0 && !rolled.Success() {
		rolled = FudgeRoll(r, label, c, dc, rolled, o.Audience, o.Unsaid)
	}
	return rolled
}

// reaching judges a roll by what it must reach without showing it.
func reaching(dc int32) func(natural, total int32) (string, int32) {
	return func(_, total int32) (string, int32) {
		if total >= dc {
			return "success", 0
		}
		return "failure", 0
	}
}

// Fudge offers inspiration after a failed check: a d4 added to it. After a roll
// that only the game master sees nothing is offered: that would tell of it.
//
// rcr.dice.inspiration-fudge
func Fudge(r *rules.Resolution, label string, c *eventv1.Creature, dc int32, failed rules.Rolled, audience *eventv1.Audience) rules.Rolled {
	return FudgeRoll(r, label, c, dc, failed, audience, false)
}

// Unseen tells whether a roll is hidden from those who would be asked about it:
// the question would tell how it came out.
func Unseen(c *eventv1.Creature, rolled rules.Rolled) bool {
	return rolled.Audience.GetKind() == eventv1.Audience_KIND_GM && len(c.Controllers) > 0
}

// FudgeRoll offers inspiration after a failed roll against a DC, as Fudge does;
// unsaid keeps the DC out of the roll that is shown.
func FudgeRoll(r *rules.Resolution, label string, c *eventv1.Creature, dc int32, failed rules.Rolled, audience *eventv1.Audience, unsaid bool) rules.Rolled {
	const rule = cite.DiceInspirationFudge
	if !r.On(rule) || r.Count(c.Id, body.CInspiration) == 0 || Unseen(c, failed) {
		return failed
	}
	d := rules.YesNo("inspiration-fudge", c.Id, "the roll failed", "Spend inspiration to add a d4 to the failed roll?", "no", rule)
	if r.Ask(label+"/fudge", d).Option != "yes" {
		return failed
	}
	r.Set(c.Id, body.CInspiration, 0, "spent on a failed roll", rule)
	before := failed.Total
	spec := rules.RollSpec{Label: label + "/fudge", Creature: c.Id, Expression: "1d4", Reason: "inspiration", Audience: audience,
		Modifiers: []*eventv1.Modifier{body.Mod(before, "the failed roll", rule)}, Judge: reaching(dc), Rules: []string{rule}}
	if !unsaid {
		spec.Target = Difficulty(dc)
	}
	d4 := r.Roll(spec)
	failed.Total, failed.Outcome, failed.Audience = d4.Total, d4.Outcome, Narrower(failed.Audience, d4.Audience)
	return failed
}

// RollSave makes a saving throw. One that fails by itself is not rolled.
func RollSave(r *rules.Resolution, label string, c *eventv1.Creature, ability string, dc int32, purpose string, source *eventv1.Creature, o body.SaveOpts) rules.Rolled {
	if o.Reason == "" {
		o.Reason = ability + " saving throw"
	}
	if len(o.Rules) == 0 {
		o.Rules = []string{body.Fallback}
	}
	if rule, fails := AutoFailSave(c, ability); fails {
		r.Note(AudienceOr(o.Audience), c.Id, o.Reason+" fails without a roll", rule)
		failed := resists(r, label, c, rules.Rolled{Outcome: "failure", Audience: AudienceOr(o.Audience)})
		saved(r, label, c, source, savePoint(ability, purpose), failed)
		return failed
	}
	point := savePoint(ability, purpose)
	env := effects.Env{State: r.State(), Actor: source, Target: c, Roll: effects.Roll{Point: point}}
	rolled := D20{Label: label, Creature: c, Reason: o.Reason, Audience: o.Audience, Rules: o.Rules, Point: point, Env: env,
		Modifiers: slices.Concat([]*eventv1.Modifier{body.Mod(body.SaveBonus(c, ability), ability+" save", body.Fallback)}, o.Modifiers,
			ChangeMods(r, label, c, o.Audience, SaveKinds(ability)...), house.Mods(r, label, c, o.Audience, point, env)),
		Edges: Merged(slices.Concat(SaveEdgesOf(r.State(), c, source, body.Asked{Ability: ability, Purpose: purpose, Types: o.Types, Against: o.Against, Magic: o.Magic, Water: o.Water}), o.Edges, house.Edges(r, c, point, env), saveFeats(r.State(), c, o),
			SpendHeld(r, c, body.ForSave)), o.Kinds),
		Target: Difficulty(dc)}.Roll(r)
	UseUp(r, c.Id, SaveKinds(ability)...)
	if r.On(body.SetFudgeAnyRoll) && !rolled.Success() {
		rolled = Fudge(r, label, c, dc, rolled, o.Audience)
	}
	if !rolled.Success() {
		rolled = resists(r, label, c, rolled)
	}
	saved(r, label, c, source, point, rolled)
	return rolled
}

// savePoint is the point at which content changes a saving throw: that of its
// ability, and under it what it is about where content can tell that apart.
func savePoint(ability, purpose string) string {
	if purpose == body.PurposeConcentration {
		return house.PointSave + "/" + ability + "/" + purpose
	}
	return house.PointSave + "/" + ability
}

// saved lets content have its say when a saving throw was made or failed.
func saved(r *rules.Resolution, label string, c, source *eventv1.Creature, point string, rolled rules.Rolled) {
	if r.Content() == nil {
		return
	}
	trigger := effects.TriggerSaveFailed
	if rolled.Success() {
		trigger = effects.TriggerSavePassed
	}
	c = r.Creature(c.Id)
	body.Happen(r, label, c, trigger, effects.Env{Actor: source, Target: c,
		Roll: effects.Roll{Point: point, Natural: rolled.Natural, Total: rolled.Total, Success: rolled.Success()}})
}

// SpendHeld takes the inspiration set on a roll of this kind and gives its
// advantage. Initiative, which comes by itself, must be named.
//
// rcr.base.inspiration-held
func SpendHeld(r *rules.Resolution, c *eventv1.Creature, kind string) []*eventv1.Edge {
	if set := r.Creature(c.Id).GetMarks()[body.MInspired]; set != kind && (set != body.AnyRoll || kind == body.ForInitiative) {
		return nil
	}
	r.Mark(c.Id, body.MInspired, "", cite.BaseInspirationHeld)
	if r.Count(c.Id, body.CInspiration) < 1 {
		return nil
	}
	r.Set(c.Id, body.CInspiration, 0, "advantage", cite.BaseInspirationHeld)
	return []*eventv1.Edge{Adv("inspiration", "inspiration", cite.BaseInspirationHeld)}
}

// AudienceOr is an audience, or everyone when none is set.
func AudienceOr(a *eventv1.Audience) *eventv1.Audience {
	if a == nil {
		return Everyone
	}
	return a
}

// Everyone is the audience of all viewers.
var Everyone = &eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}

// ConcentrationSave makes the saving throw that damage asks of a creature that
// concentrates; on a failure the concentration ends. What it must reach tells the
// damage taken, so that its owner alone sees the roll.
//
// rcr.hp.secret-totals
// rcr.condition.deafened-concentration
// rcr.feat.mage-slayer-concentration
func ConcentrationSave(r *rules.Resolution, c, by *eventv1.Creature, dc int32, edges ...*eventv1.Edge) {
	spell := body.Concentration(r.Creature(c.Id))
	if spell == "" || dc <= 0 {
		return
	}
	edges = slices.Clone(edges)
	if body.Feat(r.State(), by, body.FeatMageSlayer, cite.FeatMageSlayerConcentration) {
		edges = append(edges, Dis("mage slayer", "hurt by "+by.Name, cite.FeatMageSlayerConcentration))
	}
	saved := RollSave(r, "concentration/"+c.Id, r.Creature(c.Id), "constitution", dc, "concentration", nil,
		body.SaveOpts{Edges: edges, Audience: event.Controllers(c.Id), Reason: "keep concentration on " + spell, Rules: []string{cite.BaseFifthEditionFallback}})
	if !saved.Success() {
		EndConcentration(r, c.Id, "concentration lost")
	}
}

// Concentrate begins a creature's concentration on a spell.
func Concentrate(r *rules.Resolution, id, spell string) {
	if body.Concentration(r.Creature(id)) == spell {
		return
	}
	r.AddCondition(id, &eventv1.Condition{Id: body.CondConcentrating, Name: body.CondConcentrating, Variant: spell, Rule: cite.BaseFifthEditionFallback})
}

// EndCondition takes every condition of a name off a creature.
func EndCondition(r *rules.Resolution, id, name, cause, rule string) {
	for _, x := range r.Creature(id).GetConditions() {
		if x.Name == name {
			r.RemoveCondition(id, x, cause, rule)
		}
	}
}

// EndConcentration ends what a creature concentrates on and every condition
// that hangs on it.
func EndConcentration(r *rules.Resolution, id, cause string) {
	spell := body.Concentration(r.Creature(id))
	if spell == "" {
		return
	}
	EndCondition(r, id, body.CondConcentrating, cause, cite.BaseFifthEditionFallback)
	for _, other := range r.CreatureIDs() {
		for _, x := range r.Creature(other).Conditions {
			if x.Source == id && x.Cause == spell {
				r.RemoveCondition(other, x, cause)
			}
		}
	}
	if what, item := Readied(r.Creature(id)); what == ReadyCast && item == spell {
		r.EndBegun(id, body.BegunReadied, cause, cite.BaseFifthEditionFallback)
	}
}
