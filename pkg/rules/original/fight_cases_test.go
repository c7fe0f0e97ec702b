package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.charge.move
func TestHowFarIsACharge(t *testing.T) {
	for _, c := range []struct {
		name       string
		walked, at int32
		action     string
		rule       string
	}{
		{"3 of 6 inches is an ordinary move", 30, 40, "move", ""},
		{"3.5 is no ordinary move", 35, 45, "move", cite.MovementHalfMoveAndAttack},
		{"3.5 is a charge", 35, 45, "charge", ""},
		{"6 is the longest", 60, 70, "charge", ""},
		{"6.5 is too far", 65, 75, "charge", cite.ChargeEndWithin10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", speed(60))).at(c.at, strongFoe()).start(nil, 6, 1)
			cmd, faces := act("a", "charge", "sword", "b", withParameters("feet", c.walked)), []int{2}
			if c.action == "move" {
				cmd, faces = act("a", "move", "", "", path(c.walked)), nil
			}
			if c.rule != "" {
				wantRefused(t, f.Try(cmd), c.rule)
				return
			}
			f.Must(cmd, faces...)
			if c.action == "move" {
				f.Must(act("a", "attack", "sword", "b"), 2)
			}
			if charged := f.Creature("a").Counters[body.CCharged] > 0; charged != (c.action == "charge") {
				t.Fatalf("charged: %v", charged)
			}
		})
	}
}

// original.charge.lance: standing still it is an ordinary weapon.
func TestLanceWithoutACharge(t *testing.T) {
	lance := &eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}
	f := newTable(t).at(0, one("a", "party", need(5), arms(lance), mounted, with(func(o *eventv1.OriginalSheet) { o.ChargingBeast = true }))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "lance", "b"), 15, 3)
	if got := f.DamageTo("b"); got != 4 {
		t.Fatalf("1d6+1 is 4, not %d", got)
	}
}

// original.charge.first-attack-only: a level 3 fighter among three orcs.
func TestChargeAmongThree(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 3), str(1), need(13)))
	for i := range int32(3) {
		f.at(70+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), points(50)))
	}
	f.start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "orc-1", withParameters("feet", 68)), 10, 4)
	if f.Attack().Outcome != "hit" || f.DamageTo("orc-1") != 12 {
		t.Fatalf("10+2+1 hits for (4+1+1) x 2, not %d", f.DamageTo("orc-1"))
	}
	f.Must(act("a", "attack", "sword", "orc-2"), 12, 4)
	if f.Attack().Outcome != "hit" || f.DamageTo("orc-2") != 6 {
		t.Fatalf("12+1 hits for 6, not %d", f.DamageTo("orc-2"))
	}
	f.End("a")
	for _, id := range []string{"orc-1", "orc-2", "orc-3"} {
		f.End(id)
	}
	f.WantActive("a") // the last attack falls at the end of the round
	f.Must(act("a", "attack", "sword", "orc-3"), 11)
	if f.Attack().Outcome != "miss" {
		t.Fatal("11+1 misses")
	}
}

// original.damage.surprise-subdual: a blackjack.
func TestBlackjack(t *testing.T) {
	jack := &eventv1.OriginalWeapon{Name: "blackjack", Damage: "1d4"}
	f := newTable(t).at(0, one("a", "party", class("thief", 1), dex(0), arms(jack))).at(5, strongFoe()).start(object("surprised", []string{"monsters"}))
	f.Must(act("a", "attack", "blackjack", "b", withParameters("subdue", true)), 15, 3, 4)
	if got := f.Creature("b").Counters[body.CTemporary]; got != 7 {
		t.Fatalf("3+4 is 7, not %d", got)
	}
}

// original.healing.temporary-damage: a Turn that passes in the fight counts.
func TestATurnOfFightingBringsTemporaryDamageBack(t *testing.T) {
	f := newTable(t, body.SetTurnRounds+"=2").add(one("a", "party"), one("orc", "orcs", points(6))).start(nil, 6, 1)
	f.Put("orc", &eventv1.Vitals{Hp: new(int32), Counters: map[string]int64{body.CTemporary: 6}})
	if !body.Out(f.Creature("orc")) || body.Dead(f.Creature("orc")) {
		t.Fatal(f.Creature("orc"))
	}
	f.End("a")
	f.End("a")
	if f.State.Round != 3 || body.Out(f.Creature("orc")) || f.Creature("orc").GetHp() != 1 {
		t.Fatalf("round %d: %v", f.State.Round, f.Creature("orc").GetHp())
	}
}

