package declaring

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The functions of this file say what a listing shows of words. A command's are
// judged by check, which knows them all together.

// noFields: nothing is left to say.
func noFields(*play.At) []play.Field { return nil }

// ways adds the path of a move, and for one without a place its length.
func ways(at *play.At, list []play.Field, text string, required bool) []play.Field {
	list = append(list, play.Field{Name: "path", Required: required, Text: text})
	if at.Actor.Position == nil {
		list = append(list, play.Field{Name: "feet", Text: "How far, for one without a place", Most: body.SpeedOf(at.Actor)})
	}
	return list
}

// rising adds the word by which one who is prone stands up.
func rising(at *play.At, list []play.Field) []play.Field {
	if !Prone(at.State, at.Actor) {
		return list
	}
	return append(list, play.Field{Name: "stand"})
}

// moving begins the words of an option with those of a move or of standing up.
func moving(at *play.At) []play.Field {
	return ways(at, rising(at, GlanceOf(at).space()), "The way, up to the speed", false)
}

// attackFields are the words of an attack, a charge or a bull rush.
//
// spark.action.attack, spark.action.no-full-attack-with-full-move
func attackFields(at *play.At) []play.Field {
	c, w := at.Actor, body.WeaponOf(at.Actor, at.Item())
	stands, kind := at.Truth("stand"), at.Action.ID
	list := GlanceOf(at).space()
	if !stands { // standing up takes the move
		list = ways(at, list, "The way; more than 5 ft leave a single attack", kind != KindAttack)
	}
	if body.IsCracked(c, w.Name) || at.Truth(UseCracked) {
		list = append(list, confirmsCracked)
	}
	if len(w.FumbleClasses) > 1 {
		list = append(list, play.Field{Name: "classes", Values: w.FumbleClasses, Text: "Kind of damage: one for all attacks, or a list with one for each"})
	}
	if body.SheetOf(c).SneakAttack != "" {
		list = append(list, play.Field{Name: "sneak", Text: "The sneak attack dice count, as the game master allows"})
	}
	if at.Truth("throw") {
		list = append(list, play.Field{Name: "throw", Required: true, True: true})
	}
	_, most := at.Action.Targets(at)
	switch {
	case stands:
		list = append(list, play.Field{Name: "stand", Required: true, True: true})
	case kind == KindAttack && most == 1:
		list = rising(at, list)
	}
	return withBonus(at, list, w.Name, needed(c, w, thrown(at, w)))
}

// UseCracked is the word by which a cracked weapon is used regardless.
//
// spark.fumble.weapon-cracked, spark.item.cracked
const UseCracked = "use_cracked"

// confirmsCracked asks for that word.
var confirmsCracked = play.Field{Name: UseCracked, Required: true, True: true, Text: "The weapon is cracked: using it breaks it for good"}

func moveFields(at *play.At) []play.Field {
	return withBonus(at, append(moving(at), play.Field{Name: "contested"}), "", "")
}

func gatherFields(at *play.At) []play.Field {
	return withBonus(at, moving(at), "", "")
}

func deedFields(at *play.At) []play.Field {
	list := append(rising(at, GlanceOf(at).space()), play.Field{Name: "text", Required: true, Text: "What is done"},
		made(at, play.Field{Name: "rival", Values: GlanceOf(at).others()}), play.Field{Name: "strength_check"},
		play.Field{Name: "dc", Text: "DC of the Strength check; 15 when not stated"}, play.Field{Name: "contested"})
	return withBonus(at, ways(at, list, "The way, up to the speed", false), "", "")
}

func bashFields(at *play.At) []play.Field {
	list := append(moving(at), play.Field{Name: "object", Required: true})
	if _, given := at.Number("dc"); given {
		list = append(list, play.Field{Name: "dc", Required: true, Text: "The DC to break it, whatever it is made of"})
	} else {
		list = append(list, play.Field{Name: "material", Required: true}, play.Field{Name: "enchantment"})
	}
	return withBonus(at, list, "", "")
}

