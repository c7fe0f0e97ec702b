package movement

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	theanswers "github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Names of decisions of feats.
const (
	// DecGuard asks a sentinel whether it strikes at who attacks another.
	DecGuard = "guard"
	// DecSlay asks a mage slayer whether it strikes at a caster.
	DecSlay = "mage-slayer"
	// DecShift asks a crusher where it shifts whom it has hit.
	DecShift = "shift"
)

// reactors asks those with a feat who may strike at a creature within their reach, as is
// stated or else as is measured, whether they do, and with what; each that does pays its
// reaction. The attack is none of opportunity. It gives the damage of each that hits.
func reactors(r *rules.Resolution, at, decision, feat, rule, cause string, stated []string, besides ...string) (hits []int32) {
	asked, labels := map[string]*eventv1.Decision{}, []string(nil)
	for _, id := range r.CreatureIDs() {
		e := r.Creature(id)
		near := slices.Contains(stated, id)
		if stated == nil {
			near = theanswers.WithinReach(e, r.Creature(at))
		}
		if !near || slices.Contains(besides, id) || !body.Feat(r.State(), e, feat, rule) || !theanswers.MayOpportunity(r.State(), id, at) {
			continue
		}
		d := theanswers.OpportunityDecision(r.State(), id, at, checks.Trigger(cause), rule)
		d.Name = decision
		asked[decision+"/"+id], labels = d, append(labels, decision+"/"+id)
	}
	if len(labels) == 0 {
		return nil
	}
	answers := r.AskAll(asked, labels)
	for _, label := range labels {
		id := asked[label].Creature
		atk := checks.AttackOf(r.Creature(id), answers[label].Option)
		if atk == nil || body.Down(r.Creature(at)) || !theanswers.MayOpportunity(r.State(), id, at) {
			continue
		}
		before := body.HitPointsLeft(r.Creature(at))
		if reacts(r, id, at, label, rule, atk) {
			hits = append(hits, max(0, before-body.HitPointsLeft(r.Creature(at))))
		}
	}
	return hits
}

// reacts makes one attack as a reaction.
func reacts(r *rules.Resolution, id, at, label, rule string, atk *eventv1.RcrAttack) bool {
	body.Spend(r, id, body.CReaction, "reaction", rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: "reaction-attack", Targets: []string{at}, Item: atk.Name}, rule)
	if body.Limited(atk.Usage) {
		body.Spend(r, id, body.UsesOf(atk.Name, atk.Usage), "used")
	}
	feet, known := body.Distance(r.Creature(id), r.Creature(at))
	if !known {
		feet = -1
	}
	return MakeAttack(r, r.Creature(id), r.Creature(at), atk, thestrike.AttackOpts{Label: label, Kind: body.AttackKind{Melee: true, Distance: feet}, Rules: []string{rule}})
}

// guard gives sentinels their reaction when somebody within their reach attacks
// another than themselves.
//
// rcr.feat.sentinel-guard
func guard(r *rules.Resolution, attacker, target string, stated []string) {
	if body.Dead(r.Creature(attacker)) {
		return
	}
	reactors(r, attacker, DecGuard, body.FeatSentinel, cite.FeatSentinelGuard, "attacks another within its reach", stated, target, attacker)
}

// slain gives mage slayers their reaction when a creature within their reach casts a
// spell, and tells whether the spell comes to nothing by it: each hit asks for a check of
// concentration by its own damage. Neither slot nor use is spent then.
//
// rcr.feat.mage-slayer-reaction, rcr.feat.mage-slayer-interrupt
func (k *Casting) slain() bool {
	hits := reactors(k.R, k.Id, DecSlay, body.FeatMageSlayer, cite.FeatMageSlayerReaction, "casts a spell within its reach", checks.StatedIDs(k.Take.Facts, "threatened_by"), k.Id)
	c := k.R.Creature(k.Id)
	switch {
	case body.Incapacitated(c):
		k.R.Note(event.Everyone(), k.Id, k.Sp.Name+" is not cast: the slot is kept", cite.FeatMageSlayerReaction)
		return true
	case !body.InForce(k.R.State(), cite.FeatMageSlayerInterrupt):
		return false
	}
	label := "interrupt/" + k.Id
	for i, damage := range hits {
		if i > 0 {
			label = "interrupt/" + k.Id + "/" + body.Itoa(i+1)
		}
		kept := dice.RollSave(k.R, label, k.R.Creature(k.Id), "constitution", max(10, damage/2), body.PurposeConcentration, nil,
			body.SaveOpts{Reason: "go on with " + k.Sp.Name, Rules: []string{cite.FeatMageSlayerInterrupt}})
		if !kept.Success() {
			k.R.Note(event.Everyone(), k.Id, k.Sp.Name+" fails: the slot is kept", cite.FeatMageSlayerInterrupt)
			return true
		}
	}
	return false
}

