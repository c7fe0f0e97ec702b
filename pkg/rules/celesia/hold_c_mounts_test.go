package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spiked gives a mount something to shoot, as far as 20 feet.
var spiked = section(func(c *eventv1.CelesiaSheet) {
	c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "spike", Kind: "natural-ranged", Dice: "1d6", RangeFeet: 20, MaximumIncrements: 1, Limb: "tail"})
})

// onFoot is rider a on horse h and foe b, without a map, in a's turn.
func onFoot(t *testing.T, rider, mount, foe *eventv1.Sheet) *table {
	t.Helper()
	mount.Controllers = []string{"a-player"}
	f := newTable(t).add(rider, mount, foe)
	f.Resolve(func(r *rules.Resolution) error { return saddle.EnterMounted(r, "a", object("mounted_on", "h")) })
	f.start(nil, 19, 5, 12)
	f.End("a")
	f.End("b")
	f.WantActive("a")
	return f
}

// celesia.attack.steady-aim: what a mount aimed in a turn of its own counts for the shot that is its
// very next act in its rider's, once; a ride, or a charge, loses it.
func TestAimOfAMount(t *testing.T) {
	shoot := act("a", "mount-attack", "spike", "b", withFacts("into_melee", false))
	for name, c := range map[string]struct {
		first []*eventv1.Command
		want  []int32
	}{
		"at once":        {nil, []int32{4, 0}},
		"after a ride":   {[]*eventv1.Command{act("a", "ride", "", "", path([2]int32{5, 0}))}, []int32{0, 0}},
		"after a charge": {[]*eventv1.Command{act("a", "ride-charge", "sword", "b")}, []int32{0}},
	} {
		f := newTable(t).add(fighter("a", "party"), horse(spiked, func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("b", "foes", unarmed(), defends(60)))
		f.at("a", 0, 10)
		f.at("h", 0, 0)
		f.at("b", 20, 0)
		f.start(nil, 19, 15, 12)
		f.End("a")
		f.End("b")
		f.Must(act("h", "move", "", "", way(0, 0)))
		f.Must(act("h", "steady-aim", "", ""))
		f.End("h")
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("a", "direct-mount", "", ""))
		for _, cmd := range c.first {
			f.Must(cmd)
		}
		for i, want := range c.want {
			f.Must(shoot, 10)
			if got := from(f.Roll("to-hit").Modifiers, "steady aim"); got != want {
				t.Errorf("%s: shot %d has %d, want %d", name, i+1, got, want)
			}
		}
	}
}

