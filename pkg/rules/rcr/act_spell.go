package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellActions are the castings of one's own turn and beside it.
func spellActions() []*play.Action {
	spell := func(a *play.Action) *play.Action {
		a.Rule, a.Group, a.Self = fallback, play.GroupMagic, true
		a.Items = func(at *play.At) []string { return spellNames(at.Actor, at.Action.Anytime) }
		a.CostOf = func(at *play.At) []play.Cost { return one(castingCost(spellOf(at.Actor, at.Item()))) }
		a.Refuse = func(at *play.At) error { return refuseCasting(at.State, at.Actor, spellOf(at.Actor, at.Item())) }
		a.Range = func(at *play.At) (int32, int32) { return spellRange(at, spellOf(at.Actor, at.Item())) }
		a.Repeat = func(at *play.At) bool { return repeats(spellOf(at.Actor, at.Item())) }
		a.RefuseTarget = func(at *play.At, t *eventv1.Creature) error {
			return refuseSpellTarget(at.Actor, t, spellOf(at.Actor, at.Item()), at.Take)
		}
		a.Fields = func(at *play.At) []play.Field { return castFields(at, spellOf(at.Actor, at.Item())) }
		a.Check = func(at *play.At) error { return planCasting(at, &casting{sp: spellOf(at.Actor, at.Item())}) }
		a.Provokes = castProvokes
		a.Do = doCast
		return a
	}
	return []*play.Action{
		spell(&play.Action{ID: "cast", Title: "Cast a spell"}),
		spell(&play.Action{ID: "cast-reaction", Title: "Cast a spell as a reaction", Anytime: true}),
		{ID: "end-concentration", Title: "End concentration", Rule: fallback, Group: play.GroupMagic, Anytime: true,
			Items: concentratedOn, Refuse: refuseDropSpell, Do: deed(doDropSpell)},
	}
}

// spellNames are the spells that are cast as a reaction, or the others.
func spellNames(c *eventv1.Creature, reaction bool) (out []string) {
	for _, sp := range sheetOf(c).Spells {
		if (sp.CastingTime == "reaction") == reaction {
			out = append(out, sp.Name)
		}
	}
	return out
}

// refuseCasting says why a spell cannot be cast whatever the target: for want of
// time, means or the weapon of the attack that is part of it.
func refuseCasting(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	return firstError(refuseSpell(s, c, sp), refuseUnarmed(s, c, sp))
}

func refuseUnarmed(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	if sp.WeaponAttack && len(meleeAttacks(s, c)) == 0 {
		return refuse("NOT_IN_HAND", fallback, "no melee weapon is in hand")
	}
	return nil
}

// spellRange is how many targets a spell may have at the level it is cast with.
func spellRange(at *play.At, sp *eventv1.RcrSpell) (least, most int32) {
	slot, given := spoken.Number(at.Take.Parameters, "slot")
	if slots := slotsFor(at.Actor, sp); !given && len(slots) > 0 {
		slot = slots[0]
	}
	return aimed(sp, slot)
}

func aimed(sp *eventv1.RcrSpell, slot int32) (least, most int32) {
	if !selfSpell(sp) {
		least = 1
	}
	return least, mostTargets(sp, slot)
}

// repeats tells whether a spell may be aimed at one more than once: rays and darts.
func repeats(sp *eventv1.RcrSpell) bool {
	return sp.Attack != "" || sp.Save == nil && len(sp.Damage) > 0
}

// castFields are the words of a casting.
func castFields(at *play.At, sp *eventv1.RcrSpell) []play.Field {
	out := aimFields(at, sp)
	slot := play.Field{Name: "slot"}
	spends := sp.Level > 0 && !sp.Innate
	if at.Listing && spends {
		slot.Numbers = slotsFor(at.Actor, sp)
	}
	out = offer(out, at, spends, slot)
	return offer(out, at, sp.CastingTime == "longer", play.Field{Name: "finish"})
}

// aimFields are the words of letting a spell go.
func aimFields(at *play.At, sp *eventv1.RcrSpell) []play.Field {
	weapon := play.Field{Name: "weapon", Required: true}
	if at.Listing && sp.WeaponAttack {
		weapon.Values = namesOf(meleeAttacks(at.State, at.Actor))
	}
	out := offer(nil, at, sp.WeaponAttack, weapon)
	out = offer(out, at, sp.TeleportFeet > 0 && at.Actor.Position != nil, play.Field{Name: "path", Required: true,
		Text: "Where it appears, within " + itoa(sp.TeleportFeet) + " feet; the last place of the path counts"})
	return offer(out, at, restoration(sp), play.Field{Name: "ends"})
}

// planCasting reads slot and targets and refuses what cannot be.
func planCasting(at *play.At, k *casting) error {
	k.id, k.take = at.Actor.Id, at.Take
	planned(at).casting = k
	return firstError2(func() error { return k.choose(at.Actor) }, func() error { return k.aim(at.Content, at.State, at.Actor) })
}

// firstError2 is the first error of two steps, the second of which needs the first.
func firstError2(first, second func() error) error {
	if err := first(); err != nil {
		return err
	}
	return second()
}

// castProvokes are those about that a casting provokes.
//
// rcr.opportunity.cast-spell
func castProvokes(at *play.At) []string {
	if !provokesByCasting(at.State, at.Actor, spellOf(at.Actor, at.Item())) {
		return nil
	}
	return threateners(at.State, at.Actor.Id, nil)
}

// doCast pays the time for a spell, gives those about their window, makes the
// checks that conditions ask for, and only then spends the slot.
//
// rcr.opportunity.cast-spell, rcr.base.opportunity-frame
func doCast(r *rules.Resolution, at *play.At) error {
	k := planned(at).casting
	k.r = r
	k.carry(r.Creature(k.id))
	return nil
}

// concentratedOn is the spell that can be let go. A command need not name it.
func concentratedOn(at *play.At) []string {
	spell := concentration(at.Actor)
	switch {
	case !at.Listing && spell != "":
		return []string{"", spell}
	case !at.Listing:
		return bare
	case spell != "":
		return []string{spell}
	}
	return nil
}

func refuseDropSpell(at *play.At) error {
	if concentration(at.Actor) == "" {
		return refuse("NO_CONCENTRATION", cite.BaseFifthEditionFallback, "%s concentrates on nothing", at.Actor.Name)
	}
	return nil
}

// doDropSpell ends concentration by its owner's will; it costs nothing.
func doDropSpell(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "end-concentration", Item: concentration(c)})
	endConcentration(r, c.Id, "let go")
	return nil
}
