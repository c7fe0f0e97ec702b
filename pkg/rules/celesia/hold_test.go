package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.maneuver.grapple-move: the foe is put in a free space beside the end of the way;
// its own and those of the fallen are free.
func TestPlaceOfTheFoe(t *testing.T) {
	build := func(t *testing.T) *table {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {-25, 5}, {-15, 5}}, fighter("a", "party", cmb(20), unarmed()), fighter("b", "foes", unarmed()), fighter("c", "party"), fighter("d", "foes", unarmed()))
		f.Must(act("a", "grapple", "", "b"), 10)
		f.End("a")
		f.End("b")
		f.End("c")
		f.End("d")
		f.Must(act("a", "grapple-continued", "", ""), 10)
		f.Answer(body.DecHold, "move")
		return f
	}
	to := func(x, y int32) []func(*eventv1.TakeAction) {
		return []func(*eventv1.TakeAction){withParameters("foe_x", float64(x), "foe_y", float64(y))}
	}
	cmd := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "move", "", "", append([]func(*eventv1.TakeAction){way(-20, 0)}, more...)...)
	}
	const rule = cite.ManeuverGrappleMove
	wantRefusals(t, build, cmd, []refusal{
		{name: "beside", more: to(-20, 5)},
		{name: "beside on the other side", more: to(-20, -5)},
		{name: "two squares off", more: to(-20, 10), reason: "NO_PLACE", rule: rule},
		{name: "in the holder's own", more: to(-20, 0), reason: "NO_PLACE", rule: rule},
		{name: "where a friend stands", more: to(-25, 5), reason: "NO_PLACE", rule: rule},
		{name: "where a foe stands", more: to(-15, 5), reason: "NO_PLACE", rule: rule},
		{name: "where one lies dead", do: func(f *table) { f.Hurt("d", -60) }, more: to(-15, 5)},
		{name: "where the holder stood", more: append(to(-5, 0), func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: -10}} })},
		{name: "where it stands itself", more: append(to(5, 0), func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{Y: -5}} })},
	})
	t.Run("who lets go drags nobody", func(t *testing.T) {
		f := build(t)
		if f.Creature("a").Marks[body.MDragging] == "" {
			t.Fatal("nothing to drag")
		}
		f.Must(act("a", "release-grapple", "", ""))
		if f.Creature("a").Marks[body.MDragging] != "" {
			t.Error("drags one who is free")
		}
	})
}

// celesia.equipment.locked-gauntlet, celesia.equipment.oil-flask: what is locked and prepared,
// and what cannot be.
func TestGauntletsAndFlasks(t *testing.T) {
	worn := func(place string) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) {
			c.Things = []*eventv1.CelesiaThing{{Name: "iron", Kind: body.ThingGauntlet, Place: place}}
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "axe", Kind: "melee", Dice: "1d6", Hands: 1, Hand: body.PlaceStowed},
				&eventv1.CelesiaWeapon{Name: "oil", Kind: body.KindThrown, Dice: "1d6", Hands: 1, RangeFeet: 10, Splash: true, Load: body.LoadFlask, Hand: body.PlaceOff})
		})
	}
	fight := func(t *testing.T, place string) *table {
		return duel(t, fighter("a", "party", worn(place)), fighter("b", "foes", unarmed()))
	}
	f := fight(t, body.PlaceWorn)
	wantReason(t, f.Try(act("a", "lock-gauntlet", "axe", "")), "NOT_IN_HAND", cite.EquipmentLockedGauntlet)
	wantReason(t, f.Try(act("a", "unlock-gauntlet", "sword", "")), "ALREADY", cite.EquipmentLockedGauntlet)
	wantReason(t, f.Try(act("a", "lock-gauntlet", "sword", "")), "", "")
	f.End("a")
	f.End("b")
	wantReason(t, f.Try(act("a", "lock-gauntlet", "sword", "")), "ALREADY", cite.EquipmentLockedGauntlet)
	wantReason(t, f.Try(act("a", "unlock-gauntlet", "sword", "")), "", "")
	g := fight(t, body.PlaceCarried)
	if err := g.Try(act("a", "lock-gauntlet", "sword", "")); err == nil {
		t.Error("a gauntlet that is not worn")
	}
	wantReason(t, g.Try(act("a", "prepare-flask", "oil", "")), "", "")
	g.End("a")
	g.End("b")
	wantReason(t, g.Try(act("a", "prepare-flask", "oil", "")), "LOADED", cite.EquipmentOilFlask)
	h := fight(t, body.PlaceWorn)
	h.Must(act("a", "drop-item", "oil", ""))
	wantReason(t, h.Try(act("a", "prepare-flask", "oil", "")), "NOT_IN_HAND", cite.EquipmentOilFlask)
}

// celesia.movement.run-endurance: a turn without running ends the count of rounds and of the
// checks made, so that the next begins at 10 again.
func TestEnduranceBeginsAnew(t *testing.T) {
	f := duel(t, fighter("a", "party", ability("constitution", 3)), fighter("b", "foes", unarmed()))
	f.at("a", 0, 500)
	turns := func() { f.End("a"); f.End("b") }
	f.Roller = func(int) int { return 20 }
	dc := func() int32 {
		for _, r := range f.Rolls("endurance/a") {
			return r.Target.GetValue()
		}
		return 0
	}
	var got []int32
	for n := int32(1); n <= 5; n++ { // three rounds for Constitution 3, then checks
		f.Must(act("a", "run", "", "", way(-120*n, 500)))
		got = append(got, dc())
		turns()
	}
	turns() // it stands
	for n := int32(6); n <= 9; n++ {
		f.Must(act("a", "run", "", "", way(-120*n, 500)))
		got = append(got, dc())
		turns()
	}
	want := []int32{0, 0, 0, 10, 11, 0, 0, 0, 10}
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("DCs %v, want %v", got, want)
		}
	}
}
