package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// checkOpts are what a check is made with besides the creature's own numbers.
type checkOpts struct {
	// edges and modifiers besides those that the creature's state gives.
	edges     []*eventv1.Edge
	modifiers []*eventv1.Modifier
	// audience of the roll; nil means everyone.
	audience *eventv1.Audience
	// reason in words; empty means the skill's name.
	reason string
	// noFudge: inspiration cannot be spent on a failure.
	noFudge bool
	// unsaid: the roll does not show what it must reach.
	unsaid bool
	// inspiration is spent for advantage.
	inspiration bool
	// judge as in rules.RollSpec; nil for success and failure.
	judge func(natural, total int32) (string, int32)
	// kinds renames kinds of sources: two given one name count once.
	kinds map[string]string
	// rules behind the check.
	rules []string
}

// saveOpts are what a saving throw is made with besides the creature's own numbers.
type saveOpts struct {
	edges     []*eventv1.Edge
	modifiers []*eventv1.Modifier
	// kinds as of a check.
	kinds    map[string]string
	audience *eventv1.Audience
	reason   string
	rules    []string
}

// rollCheck makes a check of a skill, a tool or a bare ability against a DC (0
// for none). A check that fails by itself is not rolled.
func rollCheck(r *rules.Resolution, label string, c *eventv1.Creature, skill string, dc int32, purpose string, o checkOpts) rules.Rolled {
	if o.reason == "" {
		o.reason = skill + " check"
	}
	if rule, fails := autoFailCheck(c, skill, purpose); fails {
		r.Note(audienceOr(o.audience), c.Id, o.reason+" fails without a roll", rule)
		return rules.Rolled{Outcome: "failure", Audience: audienceOr(o.audience)}
	}
	o.edges = slices.Concat(o.edges, spendHeld(r, c, forCheck), useHelp(r, c, skill))
	if o.inspiration && r.Count(c.Id, cInspiration) > 0 {
		r.Set(c.Id, cInspiration, 0, "advantage on a check", cite.BaseInspirationHeld)
		o.edges = append(o.edges, adv("inspiration", "inspiration", cite.BaseInspirationHeld))
	}
	ability := skillAbility[skill]
	if ability == "" {
		ability = skill // a bare ability; a tool goes by what the caller's purpose says
	}
	bonus, _ := skillBonus(c, skill)
	d := d20{label: label, creature: c, reason: o.reason, audience: o.audience, judge: o.judge, rules: o.rules,
		modifiers: append([]*eventv1.Modifier{mod(bonus, skill, "")}, o.modifiers...),
		edges:     merged(append(checkEdges(r.State(), c, ability, skill, purpose), o.edges...), o.kinds)}
	d.modifiers = append(d.modifiers, changeMods(r, label, c, o.audience, checkKinds(ability, purpose)...)...)
	d.point, d.env = pointCheck+"/"+skill, effects.Env{State: r.State(), Actor: c, Roll: effects.Roll{Point: pointCheck + "/" + skill}}
	d.modifiers = append(d.modifiers, houseMods(r, label, c, o.audience, d.point, d.env)...)
	d.edges = append(d.edges, houseEdges(r, c, d.point, d.env)...)
	switch {
	case dc > 0 && o.unsaid:
		d.judge = reaching(dc)
	case dc > 0:
		d.target = difficulty(dc)
	}
	rolled := d.roll(r)
	useUp(r, c.Id, checkKinds(ability, purpose)...)
	if !o.noFudge && dc > 0 && !rolled.Success() {
		rolled = fudgeRoll(r, label, c, dc, rolled, o.audience, o.unsaid)
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

// fudge offers inspiration after a failed check: a d4 added to it. After a roll
// that only the game master sees nothing is offered: that would tell of it.
//
// rcr.dice.inspiration-fudge
func fudge(r *rules.Resolution, label string, c *eventv1.Creature, dc int32, failed rules.Rolled, audience *eventv1.Audience) rules.Rolled {
	return fudgeRoll(r, label, c, dc, failed, audience, false)
}

// unseen tells whether a roll is hidden from those who would be asked about it:
// the question would tell how it came out.
func unseen(c *eventv1.Creature, rolled rules.Rolled) bool {
	return rolled.Audience.GetKind() == eventv1.Audience_KIND_GM && len(c.Controllers) > 0
}

func fudgeRoll(r *rules.Resolution, label string, c *eventv1.Creature, dc int32, failed rules.Rolled, audience *eventv1.Audience, unsaid bool) rules.Rolled {
	const rule = cite.DiceInspirationFudge
	if !r.On(rule) || r.Count(c.Id, cInspiration) == 0 || unseen(c, failed) {
		return failed
	}
	d := rules.YesNo("inspiration-fudge", c.Id, "the roll failed", "Spend inspiration to add a d4 to the failed roll?", "no", rule)
	if r.Ask(label+"/fudge", d).Option != "yes" {
		return failed
	}
	r.Set(c.Id, cInspiration, 0, "spent on a failed roll", rule)
	before := failed.Total
	spec := rules.RollSpec{Label: label + "/fudge", Creature: c.Id, Expression: "1d4", Reason: "inspiration", Audience: audience,
		Modifiers: []*eventv1.Modifier{mod(before, "the failed roll", rule)}, Judge: reaching(dc), Rules: []string{rule}}
	if !unsaid {
		spec.Target = difficulty(dc)
	}
	d4 := r.Roll(spec)
	failed.Total, failed.Outcome, failed.Audience = d4.Total, d4.Outcome, narrower(failed.Audience, d4.Audience)
	return failed
}

// rollSave makes a saving throw. One that fails by itself is not rolled.
func rollSave(r *rules.Resolution, label string, c *eventv1.Creature, ability string, dc int32, purpose string, source *eventv1.Creature, o saveOpts) rules.Rolled {
	if o.reason == "" {
		o.reason = ability + " saving throw"
	}
	if rule, fails := autoFailSave(c, ability); fails {
		r.Note(audienceOr(o.audience), c.Id, o.reason+" fails without a roll", rule)
		return resists(r, label, c, rules.Rolled{Outcome: "failure", Audience: audienceOr(o.audience)})
	}
	env := effects.Env{State: r.State(), Actor: source, Target: c, Roll: effects.Roll{Point: pointSave + "/" + ability}}
	rolled := d20{label: label, creature: c, reason: o.reason, audience: o.audience, rules: o.rules, point: pointSave + "/" + ability, env: env,
		modifiers: slices.Concat([]*eventv1.Modifier{mod(saveBonus(c, ability), ability+" save", "")}, o.modifiers,
			changeMods(r, label, c, o.audience, saveKinds(ability)...), houseMods(r, label, c, o.audience, pointSave+"/"+ability, env)),
		edges: merged(slices.Concat(saveEdges(r.State(), c, ability, purpose, source), o.edges, houseEdges(r, c, pointSave+"/"+ability, env),
			spendHeld(r, c, forSave)), o.kinds),
		target: difficulty(dc)}.roll(r)
	useUp(r, c.Id, saveKinds(ability)...)
	if r.On(setFudgeAnyRoll) && !rolled.Success() {
		rolled = fudge(r, label, c, dc, rolled, o.audience)
	}
	if !rolled.Success() {
		rolled = resists(r, label, c, rolled)
	}
	return rolled
}

// mInspired is on a creature that has set its inspiration on a roll to come:
// "any" for the next attack, check or saving throw, or the one kind it is for.
const mInspired = "inspired"

// Kinds of rolls that inspiration can be set on.
const (
	forAttack     = "attack"
	forCheck      = "check"
	forSave       = "save"
	forInitiative = "initiative"
	// anyRoll is the next of them, initiative apart.
	anyRoll = "any"
)

// spendHeld takes the inspiration set on a roll of this kind and gives its
// advantage. Initiative, which comes by itself, must be named.
//
// rcr.base.inspiration-held
func spendHeld(r *rules.Resolution, c *eventv1.Creature, kind string) []*eventv1.Edge {
	if set := r.Creature(c.Id).GetMarks()[mInspired]; set != kind && (set != anyRoll || kind == forInitiative) {
		return nil
	}
	r.Mark(c.Id, mInspired, "", cite.BaseInspirationHeld)
	if r.Count(c.Id, cInspiration) < 1 {
		return nil
	}
	r.Set(c.Id, cInspiration, 0, "advantage", cite.BaseInspirationHeld)
	return []*eventv1.Edge{adv("inspiration", "inspiration", cite.BaseInspirationHeld)}
}

func audienceOr(a *eventv1.Audience) *eventv1.Audience {
	if a == nil {
		return everyone
	}
	return a
}

// everyone is the audience of all viewers.
var everyone = &eventv1.Audience{Kind: eventv1.Audience_KIND_EVERYONE}

// setProne puts a creature on the ground: crouching ends, since the two exclude
// each other.
//
// rcr.condition.crouching-definition
func setProne(r *rules.Resolution, id, cause, rule string) {
	c := r.Creature(id)
	if c == nil || has(c, condProne) || named(sheetOf(c).ConditionImmunities, condProne) {
		return
	}
	endCrouch(r, id)
	r.AddCondition(id, &eventv1.Condition{Name: condProne, Cause: cause, Rule: rule})
}

// endCrouch ends the crouching of whoever lies.
//
// rcr.condition.crouching-definition
func endCrouch(r *rules.Resolution, id string) {
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name == condCrouching {
			r.RemoveCondition(id, x, "prone", cite.ConditionCrouchingDefinition)
		}
	}
}

// concentrationSave makes the saving throw that damage asks of a creature that
// concentrates; on a failure the concentration ends. What it must reach tells the
// damage taken, so that its owner alone sees the roll.
//
// rcr.hp.secret-totals
// rcr.condition.deafened-concentration
func concentrationSave(r *rules.Resolution, c *eventv1.Creature, dc int32) {
	spell := concentration(r.Creature(c.Id))
	if spell == "" || dc <= 0 {
		return
	}
	saved := rollSave(r, "concentration/"+c.Id, r.Creature(c.Id), "constitution", dc, "concentration", nil,
		saveOpts{audience: event.Controllers(c.Id), reason: "keep concentration on " + spell, rules: []string{cite.BaseFifthEditionFallback}})
	if !saved.Success() {
		endConcentration(r, c.Id, "concentration lost")
	}
}

// concentration is the spell that a creature concentrates on; empty for none.
func concentration(c *eventv1.Creature) string { return condition(c, condConcentrating).GetVariant() }

// concentrate begins a creature's concentration on a spell.
func concentrate(r *rules.Resolution, id, spell string) {
	if concentration(r.Creature(id)) == spell {
		return
	}
	r.AddCondition(id, &eventv1.Condition{Id: condConcentrating, Name: condConcentrating, Variant: spell, Rule: cite.BaseFifthEditionFallback})
}

// endCondition takes every condition of a name off a creature.
func endCondition(r *rules.Resolution, id, name, cause, rule string) {
	for _, x := range slices.Clone(r.Creature(id).GetConditions()) {
		if x.Name == name {
			r.RemoveCondition(id, x, cause, rule)
		}
	}
}

// endConcentration ends what a creature concentrates on and every condition
// that hangs on it.
func endConcentration(r *rules.Resolution, id, cause string) {
	spell := concentration(r.Creature(id))
	if spell == "" {
		return
	}
	endCondition(r, id, condConcentrating, cause, cite.BaseFifthEditionFallback)
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(other).Conditions) {
			if x.Source == id && x.Cause == spell {
				r.RemoveCondition(other, x, cause)
			}
		}
	}
	if what, item := readied(r.Creature(id)); what == readyCast && item == spell {
		r.EndBegun(id, begunReadied, cause, cite.BaseFifthEditionFallback)
	}
}
