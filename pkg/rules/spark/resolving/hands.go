package resolving

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// newHands are what content has done by this system.
func (f *fray) newHands() *house.Hands {
	return &house.Hands{
		Out:       body.Dead,
		Damage:    f.houseDamage,
		Save:      f.houseSave,
		Heal:      f.houseHeal,
		Temporary: f.houseTemporary,
		Lay:       f.houseLay,
		Counter:   Resource,
		Hooks: map[string]house.Hook{HookPush: f.hookPush, HookDrop: f.hookDrop, HookLoseTurn: f.hookLoseTurn, HookInjure: f.hookInjure,
			HookMana: f.hookMana, HookCrack: f.hookCrack},
	}
}

// Resource is the counter of what is left of a resource that content uses: mana, free
// actions, reaction and bonus action, missiles of a weapon as ammunition.NAME, and
// else uses of an item.
func Resource(name string) string {
	switch name {
	case body.CMana, body.CFree, body.CReaction, body.CBonus:
		return name
	}
	if strings.HasPrefix(name, body.CAmmunition) {
		return name
	}
	return body.CLeft + name
}

func (f *fray) houseDamage(r *rules.Resolution, x house.Come) {
	if body.Out(x.Target) {
		return
	}
	rolled := max(0, r.Roll(rules.RollSpec{Label: x.Label + "/damage", Creature: x.Bearer, Expression: house.DiceAnd(x.Dice, x.Amount),
		Reason: "damage of " + x.Title, Rules: house.Cited(x.Cite)}).Total)
	parts := scaled([]*eventv1.DamagePart{{Type: x.Type, Rolled: rolled, Rule: x.Rule}}, change{half: x.Halved, why: "saving throw made", rule: x.Rule})
	f.hurt(x.Target.Id, x.Bearer, x.Title, parts, false)
}

func (f *fray) houseSave(r *rules.Resolution, x house.Come) bool {
	return body.SaveAgainst(r, x.Target, x.Source, x.Save, x.DC, x.Label+"/save", x.Title+": "+x.Save+" save", house.Cited(x.Cite)...).Success()
}

// houseHeal gives hit points back as a spell or a potion does.
//
// spark.healing.two-ways
func (f *fray) houseHeal(_ *rules.Resolution, x house.Come) {
	f.deed(&eventv1.Harm{Deed: body.DeedHeal, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Rolled, Facts: map[string]string{"magical": rules.Yes}})
}

func (f *fray) houseTemporary(r *rules.Resolution, x house.Come) {
	if c := r.Creature(x.Target.Id); x.Rolled > c.GetHpTemp() {
		r.SetHitPoints(c.Id, c.GetHp(), c.GetHpMax(), x.Rolled, house.Cited(x.Cite)...)
	}
}

// houseLay lays a condition; one that is there already from the same source begins
// anew.
func (f *fray) houseLay(r *rules.Resolution, x house.Come) {
	if body.Out(x.Target) {
		return
	}
	k := &eventv1.Condition{Name: x.Condition, Variant: x.Variant, Source: x.Bearer, Cause: x.Title, Until: body.Lasting(r.State(), x.Rounds), Rule: x.Rule}
	if x.SaveEnds {
		k.Values = map[string]int32{body.VSaveEnds + x.Save: x.DC, body.VRound: body.Lasting(r.State(), 1).Round}
	}
	same := func(o *eventv1.Condition) bool {
		return o.Name == k.Name && o.Variant == k.Variant && o.Source == k.Source
	}
	if i := slices.IndexFunc(x.Target.Conditions, same); i >= 0 {
		k.Id = x.Target.Conditions[i].Id
	}
	if body.Lay(r, x.Target.Id, k, house.Cited(x.Cite)...) {
		body.Pace(r, x.Target.Id)
	}
}

// Hooks that content can name.
const (
	// HookPush pushes the target straight away from whoever has the effect.
	HookPush = "push"
	// HookDrop lets the target drop what it holds, to be used again the round after the
	// next.
	HookDrop = "drop"
	// HookLoseTurn takes from the target what it has not done yet in this round.
	HookLoseTurn = "lose-turn"
	// HookInjure gives the target an injury of the document or of a pack.
	HookInjure = "injure"
	// HookMana takes mana from the target, or gives it.
	HookMana = "mana"
	// HookCrack cracks a weapon that the target holds.
	HookCrack = "crack"
)

// Hooks are the hooks by name.
var Hooks = []string{HookCrack, HookDrop, HookInjure, HookLoseTurn, HookMana, HookPush}

// hookValues are the values that hooks take.
var hookValues = house.Values{
	HookPush:   {"feet": {Least: 1, Most: maxPush}},
	HookDrop:   {"weapon": {}},
	HookInjure: {"kind": {}, "limb": {}},
	HookMana:   {"amount": {}, "dice": {}},
	HookCrack:  {"weapon": {}},
}

// CheckHook says what is wrong with the values that content gives to a hook.
func CheckHook(name string, values map[string]string) error {
	if err := hookValues.Check(name, values); err != nil {
		return err
	}
	switch {
	case name == HookPush && values["feet"] == "":
		return fmt.Errorf("feet is missing")
	case name == HookInjure && values["kind"] == "":
		return fmt.Errorf("kind is missing")
	case name == HookMana:
		_, _, err := manaOf(values)
		return err
	}
	return nil
}