// needed is the kind of bonus action, with its colon, without which a weapon
// cannot be used now, at a distance or in melee; empty when it is ready.
func needed(c *eventv1.Creature, w *eventv1.SparkWeapon, ranged bool) string {
	switch place := c.Items[w.GetName()].GetPlace(); {
	case place == "stowed":
		return "draw:"
	case place == "dropped":
		return "pick-up:"
	case c.Marks[body.MStuck+w.Name] != "":
		return "free:"
	case ranged && w.Missiles != nil && c.Counters[body.CAmmunition+w.Name] < 1 && c.Counters[body.CSpilled+w.Name] > 0:
		return "gather:"
	}
	return ""
}

// withBonus adds the bonus actions to be had beside an option. A weapon that is
// not ready needs the one that makes it so. An off-hand attack aims at the first
// target of an attack; beside other deeds it is an option of its own, and so it is
// with a cracked weapon, unless the attack itself is with one.
//
// spark.action.bonus, spark.action.off-hand-attack, spark.fumble.weapon-cracked
func withBonus(at *play.At, list []play.Field, weapon, need string) []play.Field {
	kind := at.Action.ID
	if need != "" {
		list = append(list, play.Field{Name: "bonus", Required: true, Values: []string{need + weapon}})
		if staysDown(at.State, kind, need) {
			list = less(list, "stand")
		}
		return list
	}
	beside, risky := offHanded(at), at.Truth(UseCracked)
	if risky && !attacks(kind) {
		list = append(list, confirmsCracked)
	}
	confirmed := requires(list, UseCracked)
	stands, walks := requires(list, "stand"), requires(list, "path")
	var names []string
	for _, n := range GlanceOf(at).bonus() {
		switch off := offHand(n); {
		case off && n[len(sayOff):] == weapon, walks && strings.HasPrefix(n, "gather:"), stands && staysDown(at.State, kind, n):
		case off != beside && !attacks(kind), crackedOff(at.Actor, n) && !confirmed, risky && !crackedOff(at.Actor, n):
		default:
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return list
	}
	targets := GlanceOf(at).others()
	if slices.ContainsFunc(names, func(n string) bool { return !offHand(n) }) {
		targets = GlanceOf(at).everybody()
	}
	list = append(list, made(at, play.Field{Name: "bonus", Required: beside, Values: names}),
		made(at, play.Field{Name: "bonus_target", Required: beside, Values: targets}), play.Field{Name: "bonus_first"})
	if beside && staysDown(at.State, kind, names[0]) {
		list = less(list, "stand")
	}
	return append(list, bonusClasses(at.Actor, names)...)
}

// made shares what is shown of a word among the options of a listing that say the
// same of it.
func made(at *play.At, f play.Field) play.Field {
	g := GlanceOf(at)
	for _, m := range g.made {
		if m.Name == f.Name && m.Required == f.Required && slices.Equal(m.Values, f.Values) {
			return m
		}
	}
	f = f.Made(at.Said(f.Name))
	g.made = append(g.made, f)
	return f
}

func requires(list []play.Field, name string) bool {
	return slices.ContainsFunc(list, func(f play.Field) bool { return f.Name == name && f.Required })
}

func offHand(bonus string) bool { return strings.HasPrefix(bonus, sayOff) }

// crackedOff tells whether a bonus action is an off-hand attack with a cracked weapon.
//
// spark.action.off-hand-attack, spark.item.cracked
func crackedOff(c *eventv1.Creature, bonus string) bool {
	return offHand(bonus) && body.IsCracked(c, bonus[len(sayOff):])
}

// bonusClasses are the kinds of damage of off-hand attacks that leave a choice.
//
// spark.fumble.weapon-class
func bonusClasses(c *eventv1.Creature, names []string) []play.Field {
	var classes []string
	for _, w := range body.SheetOf(c).Weapons {
		if len(w.FumbleClasses) < 2 || !slices.Contains(names, sayOff+w.Name) {
			continue
		}
		for _, class := range w.FumbleClasses {
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	if classes == nil {
		return nil
	}
	return []play.Field{{Name: "bonus_class", Values: classes}}
}

// less leaves a word out.
func less(list []play.Field, name string) []play.Field {
	return slices.DeleteFunc(list, func(f play.Field) bool { return f.Name == name })
}

// attackLimit is how many attacks a weapon is good for in one round, staying down.
//
// spark.action.attack, spark.item.cracked, spark.fumble.missile-broken
func attackLimit(c *eventv1.Creature, w *eventv1.SparkWeapon, ranged bool) int32 {
	most := int32(body.AttacksOf(c))
	if body.IsCracked(c, w.Name) {
		most = 1
	}
	if ranged && w.Missiles != nil {
		most = min(most, max(1, int32(c.Counters[body.CAmmunition+w.Name])))
	}
	return most
}

// attacksAllowed is how many attacks an attack action may hold. What of a command's
// attacks is too much together, check says.
//
// spark.action.no-full-attack-with-full-move
func attacksAllowed(at *play.At) (least, most int32) {
	if !at.Listing {
		return 1, rules.MaxCreatures
	}
	if at.Action.ID != KindAttack || at.Truth("stand") && !body.MayRunAndStrike(at.Actor, nil) {
		return 1, 1
	}
	w := body.WeaponOf(at.Actor, at.Item())
	return 1, attackLimit(at.Actor, w, thrown(at, w))
}

// offHandTarget: beside a deed that is no attack, a command may name the target of
// its off-hand attack like that of an attack.
func offHandTarget(at *play.At) (least, most int32) {
	if !at.Listing && offHanded(at) {
		return 0, 1
	}
	return 0, 0
}

func anybody(*play.At, *eventv1.Creature) error { return nil }

func standing(at *play.At) []string { return GlanceOf(at).others() }

func allWeapons(at *play.At) []string { return body.WeaponNames(at.Actor) }

// meleeWeapons are those with a reach; of a command all are asked, so that the
// refusal says what is wrong.
func meleeWeapons(at *play.At) []string {
	if !at.Listing {
		return body.WeaponNames(at.Actor)
	}
	var names []string
	for _, w := range body.SheetOf(at.Actor).Weapons {
		if w.ReachFeet > 0 {
			names = append(names, w.Name)
		}
	}
	return names
}

// inNeed are the weapons that there is something to be done about.
func inNeed(at *play.At) []string {
	c := at.Actor
	if !at.Listing {
		return body.WeaponNames(c)
	}
	var names []string
	for _, w := range body.SheetOf(c).Weapons {
		state := c.Marks[body.MString+w.Name]
		switch kind := at.Action.ID; {
		case kind == KindRestring && state == body.Snapped, kind == KindRefit && state == body.Loose, kind == KindGather && c.Counters[body.CSpilled+w.Name] > 0:
			names = append(names, w.Name)
		}
	}
	return names
}

// spellCost is the round and the mana of a spell.
func spellCost(at *play.At) []play.Cost {
	return []play.Cost{wholeRound[0], {Counter: body.CMana, Amount: body.SpellOf(at.Actor, at.Item()).GetManaCost()}}
}

// spellTargets is how many targets a spell takes.
func spellTargets(at *play.At) (least, most int32) {
	sp := body.SpellOf(at.Actor, at.Item())
	if sp.GetDelivery() != "other" {
		least = 1
	}
	return least, max(1, sp.GetTargets())
}

// spellArea is where a spell takes effect; one that must hit strikes its target alone.
func spellArea(at *play.At) *eventv1.Area {
	sp := body.SpellOf(at.Actor, at.Item())
	if sp.GetUse() == "" || sp.GetAttack() {
		return nil
	}
	return house.AreaOf(at.Content, sp.Use)
}

// refuseSpellOn says why a spell finds nobody in a creature: harm is for those who
// stand.
func refuseSpellOn(at *play.At, t *eventv1.Creature) error {
	if body.SpellOf(at.Actor, at.Item()).Healing == "" && body.Out(t) {
		return body.Refuse("TARGET_OUT", cite.DiceDropToZero, "%s is out of the fight", t.GetName())
	}
	return nil
}

// refuseStruck says why a creature cannot be attacked.
func refuseStruck(at *play.At, t *eventv1.Creature) error {
	switch {
	case t.GetId() == at.Actor.Id:
		return body.Refuse("SELF", cite.AttackRoll, "%s cannot attack itself", at.Actor.Name)
	case body.Out(t):
		return body.Refuse("TARGET_OUT", cite.DiceDropToZero, "%s is out of the fight", t.GetName())
	}
	return nil
}
