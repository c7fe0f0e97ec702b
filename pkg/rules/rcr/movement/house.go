package movement

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func init() { // not in the declaration: what it does may set off more
	body.Hands = house.Hands{Out: body.Dead, Damage: houseDamage, Save: houseSave, Heal: houseHeal, Temporary: houseTemporary, Lay: houseLay,
		Counter: func(resource string) string { return body.CLeft + resource }, Hooks: theHooks()}
}

func houseDamage(r *rules.Resolution, x house.Come) {
	part := thestrike.RollDamage(r, x.Label, x.Bearer, x.Title, &eventv1.RcrDamage{Dice: house.DiceAnd(x.Dice, x.Amount), Type: x.Type}, false)
	if x.Halved {
		rules.Factor(part, 1, 2, 0, "saving throw made", x.Rule)
	}
	part.Rule = x.Rule
	DamageDeed(r, x.Label+"/harm", x.Target, x.Source, x.Title, []*eventv1.DamagePart{part}, false,
		map[string]string{"magical": rules.Yes}) // never critical: rcr.injury.wound-on-critical
}

func houseSave(r *rules.Resolution, x house.Come) bool {
	return thedice.RollSave(r, x.Label+"/save", x.Target, x.Save, x.DC, "", x.Source,
		body.SaveOpts{Types: typesOf(x.Happening), Reason: x.Title + ": " + x.Save + " saving throw", Rules: house.Cited(x.Cite)}).Success()
}

// typesOf are the types of damage that a saving throw of content is against.
func typesOf(h effects.Happening) []string {
	var out []string
	for _, f := range h.Failed {
		if f.Kind == effects.KindDamage {
			out = append(out, f.Type)
		}
	}
	return out
}

func houseHeal(r *rules.Resolution, x house.Come) {
	healDeed(r, x.Label, x.Target, x.Source, x.Title, x.Rolled, map[string]string{"via": injuries.ViaAbility})
}

func houseTemporary(r *rules.Resolution, x house.Come) {
	r.Harm(x.Label, &eventv1.Harm{Deed: body.DeedTempHP, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Rolled})
}

// houseLay lays a condition on a creature.
func houseLay(r *rules.Resolution, x house.Come) {
	e := &eventv1.RcrEffect{Condition: x.Condition, Variant: x.Variant, Rounds: x.Rounds, SaveEnds: x.SaveEnds}
	var save *eventv1.RcrSave
	if x.SaveEnds {
		save = &eventv1.RcrSave{Ability: x.Save, Dc: x.DC}
	}
	source := x.Source
	if source == nil {
		source = x.Target
	}
	LayEffect(r, source, x.Target, x.Title, e, save)
}

// house lets what content adds to a spell befall its targets.
func (k *Casting) house() {
	for _, id := range k.targets {
		caster, target := k.R.Creature(k.Id), k.R.Creature(id)
		body.Happen(k.R, "cast/"+id, caster, effects.TriggerCast, effects.Env{Actor: caster, Target: target, Spell: k.Sp.Name, SpellUse: k.Sp.Use})
	}
}
