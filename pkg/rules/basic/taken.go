package basic

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// takenFrom joins the name of a thing and that of the one it was taken from.
const takenFrom = " of "

// handOver moves a thing from one creature to another. Reading: a weapon is
// stowed, so that its new owner draws it when a hand is free. Any other thing is
// carried; how a ring or a wand works nobody learns by taking it, so that one
// cannot use it until the game master edits the sheet.
//
// basic.action.hold-take-item
func handOver(r *rules.Resolution, id, from, item string) {
	const rule = cite.ActionHoldTakeItem
	c, loser := r.Creature(id), r.Creature(from)
	values, w := loser.Items[item].GetValues(), weaponOf(loser, item)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: from, Item: item, Place: "taken", Values: values, Cause: "taken by " + c.Name}, rule)
	name, place := takenName(c, from, item, w), "carried"
	if w != nil && learn(r, c, name, w) {
		place = "stowed"
		takeFlasks(r, id, from, w)
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: place, Values: values, Cause: "taken from " + loser.Name}, rule)
}

// takenName is what a thing is called by its new owner: as before unless it has
// another of that name. A weapon that comes back has its old name again.
func takenName(c *eventv1.Creature, from, item string, w *eventv1.BasicWeapon) string {
	free := func(name string) bool {
		it, had := c.Items[name]
		own := weaponOf(c, name)
		return !had && own == nil || w != nil && own != nil && it.GetPlace() == "taken" && alike(own, w)
	}
	if back, was := strings.CutSuffix(item, takenFrom+c.Id); was && free(back) {
		return back
	}
	for name := item; ; name += takenFrom + from {
		if free(name) {
			return name
		}
	}
}

// alike tells whether two weapons differ in no more than their names and where
// they are kept.
func alike(a, b *eventv1.BasicWeapon) bool {
	return proto.Equal(stowed(a, ""), stowed(b, ""))
}

// stowed is a copy of a weapon under another name, stowed at the start of a fight.
func stowed(w *eventv1.BasicWeapon, name string) *eventv1.BasicWeapon {
	out := proto.CloneOf(w)
	out.Name, out.Hand = name, "stowed"
	return out
}

// learn writes a weapon on the sheet of its new owner, unless it stands there. It
// tells whether it does now: the sheet must stay one that can be entered.
func learn(r *rules.Resolution, c *eventv1.Creature, name string, w *eventv1.BasicWeapon) bool {
	if weaponOf(c, name) != nil {
		return true
	}
	if c.GetSheet().GetBasic() == nil {
		return false
	}
	sheet := proto.CloneOf(c.Sheet)
	b := sheet.GetBasic()
	b.Weapons = append(b.Weapons, stowed(w, name))
	if _, counted := b.Ammunition[w.Ammunition]; w.Ammunition != "" && !counted {
		if b.Ammunition == nil {
			b.Ammunition = map[string]int32{}
		}
		b.Ammunition[w.Ammunition] = 0
	}
	if len((System{}).CheckSheet(sheet)) > 0 {
		return false
	}
	r.Emit(r.Audience(rules.FactSheet, "", c.Id), &eventv1.SheetSet{Creature: c.Id, Sheet: sheet}, cite.ActionHoldTakeItem)
	return true
}

// takeFlasks moves the flasks that a name stands for; bolts and arrows stay where
// they are.
func takeFlasks(r *rules.Resolution, id, from string, w *eventv1.BasicWeapon) {
	if w.Kind != "grenade" || w.Ammunition == "" {
		return
	}
	const rule = cite.ActionHoldTakeItem
	kind := cAmmunition + w.Ammunition
	n := r.Count(from, kind)
	r.Set(from, kind, 0, "taken", rule)
	r.Set(id, kind, r.Count(id, kind)+n, "taken", rule)
}