// manaOf is the mana that a hook gives, below 0 to take, or the dice whose sum it takes.
func manaOf(values map[string]string) (gives int64, takes string, err error) {
	amount, given := values["amount"]
	if given == (values["dice"] != "") {
		return 0, "", fmt.Errorf("give either amount, below 0 to take, or dice, which take")
	}
	if given {
		if gives, err = strconv.ParseInt(amount, 10, 16); err != nil || gives == 0 {
			return 0, "", fmt.Errorf("amount must be a whole number other than 0")
		}
		return gives, "", nil
	}
	_, err = dice.Parse(values["dice"])
	return 0, values["dice"], err
}

// hookPush: value feet.
//
// spark.action.bull-rush
func (f *fray) hookPush(r *rules.Resolution, x house.Come) {
	feet, _ := strconv.Atoi(x.Hook.Values["feet"]) // the pack was checked
	if x.Source.GetId() == x.Target.Id {
		return
	}
	f.away(x.Source, x.Target, int32(feet), "pushed "+x.Hook.Values["feet"]+" ft: "+x.Title, house.Cited(x.Cite)...)
}

// away moves a creature straight away from another, and says so.
func (f *fray) away(from, who *eventv1.Creature, feet int32, why string, ruleIDs ...string) {
	f.r.Note(event.Everyone(), who.Id, why, ruleIDs...)
	if feet < 1 || from.GetPosition() == nil || who.Position == nil {
		return
	}
	dx, dy := grid.Sign(who.Position.X-from.Position.X), grid.Sign(who.Position.Y-from.Position.Y)
	f.r.Move(&eventv1.Moved{Creature: who.Id, Mode: "push", Feet: feet,
		To: &eventv1.Position{X: who.Position.X + dx*feet, Y: who.Position.Y + dy*feet, Z: who.Position.Z}}, ruleIDs...)
}

// hookDrop: value weapon; without it, the first weapon in hand.
//
// spark.fumble.drop-weapon
func (f *fray) hookDrop(r *rules.Resolution, x house.Come) {
	if w := f.meant(x); w != nil {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: x.Target.Id, Item: w.Name, Place: "dropped",
			Values: map[string]int32{"until": r.State().Round + 1}, Cause: x.Title}, append(house.Cited(x.Cite), cite.FumbleDropWeapon)...)
	}
}

// hookCrack: value weapon; without it, the first weapon in hand.
//
// spark.fumble.weapon-cracked
func (f *fray) hookCrack(r *rules.Resolution, x house.Come) {
	if w := f.meant(x); w != nil && x.Target.Marks[body.MWeapon+w.Name] == "" {
		r.Mark(x.Target.Id, body.MWeapon+w.Name, body.Cracked, append(house.Cited(x.Cite), cite.ItemCracked)...)
	}
}

// meant is the weapon in hand that a hook is about; nil when there is none.
func (f *fray) meant(x house.Come) *eventv1.SparkWeapon {
	named := x.Hook.Values["weapon"]
	for _, w := range heldBy(f.r.Creature(x.Target.Id)) {
		if named == "" || named == w.Name {
			return w
		}
	}
	return nil
}

// hookLoseTurn takes no values. While the table declares, the creature declares
// nothing more in this round.
//
// spark.fumble.alt-slip-up
func (f *fray) hookLoseTurn(r *rules.Resolution, x house.Come) {
	id := x.Target.Id
	r.Note(event.Everyone(), id, "loses its turn: "+x.Title, house.Cited(x.Cite)...)
	if f.decl == nil { // the table declares
		r.Set(id, body.CAction, 0, x.Title, house.Cited(x.Cite)...)
		return
	}
	f.ended[id], f.undone[id] = true, true
}

// hookInjure: values kind, of the document or of a pack, and limb.
func (f *fray) hookInjure(_ *rules.Resolution, x house.Come) {
	limb := x.Hook.Values["limb"]
	if limb == "" {
		limb = "right"
	}
	f.deed(&eventv1.Harm{Deed: body.DeedInjure, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title,
		Facts: map[string]string{"kind": x.Hook.Values["kind"], "limb": limb}})
}

// hookMana: value amount, below 0 to take; or dice, whose sum is taken.
func (f *fray) hookMana(r *rules.Resolution, x house.Come) {
	n, dice, err := manaOf(x.Hook.Values)
	if err != nil {
		return // the pack was checked
	}
	if dice != "" {
		n = -int64(r.Roll(rules.RollSpec{Label: x.Label + "/mana", Creature: x.Bearer, Expression: dice, Reason: "mana drained: " + x.Title,
			Audience: event.Controllers(x.Target.Id), Rules: house.Cited(x.Cite)}).Total)
	}
	most := int64(body.SheetOf(x.Target).Mana)
	r.Set(x.Target.Id, body.CMana, max(0, min(most, r.Count(x.Target.Id, body.CMana)+n)), x.Title, house.Cited(x.Cite)...)
}