// shift lets a crusher move whom it has hit with bludgeoning damage up to 10 feet, once
// a turn, unless that is more than one size larger.
//
// rcr.feat.crusher-move
func shift(r *rules.Resolution, attacker, target string, atk *eventv1.RcrAttack, o thestrike.AttackOpts) {
	const rule = cite.FeatCrusherMove
	c, e := r.Creature(attacker), r.Creature(target)
	turn := body.Itoa(r.State().Round) + "/" + strings.Join(r.State().Active, ",")
	parts := o.Damage
	if parts == nil {
		parts = atk.Damage
	}
	if !body.Feat(r.State(), c, body.FeatCrusher, rule) || !slices.Contains(thestrike.TypesOf(parts), "bludgeoning") || body.Dead(e) || larger(e, c) > 1 || c.Marks[body.MShifted] == turn {
		return
	}
	d := &eventv1.Decision{Name: DecShift, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: attacker, Cause: "a crushing hit",
		Question: "Shift " + e.Name + "?", DefaultOption: "stay", Rule: rule, Against: []string{target}, Options: []*eventv1.DecisionOption{{Id: "stay", Text: "Leave it there"}}}
	places := map[string]*eventv1.Position{}
	if e.Position == nil {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: "10 feet", Text: "10 feet"})
	}
	for _, way := range compass {
		for feet := int32(5); e.Position != nil && way.id != "stay" && feet <= 10; feet += 5 {
			to := &eventv1.Position{X: e.Position.X + way.x/5*feet, Y: e.Position.Y + way.y/5*feet, Z: e.Position.Z}
			if id := way.id + " " + strconv.Itoa(int(feet)); thestrike.SpaceFree(r.State(), e, to) {
				d.Options, places[id] = append(d.Options, &eventv1.DecisionOption{Id: id, Text: way.text + ", " + strconv.Itoa(int(feet)) + " feet"}), to
			}
		}
	}
	answer := r.Ask(o.Label+"/shift", d).Option
	if answer == "stay" {
		return
	}
	r.Mark(attacker, body.MShifted, turn, rule)
	to := places[answer]
	if to == nil {
		r.Note(event.Everyone(), target, e.Name+" is shifted 10 feet", rule)
		return
	}
	feet, _ := strconv.Atoi(answer[strings.LastIndexByte(answer, ' ')+1:])
	r.Move(&eventv1.Moved{Creature: target, To: to, Mode: "push", Feet: int32(feet)}, rule)
	body.EndDistantGrapples(r, target)
}

// spellPrefix begins the options of a war caster's spells at who provokes it.
const spellPrefix = "cast/"

// spellsAt are the spells that a war caster may cast at who provokes it by moving, as
// options: of a casting time of an action, with that one target.
//
// rcr.feat.war-caster-oa-spell
func spellsAt(r *rules.Resolution, caster, at string, why checks.Trigger) (out []*eventv1.DecisionOption) {
	const rule = cite.FeatWarCasterOaSpell
	c := r.Creature(caster)
	if !body.Feat(r.State(), c, body.FeatWarCaster, rule) || !slices.Contains([]checks.Trigger{onEnterSpace, onLeave, onCrawl}, why) {
		return nil
	}
	for _, sp := range body.SheetOf(c).Spells {
		one := sp.Targets <= 1 && r.Content().Area(sp.Use) == nil && !thestrike.SelfSpell(r.Content(), sp) && !sp.WeaponAttack
		if !one || sp.CastingTime != "" && sp.CastingTime != "action" || theanswers.RefuseMeans(r.State(), c, sp) != nil ||
			theanswers.RefuseSpellTarget(r.Content(), r.State(), c, r.Creature(at), sp, nil) != nil {
			continue
		}
		out = append(out, &eventv1.DecisionOption{Id: spellPrefix + sp.Name, Text: "Cast " + sp.Name, Rule: rule})
	}
	return out
}

// castAt casts a war caster's spell in place of its opportunity attack.
//
// rcr.feat.war-caster-oa-spell
func castAt(r *rules.Resolution, caster, at, spell string) {
	c := r.Creature(caster)
	take := &eventv1.TakeAction{Creature: caster, Action: "opportunity-spell", Item: spell, Targets: []string{at}}
	k := &Casting{R: r, Id: caster, Sp: theanswers.SpellOf(c, spell), Take: take, Aside: true}
	if k.Sp == nil || k.Choose(c) != nil || k.Aim(r.Content(), r.State(), c) != nil {
		return
	}
	body.Spend(r, caster, body.CReaction, "spell in place of an opportunity attack", cite.FeatWarCasterOaSpell)
	k.Carry(c)
}