// celesia.mount.cast-before-or-after: who has cast first and ridden as far as its mount's speed goes
// no farther in the turn, in a charge no more than in a ride; without a map that is at least 10 feet.
func TestNoChargeBeyondACast(t *testing.T) {
	for feet, reason := range map[int]string{40: "", 45: "CAST", 50: "CAST"} {
		f := onFoot(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift"})), horse(), fighter("b", "foes", unarmed()))
		f.Must(act("a", "cast", "s", "a"))
		f.Must(act("a", "ride", "", "", withFacts("feet", feet)))
		f.Count("a", body.CRideLeft, 0)
		wantReason(t, f.Try(act("a", "ride-charge", "sword", "b")), reason, cite.MountCastBeforeOrAfter)
	}
}

// celesia.mount.charge: with a melee weapon that is there; half a map is none.
func TestChargeOnAMountWithWhat(t *testing.T) {
	f := onFoot(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
	for _, name := range []string{"bow", "axe"} {
		wantField(t, f.Try(act("a", "ride-charge", name, "b")), "take.item", "melee weapon")
	}
	for _, placed := range []string{"", "b"} {
		f := onFoot(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		if placed != "" {
			f.at(placed, 20, 0)
		}
		f.Must(act("a", "ride-charge", "sword", "b", withFacts("distance", 30)))
		if f.Creature("a").Counters[body.CRode] != 30 || f.Creature("h").Position != nil || !body.Has(f.Creature("a"), body.CondCharging) {
			t.Errorf("%q placed: %d feet, the horse at %v", placed, f.Creature("a").Counters[body.CRode], f.Creature("h").Position)
		}
	}
}

// celesia.mount.ranged-at-increments: what a gait leaves is ridden to the last foot, when the mount
// has no acts any more.
func TestTheLastFootOfAGait(t *testing.T) {
	f := onFoot(t, fighter("a", "party"), horse(walks(51)), fighter("b", "foes", unarmed()))
	f.Must(act("a", "ride", "", "", withParameters("gait", "run"), withFacts("feet", 203)))
	if f.acts("h") != 0 {
		t.Fatal(f.acts("h"))
	}
	f.Must(act("a", "ride", "", "", withFacts("feet", 1)))
	wantReason(t, f.Try(act("a", "ride", "", "", withFacts("feet", 1))), "NO_ACTS", cite.MountOwnActs)
}

// celesia.injury.disabled-strain: what is left of a gait takes no act of a disabled mount, and so no
// point of it.
func TestNoStrainOfWhatIsLeftOfAGait(t *testing.T) {
	f := onFoot(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
	f.Hurt("h", 0)
	for _, c := range []struct{ feet, hp int32 }{{10, -1}, {10, -1}, {5, -1}, {5, -2}} { // 25 feet to an act
		f.Must(act("a", "ride", "", "", withFacts("feet", c.feet)))
		f.WantHP("h", c.hp)
	}
}

// celesia.action.provoke: a mount that is pushed out of range by the answer to its shot does not
// shoot; the act is spent.
func TestMountPushedOutOfRange(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		shots  int
	}{"pushed": {"instead:shove", 0}, "let pass": {"no", 1}} {
		f := newTable(t).add(fighter("a", "party"), horse(spiked, func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }),
			fighter("b", "foes", unarmed(), defends(60)), fighter("c", "foes", cmb(30), sized("large"), abilities(&eventv1.CelesiaAbility{Name: "shove", Time: body.TimeOpportunity, Action: "bull-rush"})))
		f.at("a", 0, 10)
		f.at("h", 0, 0)
		f.at("c", 10, 0)
		f.at("b", 25, 0)
		f.start(nil, 19, 10, 5, 12)
		f.Must(act("a", "mount", "", "h"))
		for _, id := range []string{"a", "b", "c"} {
			f.End(id)
		}
		f.Must(act("a", "direct-mount", "", ""))
		f.Must(act("a", "mount-attack", "spike", "b", withFacts("into_melee", false)))
		f.Roller = func(int) int { return 10 }
		f.Answer(body.DecReaction+"/c", c.answer)
		if got := len(f.Attacks()); got != c.shots || f.acts("h") != 2 || f.noted(cite.ActionProvoke) != (c.shots == 0) {
			t.Errorf("%s: %d shots, %d acts; h at %v", name, got, f.acts("h"), f.Creature("h").Position)
		}
	}
}

// celesia.mount.cast-while-moving: whether the mount goes on is asked of one that can.
func TestNobodyAsksAStunnedMountToGoOn(t *testing.T) {
	for condition, asked := range map[string]bool{body.CondShaken: true, body.CondStunned: false} {
		f := cavalry(t, fighter("a", "party", spell(&eventv1.CelesiaSpell{Name: "s", Casting: "swift"})), horse(), fighter("b", "foes", unarmed()))
		f.Must(act("a", "ride", "", "", path([2]int32{50, 0})))
		f.Afflict("h", condition)
		if condition == body.CondStunned {
			f.Count("h", body.CActs, 2) // it was only told so
		}
		f.Must(act("a", "cast", "s", "a"))
		if got := len(f.Decisions) == 1 && f.Decisions[0].Name == saddle.DecRideOn; got != asked {
			t.Errorf("%s: open %v; %d acts", condition, f.Decisions, f.acts("h"))
		}
	}
}

// celesia.turn.reaction-timing, celesia.mount.shared-initiative: a mount that was told to fight
// reacts in the turns of others, and not in its rider's, which is its own.
func TestNoReactionsOfAMountInItsRidersTurn(t *testing.T) {
	for who, asked := range map[string]bool{"a": false, "p": true} { // whose spell b counters beside the horse
		bolt := spell(&eventv1.CelesiaSpell{Name: "bolt", Casting: "standard", Dice: "1d4", RangeFeet: 60})
		f := newTable(t).add(fighter("a", "party", bolt, unarmed()), fighter("b", "foes", features(body.FeatCounterspell), unarmed()),
			horse(func(s *eventv1.Sheet) { s.Controllers = []string{"a-player"} }), fighter("p", "party", bolt, unarmed()))
		f.at("a", 0, 10)
		f.at("h", 0, 0)
		f.at("b", 10, 0)
		f.at("p", 40, 0)
		f.start(nil, 10, 5, 19, 8) // h, a, p, b
		f.ends("h", "a", "p", "b")
		f.End("h") // its turn of the round, and its reaction for it
		f.Must(act("a", "mount", "", "h"))
		f.Must(act("a", "direct-mount", "", ""))
		if who == "p" {
			f.End("a")
		}
		f.Must(act(who, "cast", "bolt", "b"))
		f.Answer(body.DecReaction+"/b", "counterspell")
		got := slices.ContainsFunc(f.Decisions, func(d *eventv1.Decision) bool { return d.Creature == "h" })
		if got != asked {
			t.Errorf("in the turn of %s the horse is asked: %t; open %v, reactions %d", who, got, f.Decisions, f.Creature("h").Counters[body.CReactions])
		}
	}
}
