package movement

import (
	"regexp"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecSmite asks whoever hits in melee whether it expends a slot for radiant damage.
const DecSmite = "divine-smite"

// Orders of a smite besides "no" and the slots.
const (
	SmiteLowest  = "lowest"
	SmiteHighest = "highest"
)

// extra is damage that a trait adds to a hit; plain is not doubled by a critical one.
type extra struct {
	part  *eventv1.RcrDamage
	rule  string
	plain bool
}

// traitDamage is what the traits of an attacker add to a hit, in the order of the book.
//
// rcr.trait.sneak-attack, rcr.trait.divine-smite, rcr.trait.martial-advantage,
// rcr.trait.savage-attacks, rcr.trait.surprise-attack, rcr.trait.charge
func traitDamage(r *rules.Resolution, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts, critical bool) (out []extra) {
	if len(body.SheetOf(attacker).Traits) == 0 && len(body.SheetOf(attacker).Features) == 0 || atk.Spell || len(atk.Damage) == 0 {
		return nil
	}
	kind := atk.Damage[0].Type
	add := func(dice, rule string) {
		out = append(out, extra{part: &eventv1.RcrDamage{Dice: dice, Type: kind}, rule: rule})
	}
	if dice := sneak(r.State(), attacker, target, atk, o); dice != "" {
		body.Came(r, attacker.Id, body.TraitSneakAttack, cite.TraitSneakAttack)
		add(dice, cite.TraitSneakAttack)
	}
	if weapon(atk) && body.HasTrait(attacker, body.TraitMartial) && body.OnceATurn(r.State(), attacker, body.TraitMartial) && body.Beset(r.State(), attacker, target, o.Kind) {
		body.Came(r, attacker.Id, body.TraitMartial, cite.TraitMartialAdvantage)
		add(body.TraitDice(attacker, body.TraitMartial, "2d6"), cite.TraitMartialAdvantage)
	}
	if body.HasTrait(attacker, body.TraitSurpriseAttack) && body.Has(target, body.CondSurprised) && attacker.Marks[body.MOnce+body.TraitSurpriseAttack+"/"+target.Id] == "" {
		r.Mark(attacker.Id, body.MOnce+body.TraitSurpriseAttack+"/"+target.Id, rules.Yes, cite.TraitSurpriseAttack)
		add(body.TraitDice(attacker, body.TraitSurpriseAttack, "2d6"), cite.TraitSurpriseAttack)
	}
	if f := runUp(r.State(), attacker, atk, o); f != nil && f.Dice != "" {
		add(f.Dice, cite.TraitCharge)
		if f.Type != "" {
			out[len(out)-1].part.Type = f.Type
		}
	}
	if d := firstDie.FindString(atk.Damage[0].Dice); critical && d != "" && o.Kind.Melee && weapon(atk) && body.HasTrait(attacker, body.TraitSavageAttacks) {
		out = append(out, extra{part: &eventv1.RcrDamage{Dice: "1" + d, Type: kind}, rule: cite.TraitSavageAttacks, plain: true})
	}
	out = append(out, moreDamage(r, attacker, target, atk, o, critical)...)
	if dice := smite(r, attacker, target, atk, o); dice != "" {
		out = append(out, extra{part: &eventv1.RcrDamage{Dice: dice, Type: "radiant"}, rule: cite.TraitDivineSmite})
	}
	return out
}

var firstDie = regexp.MustCompile(`d[0-9]+`)

// weapon tells whether an attack that is no spell is made with a weapon: not with a bare
// hand, whose blow the sheet may give too.
//
// rcr.base.unarmed-strike
func weapon(a *eventv1.RcrAttack) bool { return !strings.EqualFold(a.Name, body.UnarmedStrike) }

// sneak is the dice of a sneak attack; empty when there is none. Dice that are stated
// with the attack take its place.
//
// rcr.trait.sneak-attack
func sneak(s *eventv1.State, c, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts) string {
	dice := body.Feature(c, body.TraitSneakAttack).GetDice()
	fits := dice != "" && weapon(atk) || checks.Property(atk, "finesse") || atk.ReachFeet == 0
	if level := body.SheetOf(c).Level; dice == "" && level > 0 {
		dice = body.Itoa((level+1)/2) + "d6"
	}
	switch {
	case dice == "" || !fits || o.Stated || !body.HasTrait(c, body.TraitSneakAttack) || !body.OnceATurn(s, c, body.TraitSneakAttack):
		return ""
	case o.Net != nil && *o.Net > 0, o.Net == nil || *o.Net == 0 && body.Beset(s, c, target, o.Kind):
		return dice // whoever cannot defend itself is attacked without a roll
	}
	return ""
}

// smite asks whether a slot is expended for radiant damage, and gives its dice; empty
// for none.
//
// rcr.trait.divine-smite
func smite(r *rules.Resolution, c, target *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts) string {
	const rule = cite.TraitDivineSmite
	if !o.Kind.Melee || !weapon(atk) || !body.HasTrait(c, body.TraitSmite) {
		return ""
	}
	slots := answers.SlotsFor(r.Creature(c.Id), &eventv1.RcrSpell{Level: 1})
	if len(slots) == 0 {
		return ""
	}
	lowest, highest := slots[0], slots[len(slots)-1]
	d := &eventv1.Decision{Name: DecSmite, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, DefaultOption: "no", Rule: rule,
		Cause: "it hits " + target.Name, Question: "Expend a slot for radiant damage?", Options: []*eventv1.DecisionOption{{Id: "no", Text: "No"},
			{Id: SmiteLowest, Text: "The lowest, of level " + body.Itoa(lowest), Rule: rule}, {Id: SmiteHighest, Text: "The highest, of level " + body.Itoa(highest), Rule: rule}}}
	for _, n := range slots {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: slotPrefix + body.Itoa(n), Text: "One of level " + body.Itoa(n), Rule: rule})
	}
	slot := lowest
	switch answer := r.Ask(o.Label+"/smite", d).Option; {
	case answer == "no":
		return ""
	case answer == SmiteHighest:
		slot = highest
	case strings.HasPrefix(answer, slotPrefix):
		slot = int32(body.Atoi(answer[len(slotPrefix):]))
	}
	body.Spend(r, c.Id, body.CSlot+body.Itoa(slot), "divine smite", rule)
	n := min(slot+1, 5)
	if is := strings.ToLower(body.SheetOf(target).CreatureType); strings.HasPrefix(is, "undead") || strings.HasPrefix(is, "fiend") {
		n++
	}
	return body.Itoa(n) + "d8"
}