// original.action.parry: before one's own turn as well, but not after an attack.
func TestParryBeforeOnesTurn(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", ac(4))).at(5, one("orc", "orcs", ac0(19))).start(nil, 1, 6)
	f.WantActive("orc")
	f.Must(act("a", "parry", "", ""))
	f.Must(act("orc", "attack", "sword", "a"), 16)
	if f.Attack().Outcome != "miss" {
		t.Fatal("AC 2, base need 17")
	}
	f.End("orc")
	wantRefused(t, f.Try(act("a", "attack", "sword", "orc")), cite.ActionParry)
	f.End("a")
	f.Afflict("a", body.CondStruggling)
	wantRefused(t, f.Try(act("a", "parry", "", "")), cite.GrappleTieStruggling)
}

// original.defense.shield-two-attackers: the defender names the two before the
// first blow, in nobody's turn but the foes'.
func TestTheDefenderNamesTheTwo(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("cleric", 1), ac(3), shield(1), points(99)))
	for i := range int32(3) {
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", ac0(19), group("orcs")))
	}
	f.start(nil, 1, 6)
	f.Must(act("hero", "shield", "", "orc-2,orc-3"))
	wantRefused(t, f.Try(act("hero", "shield", "", "orc-1")), cite.DefenseShieldTwoAttackers)
	f.Must(act("orc-1", "attack", "sword", "hero"), 15, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal("orc 1 is not one of the two: 15+1 meets 16")
	}
	f.Must(act("orc-3", "attack", "sword", "hero"), 15)
	if f.Attack().Outcome != "miss" {
		t.Fatal("the shield is held against orc 3: 16 against 17")
	}
}

// original.fumble.table
func TestFumbleTable(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.OriginalWeapon
		friend int32 // feet, 0 for none
		faces  []int
		want   string
	}{
		{"1 drops", sword2, 0, []int{1}, "dropped"},
		{"3 drops", sword2, 0, []int{3}, "dropped"},
		{"4 stumbles", sword2, 0, []int{4}, "stumbled"},
		{"5 stumbles", sword2, 0, []int{5}, "stumbled"},
		{"6 without a friend drops", sword2, 0, []int{6}, "dropped"},
		{"6 with a friend too far off drops", sword2, 11, []int{6}, "dropped"},
		{"6 strikes the friend", sword2, 10, []int{6, 4}, "friend"},
		{"claws do not drop", claws, 0, []int{2}, "stumbled"},
		{"6 with claws and nobody near", claws, 0, []int{6}, "stumbled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", arms(c.weapon))).at(5, strongFoe())
			start := []int{6, 1}
			if c.friend > 0 {
				f.at(-c.friend, one("friend", "party"))
				start = []int{6, 5, 1}
			}
			f.start(nil, start...)
			f.Must(act("a", "attack", c.weapon.Name, "b"), append([]int{1, 20}, c.faces...)...)
			got := ""
			switch {
			case body.Dropped(f.Creature("a"), c.weapon):
				got = "dropped"
			case body.ConditionOf(f.Creature("a"), body.CondStumbled).GetUntil().GetRound() == 2:
				got = "stumbled"
			case f.DamageTo("friend") == 5:
				got = "friend"
			}
			if got != c.want {
				t.Fatalf("%q, want %q", got, c.want)
			}
			for f.State.Round == 1 {
				f.End(f.State.Active[0])
			}
			err := f.Try(act("a", "attack", c.weapon.Name, "b"), 2)
			if c.want == "friend" != (err == nil) {
				t.Fatalf("in the next round: %v", err)
			}
			if err != nil {
				wantRefused(t, err, cite.FumbleTable)
			}
		})
	}
}

// original.grapple.contest, original.grapple.thrown-off, original.grapple.new-initiative
func TestGrappleOfOne(t *testing.T) {
	thief := one("thief", "party", class("thief", 2), points(50), ac(9))
	f := newTable(t).at(0, thief).at(5, one("ogre", "foes", with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus = 4, 1 }))).start(nil, 1, 6)
	f.Must(act("ogre", "grapple", "", "thief"), 15, 3, 3, 2, 1, 5, 4)
	if !body.Has(f.Creature("thief"), body.CondStruggling) {
		t.Fatal("9 against 9 is a tie")
	}
	f = newTable(t).at(0, thief).at(5, one("orc", "foes")).start(nil, 1, 6)
	f.Must(act("orc", "grapple", "", "thief"), 15, 6, 4, 3, 4, 3) // and morale: all are out
	if x := body.ConditionOf(f.Creature("orc"), body.CondStunned); x == nil || x.Until.Round != 1+1 {
		t.Fatalf("7 against 6: stunned 1 round: %v", x)
	}
	if f.State.Marks[body.MReroll] != "" {
		t.Fatal("nobody else attacks: no new initiative")
	}
}

