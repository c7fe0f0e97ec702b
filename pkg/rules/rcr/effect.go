package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// effects lets a spell take effect on its targets, then takes its caster
// elsewhere if it does that.
func (k *casting) effects() {
	k.work()
	k.house()
	teleport(k.r, k.id, k.sp.Name, k.sp.TeleportFeet, k.to)
}

func (k *casting) work() {
	switch {
	case k.weapon != nil:
		k.strike()
	case k.sp.Attack != "":
		k.attacks()
	case k.sp.Healing != "" || listedSpellName(k.sp.Name):
		k.heals()
	default:
		k.touches()
	}
}

// attacks makes the spell attack, once for each target named.
func (k *casting) attacks() {
	for i, id := range k.targets {
		if dead(k.r.Creature(id)) || incapacitated(k.r.Creature(k.id)) {
			continue
		}
		p := k.plans[i]
		edges, mods := statedEdges(k.take.Circumstances, id)
		makeAttack(k.r, k.r.Creature(k.id), k.r.Creature(id), p.atk,
			attackOpts{label: "cast/" + itoa(i+1), kind: p.kind, cover: p.cover, edges: edges, mods: mods,
				kinds: renamed(k.take.Facts, "kinds"), facts: woundFacts(k.take)})
	}
}

// strike makes the weapon attack that is part of the spell, with its damage on
// top of the weapon's.
func (k *casting) strike() {
	for i, id := range k.targets {
		p := k.plans[i]
		edges, mods := statedEdges(k.take.Circumstances, id)
		dmg := append(slices.Clone(k.weapon.Damage), k.damage()...)
		hit := makeAttack(k.r, k.r.Creature(k.id), k.r.Creature(id), k.weapon,
			attackOpts{label: "cast/" + itoa(i+1), kind: p.kind, cover: p.cover, edges: edges, mods: mods, damage: dmg,
				kinds: renamed(k.take.Facts, "kinds"), facts: woundFacts(k.take)})
		if hit {
			layEffects(k.r, k.r.Creature(k.id), k.r.Creature(id), k.sp.Name, k.sp.Effects, k.sp.Save)
		}
	}
}

// heals gives hit points back and takes wounds and scars as the spell does. One
// roll and one check serve all targets.
//
// rcr.healing.magic-eligible, rcr.healing.listed-spells
func (k *casting) heals() {
	amount := int32(0)
	if k.sp.Healing != "" {
		amount = max(0, k.r.Roll(rules.RollSpec{Label: "cast/healing", Creature: k.id, Expression: k.upcast(k.sp.Healing),
			Reason: "healing of " + k.sp.Name}).Total)
	}
	facts := also(map[string]string{"via": viaSpell, "spell": strings.ToLower(k.sp.Name), "spell_level": itoa(k.slot)}, medicineFacts(k.take, k.targets[0]))
	for _, id := range k.targets {
		if revives(k.sp.Name) {
			if k.r.Creature(id).GetHpMax() < 1 { // its scars are its own secret, and the dice are rolled
				k.r.Note(event.Everyone(), id, k.r.Creature(id).Name+" does not come back", cite.HealingRevivalSpells)
				continue
			}
			k.r.Deed("cast/revive/"+id, &eventv1.Harm{Deed: deedSpell, Target: id, Source: k.id, Cause: k.sp.Name, Amount: amount, Facts: facts})
			rerollHealed(k.r, id)
			continue
		}
		res := healDeed(k.r, "cast/heal/"+id, k.r.Creature(id), k.r.Creature(k.id), k.sp.Name, amount, facts)
		if n := checkOf(res); n != checkNone {
			facts["check"] = itoa(n)
		}
		k.ends(id)
		layEffects(k.r, k.r.Creature(k.id), k.r.Creature(id), k.sp.Name, k.sp.Effects, nil)
	}
}

// ends takes the condition away that a lesser restoration was cast for.
func (k *casting) ends(id string) {
	name := spoken.Word(k.take.Parameters, "ends")
	if x := condition(k.r.Creature(id), name); x != nil {
		k.r.RemoveCondition(id, x, k.sp.Name, cite.BaseFifthEditionFallback)
	}
}

// touches has each target save, take damage and suffer effects. The damage of
// a spell with a saving throw is rolled once for all; darts roll for each. All
// darts at one target are one effect, dealt together.
//
// rcr.condition.exhaustion-dc, rcr.injury.row2-crippled-saves,
// rcr.injury.wounds-on-massive-damage
func (k *casting) touches() {
	roll := func() (rolled []*eventv1.DamagePart) {
		for _, d := range k.damage() {
			rolled = append(rolled, rollDamage(k.r, "cast/damage", k.id, k.sp.Name, d, false))
		}
		return rolled
	}
	var struck []string
	dealt := map[string][]*eventv1.DamagePart{}
	var shared []*eventv1.DamagePart
	if k.sp.Save != nil {
		shared = roll()
	}
	for _, id := range k.targets {
		if dead(k.r.Creature(id)) {
			continue
		}
		if !slices.Contains(struck, id) {
			struck = append(struck, id)
		}
		if k.sp.Save != nil {
			dealt[id] = shared
			continue
		}
		dealt[id] = append(dealt[id], roll()...)
	}
	for _, id := range struck {
		k.touch(k.r.Creature(id), dealt[id])
	}
}

func (k *casting) touch(target *eventv1.Creature, rolled []*eventv1.DamagePart) {
	saved := false
	if save := k.sp.Save; save != nil {
		opts := powerSaveOpts(k.r, target, save.Ability, k.take)
		if hasTrait(target, "magic resistance") {
			opts.edges = append(opts.edges, adv("magic resistance", "resists magic", cite.BaseFifthEditionFallback))
		}
		saved = rollSave(k.r, "cast/save/"+target.Id, target, save.Ability, effectDC(k.r.Creature(k.id), save.Dc), effectPurpose(k.sp.Effects),
			k.r.Creature(k.id), opts).Success()
	}
	var parts []*eventv1.DamagePart
	for _, d := range rolled {
		if n := afterSave(d.Rolled, k.sp.Save, saved); n > 0 {
			parts = append(parts, &eventv1.DamagePart{Type: d.Type, Rolled: n})
		}
	}
	if len(parts) > 0 {
		damageDeed(k.r, "cast/harm/"+target.Id, target, k.r.Creature(k.id), k.sp.Name, parts, false, also(map[string]string{"magical": rules.Yes}, woundFacts(k.take)))
	}
	if !saved {
		layEffects(k.r, k.r.Creature(k.id), k.r.Creature(target.Id), k.sp.Name, k.sp.Effects, k.sp.Save)
	}
}
