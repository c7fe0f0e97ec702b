package movement

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// effects lets a spell take effect on its targets, then takes its caster
// elsewhere if it does that.
func (k *Casting) effects() {
	k.work()
	k.house()
	magic.Teleport(k.R, k.Id, k.Sp.Name, k.Sp.TeleportFeet, k.to)
}

func (k *Casting) work() {
	switch {
	case k.weapon != nil:
		k.strike()
	case k.Sp.Attack != "":
		k.attacks()
	case k.Sp.Healing != "" || thestrike.ListedSpellName(k.R.Content(), k.Sp.Name):
		k.heals()
	default:
		k.touches()
	}
}

// attacks makes the spell attack, once for each target named.
func (k *Casting) attacks() {
	empower := k.empowering()
	for i, id := range k.targets {
		if body.Dead(k.R.Creature(id)) || body.Incapacitated(k.R.Creature(k.Id)) {
			continue
		}
		p := k.plans[i]
		edges, mods := body.StatedEdges(k.Take.Circumstances, id)
		MakeAttack(k.R, k.R.Creature(k.Id), k.R.Creature(id), p.Atk,
			thestrike.AttackOpts{Label: "cast/" + body.Itoa(i+1), Kind: p.Kind, Cover: p.Cover, Edges: edges, Mods: mods,
				Kinds: body.Renamed(k.Take.Facts, "kinds"), Facts: body.BlowFacts(k.Take), Empower: empower, Threats: checks.StatedIDs(k.Take.Facts, "threatened_by"),
				Told: k.R.UsedFacts(k.Take.Facts, p.Kind.Distance, p.Kind.Distance >= 0, k.Id, id)})
	}
}

// strike makes the weapon attack that is part of the spell, with its damage on
// top of the weapon's.
func (k *Casting) strike() {
	for i, id := range k.targets {
		p := k.plans[i]
		edges, mods := body.StatedEdges(k.Take.Circumstances, id)
		dmg := append(slices.Clone(k.weapon.Damage), k.damage()...)
		hit := MakeAttack(k.R, k.R.Creature(k.Id), k.R.Creature(id), k.weapon,
			thestrike.AttackOpts{Label: "cast/" + body.Itoa(i+1), Kind: p.Kind, Cover: p.Cover, Edges: edges, Mods: mods, Damage: dmg,
				Kinds: body.Renamed(k.Take.Facts, "kinds"), Facts: body.BlowFacts(k.Take), Threats: checks.StatedIDs(k.Take.Facts, "threatened_by"),
				Told: k.R.UsedFacts(k.Take.Facts, p.Kind.Distance, p.Kind.Distance >= 0, k.Id, id)})
		if hit {
			layEffects(k.R, k.R.Creature(k.Id), k.R.Creature(id), k.Sp.Name, k.Sp.Effects, k.Sp.Save)
		}
	}
}

// heals gives hit points back and takes wounds and scars as the spell does. One
// roll and one check serve all targets.
//
// rcr.healing.magic-eligible, rcr.healing.listed-spells
func (k *Casting) heals() {
	amount := int32(0)
	if k.Sp.Healing != "" {
		amount = max(0, k.R.Roll(rules.RollSpec{Label: "cast/healing", Creature: k.Id, Expression: k.Upcast(k.Sp.Healing),
			Reason: "healing of " + k.Sp.Name, Rules: []string{body.Fallback}}).Total)
	}
	facts := body.Also(map[string]string{"via": injuries.ViaSpell, "spell": strings.ToLower(k.Sp.Name), "spell_level": body.Itoa(k.Slot)}, injuries.MedicineFacts(k.Take, k.targets[0]))
	for _, id := range k.targets {
		if thestrike.Revives(k.R.Content(), k.Sp.Name) {
			revive(k.R, &eventv1.Harm{Deed: body.DeedSpell, Target: id, Source: k.Id, Cause: k.Sp.Name, Amount: amount, Facts: facts}, "cast/revive/"+id)
			continue
		}
		res := healDeed(k.R, "cast/heal/"+id, k.R.Creature(id), k.R.Creature(k.Id), k.Sp.Name, amount, facts)
		if n := injuries.CheckOf(res); n != injuries.CheckNone {
			facts["check"] = body.Itoa(n)
		}
		k.ends(id)
		layEffects(k.R, k.R.Creature(k.Id), k.R.Creature(id), k.Sp.Name, k.Sp.Effects, nil)
	}
}

// revive brings a dead creature back by a spell, or by an item that holds it.
//
// rcr.healing.revival-spells
func revive(r *rules.Resolution, h *eventv1.Harm, label string) {
	if r.Creature(h.Target).GetHpMax() < 1 { // its scars are its own secret, and the dice are rolled
		r.Note(event.Everyone(), h.Target, r.Creature(h.Target).Name+" does not come back", cite.HealingRevivalSpells)
		return
	}
	r.Harm(label, h)
	answers.RerollHealed(r, h.Target)
}

// ends takes the condition away that a lesser restoration was cast for.
func (k *Casting) ends(id string) {
	name := spoken.Word(k.Take.Parameters, "ends")
	if x := body.Condition(k.R.Creature(id), name); x != nil {
		k.R.RemoveCondition(id, x, k.Sp.Name, cite.BaseFifthEditionFallback)
	}
}

