package strike

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// takenFrom joins the name of a thing and that of the one it was taken from.
const takenFrom = " of "

// TakenName is what a thing is called by its new owner: as before unless it has
// another of that name. A weapon that comes back has its old name again.
func TakenName(c *eventv1.Creature, from, item string, w *eventv1.BasicWeapon) string {
	free := func(name string) bool {
		it, had := c.Items[name]
		own := body.WeaponOf(c, name)
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
	return proto.Equal(Stowed(a, ""), Stowed(b, ""))
}

// Stowed is a copy of a weapon under another name, stowed at the start of a fight.
func Stowed(w *eventv1.BasicWeapon, name string) *eventv1.BasicWeapon {
	out := proto.CloneOf(w)
	out.Name, out.Hand = name, "stowed"
	return out
}

// TakeFlasks moves the flasks that a name stands for; bolts and arrows stay where
// they are.
func TakeFlasks(r *rules.Resolution, id, from string, w *eventv1.BasicWeapon) {
	if w.Kind != "grenade" {
		return
	}
	const rule = cite.ActionHoldTakeItem
	kind := body.CAmmunition + w.Ammunition
	n := r.Count(from, kind)
	r.Set(from, kind, 0, "taken", rule)
	r.Set(id, kind, r.Count(id, kind)+n, "taken", rule)
}