// original.grapple.to-hit: a hold harms nobody, so what harms the foe does not matter.
func TestAWerewolfCanBeGrappled(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", need(10))).at(5, strongFoe(with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"silver"} }))).start(nil, 6, 1)
	f.Must(act("a", "grapple", "", "b"), 15, 1, 6, 6, 6, 6)
	if got := f.Attacks(); !slices.Equal(got, []string{"a hit"}) {
		t.Fatal(got)
	}
}

// original.initiative.roll: DEX adds nothing.
func TestInitiativeHasNoDex(t *testing.T) {
	f := newTable(t).add(one("a", "party", dex(3)), one("orc", "orcs")).start(nil, 3, 4)
	f.WantActive("orc")
	if got := thestrike.DieOf(f.State, "a"); got != 3 {
		t.Fatalf("%d", got)
	}
}

// original.initiative.fighters-first-and-last
func TestLevelTwoFighter(t *testing.T) {
	duel := func() *table {
		return newTable(t).at(0, one("fighter", "party", class("fighter", 2), points(5))).at(5, one("orc", "orcs", need(5), points(50))).start(nil, 6, 3)
	}
	if got := order(duel()); got != "first:fighter slot:fighter slot:orc last:fighter" {
		t.Fatal(got)
	}
	f := duel()
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	f.End("fighter") // its own slot, between
	f.Must(act("orc", "attack", "sword", "fighter"), 15, 6)
	f.End("orc")
	if f.State.Round != 2 {
		t.Fatal("the dead fighter has no last attack")
	}
}

// original.morale.when: the stunned and held count as out; original.morale.table
func TestHalfIncapacitated(t *testing.T) {
	f := newTable(t).add(one("hero", "party", class("thief", 1)))
	for i := range 10 {
		f.add(one("g"+body.Itoa(i), "goblins", group("goblins"), points(3)))
	}
	f.start(nil, 6, 1)
	none := int32(0)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "g0", Vitals: &eventv1.Vitals{Hp: &none}}}}, 1, 1)
	f.Put("g1", &eventv1.Vitals{Hp: &none})
	f.Put("g2", &eventv1.Vitals{Hp: &none})
	f.Afflict("g3", body.CondStunned)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "g4",
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHeld, Cause: "test"}}}}}}, 4, 4)
	if got := f.Roll("morale/goblins"); got.Outcome != "failure" {
		t.Fatalf("3 dead, 2 out of 10: 8 is over 7: %v", got)
	}
}

// original.mass.grouping: a unit attacks and is attacked as one man.
func TestAUnitHasTheNumbersOfOneMan(t *testing.T) {
	f := newTable(t, body.SetMassPoints+"=off").at(0, one("a", "party")).at(5, one("u", "orcs", unit(10), points(35), ac(6))).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "u"), 13, 3)
	if got := f.Roll("to-hit").Target.Value; got != 13 || f.DamageTo("u") != 4 {
		t.Fatalf("need %d, damage %d: one man's is not multiplied", got, f.DamageTo("u"))
	}
	f.End("a")
	f.Must(act("u", "attack", "sword", "a"), 14, 3)
	if got := f.Roll("to-hit").Target.Value; got != 14 || f.DamageTo("a") != 3 {
		t.Fatalf("need %d, damage %d: one die, not multiplied", got, f.DamageTo("a"))
	}
}

// original.damage.untrained: a medium weapon.
func TestUntrainedMedium(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", arms(flail), ability("strength", 12))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "flail", "b"), 15, 3)
	if got := f.DamageTo("b"); got != 3 {
		t.Fatalf("%d", got)
	}
}

// original.fumble.critical-fumble-check: a check has no degrees, passed or not.
func TestFumbleChecksHaveNoDegrees(t *testing.T) {
	for face, outcome := range map[int]string{3: "success", 4: "fumble"} {
		f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", class("fighter", 3))).at(5, strongFoe()).start(nil, 6, 1)
		dice := []int{1, face}
		if outcome == "fumble" {
			dice = append(dice, 1)
		}
		f.Must(act("a", "attack", "sword", "b"), dice...)
		if roll := f.Roll("/fumble-check"); roll.Outcome != outcome || roll.Degree != 0 {
			t.Errorf("%d: %v", face, roll)
		}
	}
}
