package basic

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// handOver moves a thing from one creature to another. Reading: a weapon is
// stowed, so that its new owner draws it when a hand is free. Any other thing is
// carried; how a ring or a wand works nobody learns by taking it, so that one
// cannot use it until the game master edits the sheet.
//
// basic.action.hold-take-item
func handOver(r *rules.Resolution, id, from, item string) {
	const rule = cite.ActionHoldTakeItem
	c, loser := r.Creature(id), r.Creature(from)
	values, w := loser.Items[item].GetValues(), body.WeaponOf(loser, item)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: from, Item: item, Place: "taken", Values: values, Cause: "taken by " + c.Name}, rule)
	name, place := strike.TakenName(c, from, item, w), "carried"
	if w != nil && learn(r, c, name, w) {
		place = "stowed"
		strike.TakeFlasks(r, id, from, w)
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: place, Values: values, Cause: "taken from " + loser.Name}, rule)
}

// learn writes a weapon on the sheet of its new owner, unless it stands there. It
// tells whether it does now: the sheet must stay one that can be entered.
func learn(r *rules.Resolution, c *eventv1.Creature, name string, w *eventv1.BasicWeapon) bool {
	if body.WeaponOf(c, name) != nil {
		return true
	}
	if c.GetSheet().GetBasic() == nil {
		return false
	}
	sheet := proto.CloneOf(c.Sheet)
	b := sheet.GetBasic()
	b.Weapons = append(b.Weapons, strike.Stowed(w, name))
	if _, counted := b.Ammunition[w.Ammunition]; w.Ammunition != "" && !counted {
		if b.Ammunition == nil {
			b.Ammunition = map[string]int32{}
		}
		b.Ammunition[w.Ammunition] = 0
	}
	if len((System{}).CheckSheetBy(r.Content(), sheet)) > 0 {
		return false
	}
	r.Emit(r.Audience(rules.FactSheet, "", c.Id), &eventv1.SheetSet{Creature: c.Id, Sheet: sheet}, cite.ActionHoldTakeItem)
	return true
}