// touches has each target save, take damage and suffer effects. The damage of
// a spell with a saving throw is rolled once for all; darts roll for each. All
// darts at one target are one effect, dealt together.
//
// rcr.condition.exhaustion-dc, rcr.injury.row2-crippled-saves,
// rcr.injury.wounds-on-massive-damage
func (k *Casting) touches() {
	empower := k.empowering()
	roll := func() (rolled []*eventv1.DamagePart) {
		parts := k.damage()
		env := effects.Env{Actor: k.R.Creature(k.Id), Spell: k.Sp.Name, SpellUse: k.Sp.Use, Weapon: effects.Weapon{Name: k.Sp.Name, Tags: append(thestrike.TypesOf(parts), "spell", "magic")}}
		for _, d := range parts {
			expr, behind := house.Again(k.R, env.Actor, house.PointDamage+"/spell", env, d.Dice)
			rolled = append(rolled, thestrike.RollDamageFor(k.R, "cast/damage", k.Id, k.Sp.Name, &eventv1.RcrDamage{Dice: expr, Type: d.Type}, false, empower, behind))
		}
		return rolled
	}
	var struck []string
	dealt := map[string][]*eventv1.DamagePart{}
	var shared []*eventv1.DamagePart
	if k.Sp.Save != nil {
		shared = roll()
	}
	for _, id := range k.targets {
		if body.Dead(k.R.Creature(id)) {
			continue
		}
		if !slices.Contains(struck, id) {
			struck = append(struck, id)
		}
		if k.Sp.Save != nil {
			dealt[id] = shared
			continue
		}
		dealt[id] = append(dealt[id], roll()...)
	}
	for _, id := range struck {
		k.touch(k.R.Creature(id), dealt[id])
	}
}

// empowering is what the caster may roll again of the damage: as many dice as its
// Charisma modifier, one at least; nil when the spell is not empowered.
//
// rcr.feat.metamagic-adept-options
func (k *Casting) empowering() *thestrike.Empowering {
	if !slices.Contains(k.Metamagic, body.MetaEmpowered) {
		return nil
	}
	return &thestrike.Empowering{Caster: k.Id, Dice: int(max(1, body.AbilityMod(k.R.Creature(k.Id), "charisma")))}
}

// spared tells whether a careful caster lets a target of the spell succeed.
//
// rcr.feat.metamagic-adept-options
func (k *Casting) spared(target *eventv1.Creature) bool {
	spared := slices.Contains(answers.Spared(k.Take), target.Id) // as a careful spell alone takes
	if spared {
		k.R.Note(event.Everyone(), target.Id, target.Name+" succeeds: the caster is careful", cite.FeatMetamagicAdeptOptions)
	}
	return spared
}

func (k *Casting) touch(target *eventv1.Creature, rolled []*eventv1.DamagePart) {
	saved := false
	if save := k.Sp.Save; save != nil {
		opts := magic.PowerSaveOpts(k.R, target, save.Ability, k.cover(target), k.Take)
		opts.Types, opts.Against, opts.Magic = body.TypesOf(k.Sp.Damage), body.Laid(k.Sp.Effects), true
		if magic.SlaysMages(k.R.State(), target, k.R.Creature(k.Id), checks.StatedIDs(k.Take.Facts, "threatened_by")) {
			opts.Edges = append(opts.Edges, dice.Adv("mage slayer", "the caster is within reach", cite.FeatMageSlayerSaves))
		}
		if target.Id == k.targets[0] && slices.Contains(k.Metamagic, body.MetaHeightened) {
			opts.Edges = append(opts.Edges, dice.Dis("heightened", "a heightened spell", cite.FeatMetamagicAdeptOptions))
		}
		saved = k.spared(target) || dice.RollSave(k.R, "cast/save/"+target.Id, target, save.Ability, body.EffectDC(k.R.Creature(k.Id), magic.SpellSaveDC(k.R.Creature(k.Id), k.Sp)), thestrike.EffectPurpose(k.Sp.Effects),
			k.R.Creature(k.Id), opts).Success()
	}
	var parts []*eventv1.DamagePart
	for _, d := range rolled {
		if n := thestrike.AfterSave(target, d, k.Sp.Save, saved); n.Rolled > 0 {
			parts = append(parts, n)
		}
	}
	if len(parts) > 0 {
		DamageDeed(k.R, "cast/harm/"+target.Id, target, k.R.Creature(k.Id), k.Sp.Name, parts, false, body.Also(map[string]string{"magical": rules.Yes}, body.WoundFacts(k.Take)))
	}
	if !saved {
		layEffects(k.R, k.R.Creature(k.Id), k.R.Creature(target.Id), k.Sp.Name, k.Sp.Effects, k.Sp.Save)
	}
}

// origin is whose place is the spell's point of origin: that of the first target for an
// area that lies about it, and for a spell of several targets at a range whose area
// nobody has described; else the caster's.
//
// rcr.base.half-cover
func (k *Casting) origin() *eventv1.Creature {
	about := k.Sp.Targets > 1 && k.Sp.RangeFeet > 0
	if area := k.R.Content().Area(k.Sp.Use); area != nil {
		about = area.Shape != "cone" && area.Shape != "line"
	}
	if about {
		return k.R.Creature(k.targets[0])
	}
	return k.R.Creature(k.Id)
}

// coverless are spells whose saving throws cover does not help.
var coverless = []string{"sacred flame"}

// cover is that of a target from the spell's point of origin.
//
// rcr.base.half-cover
func (k *Casting) cover(target *eventv1.Creature) string {
	if slices.Contains(coverless, strings.ToLower(k.Sp.Name)) {
		return body.CoverNone
	}
	cover, _ := body.CoverBehind(k.R.State(), k.origin(), target, k.Take)
	return cover
}