// runUp is the trait of a creature that has run far enough for this attack; nil for none.
//
// rcr.trait.charge
func runUp(s *eventv1.State, c *eventv1.Creature, atk *eventv1.RcrAttack, o thestrike.AttackOpts) *eventv1.RcrFeature {
	for _, name := range body.Charges {
		f := body.Feature(c, name)
		if f == nil || !o.Kind.Melee || f.Attack != "" && f.Attack != atk.Name || !body.OwnTurn(s, c.Id) || !body.OnceATurn(s, c, name) {
			continue
		}
		feet := int32(c.Counters[body.CStraight])
		if o.Straight != nil {
			feet = *o.Straight
		}
		if feet >= max(f.Feet, 5) {
			return f
		}
	}
	return nil
}

// ranDown is what comes of being run down, after the damage: a saving throw against
// being knocked prone, and another attack for whoever may follow.
//
// rcr.trait.charge
func ranDown(r *rules.Resolution, attacker, target *eventv1.Creature, f *eventv1.RcrFeature, label string) {
	const rule = cite.TraitCharge
	body.Came(r, attacker.Id, strings.ToLower(f.Name), rule)
	if c := r.Creature(target.Id); f.Save != nil && !body.Dead(c) && !body.Has(c, body.CondProne) {
		saved := dice.RollSave(r, label+"/run-down", c, f.Save.Ability, body.EffectDC(attacker, f.Save.Dc), "stay-up", r.Creature(attacker.Id),
			body.SaveOpts{Reason: f.Name, Against: []string{body.CondProne}, Rules: []string{rule}}).Success()
		if !saved {
			body.SetProne(r, target.Id, f.Name, rule)
		}
	}
	if f.Follow != "" && body.Has(r.Creature(target.Id), body.CondProne) && !body.Dead(r.Creature(target.Id)) {
		r.Mark(attacker.Id, body.MRanDown, target.Id, rule)
	}
}

// fed notes what keeps a rage up: an attack on an enemy, damage taken.
//
// rcr.trait.rage
func fed(r *rules.Resolution, ids ...string) {
	for _, id := range ids {
		if c := r.Creature(id); body.Raging(c) && c.Marks[body.MFed] == "" {
			r.Flag(id, body.MFed, true, cite.TraitRage)
		}
	}
}

// CalmDown ends the rage of a creature whose turn ends when nothing kept it up, and
// that of the unconscious.
//
// rcr.trait.rage
func CalmDown(r *rules.Resolution, id string) {
	c := r.Creature(id)
	switch {
	case !body.Raging(c):
	case body.Has(c, body.CondUnconscious):
		dice.EndCondition(r, id, body.CondRaging, "unconscious", cite.TraitRage)
	case c.Marks[body.MFed] == "":
		dice.EndCondition(r, id, body.CondRaging, "it has neither attacked an enemy nor taken damage", cite.TraitRage)
	}
	if c.Marks[body.MFed] != "" {
		r.Flag(id, body.MFed, false, cite.TraitRage)
	}
}

// struck notes an attack of those whose traits ask for that.
//
// rcr.trait.reckless-attack, rcr.trait.rage
func struck(r *rules.Resolution, attacker, target *eventv1.Creature) {
	if body.HasTrait(attacker, body.TraitReckless) && body.OwnTurn(r.State(), attacker.Id) && attacker.Marks[body.MStruck] == "" {
		r.Flag(attacker.Id, body.MStruck, true, cite.TraitRecklessAttack)
	}
	if body.Hostile(attacker, target) {
		fed(r, attacker.Id)
	}
}

// felled notes that an attack in melee has brought a creature down, for those whom that
// drives on.
//
// rcr.trait.rampage
func felled(r *rules.Resolution, attacker *eventv1.Creature, target string, melee, stood bool) {
	c := r.Creature(target)
	if melee && stood && (body.Dead(c) || body.Down(c)) && body.HasTrait(attacker, body.TraitRampage) && body.OwnTurn(r.State(), attacker.Id) {
		r.Flag(attacker.Id, body.MFelled, true, cite.TraitRampage)
	}
}

// fliesBy tells whether a creature provokes nobody by flying.
//
// rcr.trait.flyby
func fliesBy(c *eventv1.Creature, take *eventv1.TakeAction) bool {
	if !body.HasTrait(c, body.TraitFlyby) {
		return false
	}
	flies := spoken.Word(take.GetParameters(), "mode") == "fly"
	switch take.GetAction() {
	case "move":
		return flies || body.Airborne(c) || c.GetSheet().GetSpeeds()["walk"] == 0
	case "use-ready", "legendary":
		return flies
	}
	return take.GetAction() == "dive" || take.GetAction() == "launch"
}

// stillUp tells whether a creature has hit points left, before a blow.
func stillUp(c *eventv1.Creature) bool { return !body.Dead(c) && !body.Down(c) }
