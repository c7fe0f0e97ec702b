package answers

import (
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseUnarmed says that a spell made with a melee weapon finds none in hand.
func RefuseUnarmed(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	if sp.WeaponAttack && len(meleeAttacks(c)) == 0 {
		return body.Refuse("NOT_IN_HAND", body.Fallback, "no melee weapon is in hand")
	}
	return nil
}

// SpellRange is how many targets a spell may have at the level it is cast with.
func SpellRange(at *play.At, sp *eventv1.RcrSpell) (least, most int32) {
	return aimed(at.Content, sp, castSlot(at, sp))
}

func aimed(content *effects.Book, sp *eventv1.RcrSpell, slot int32) (least, most int32) {
	if !strike.SelfSpell(content, sp) {
		least = 1
	}
	return least, mostTargets(sp, slot)
}

// Repeats tells whether a spell may be aimed at one more than once: rays and darts.
func Repeats(sp *eventv1.RcrSpell) bool {
	return sp.Attack != "" || sp.Save == nil && len(sp.Damage) > 0
}

// CastFields are the words of a casting.
func CastFields(at *play.At, sp *eventv1.RcrSpell) []play.Field {
	out := aimFields(at, sp)
	slot := play.Field{Name: "slot"}
	spends := sp.Level > 0 && !sp.Innate
	if at.Listing && spends {
		slot.Numbers = SlotsFor(at.Actor, sp)
	}
	out = body.Offer(out, at, spends, slot)
	out = body.Offer(out, at, sp.CastingTime == "longer", play.Field{Name: "finish"})
	return metaFields(out, at)
}

// aimFields are the words of letting a spell go.
func aimFields(at *play.At, sp *eventv1.RcrSpell) []play.Field {
	weapon := play.Field{Name: "weapon", Required: true}
	if at.Listing && sp.WeaponAttack {
		weapon.Values = body.NamesOf(meleeAttacks(at.Actor))
	}
	out := body.Offer(nil, at, sp.WeaponAttack, weapon)
	out = body.Offer(out, at, sp.TeleportFeet > 0 && at.Actor.Position != nil, play.Field{Name: "path", Required: true,
		Text: "Where it appears, within " + body.Itoa(sp.TeleportFeet) + " feet; the last place of the path counts"})
	out = strike.KnockOutField(out, at, sp.Attack == "melee")
	return body.Offer(out, at, Restoration(sp), play.Field{Name: "ends"})
}
