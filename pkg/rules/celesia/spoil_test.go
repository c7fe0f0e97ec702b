package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// carrying gives a sheet things.
func carrying(list ...*eventv1.CelesiaThing) func(*eventv1.Sheet) {
	return section(func(c *eventv1.CelesiaSheet) { c.Things = append(c.Things, list...) })
}

// heavy is a weapon whose damage is its one die of so many sides.
func heavy(sides int32) func(*eventv1.Sheet) {
	return weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d" + body.Itoa(sides), Hands: 1})
}

func TestSunder(t *testing.T) {
	shield := func(hp int32) func(*eventv1.Sheet) {
		return carrying(&eventv1.CelesiaThing{Name: "shield", Kind: body.ThingShield, Hardness: 10, HitPoints: hp, Place: "off"})
	}
	on := withParameters("thing", "shield")
	t.Run(cite.ManeuverSunder, func(t *testing.T) {
		f := duel(t, fighter("a", "party", heavy(20)), fighter("b", "foes", shield(20), unarmed()))
		thing := func() map[string]int32 { return f.Creature("b").Items["shield"].Values }
		f.Must(act("a", "sunder", "w", "b", on), 20, 14) // 4 through
		if thing()[body.ValueHP] != 16 || thing()[body.ValueBroken] != 0 {
			t.Errorf("14 damage: %v", thing())
		}
		f.Must(act("a", "sunder", "w", "b", on), 20, 9) // nothing through hardness 10
		if thing()[body.ValueHP] != 16 {
			t.Errorf("9 damage: %v", thing())
		}
		f.Must(act("a", "sunder", "w", "b", on), 20, 16) // 6 through: exactly half
		if thing()[body.ValueHP] != 10 || thing()[body.ValueBroken] != 1 {
			t.Errorf("16 damage: %v", thing())
		}
		if f.acts("a") != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run("celesia.maneuver.sunder halves are exact", func(t *testing.T) {
		f := duel(t, fighter("a", "party", heavy(20)), fighter("b", "foes", shield(15), unarmed()))
		f.Must(act("a", "sunder", "w", "b", on), 20, 17) // 15 to 8: more than half
		if f.Creature("b").Items["shield"].Values[body.ValueBroken] != 0 {
			t.Error("8 of 15 is not broken")
		}
		f.Must(act("a", "sunder", "w", "b", on), 20, 11) // to 7
		if f.Creature("b").Items["shield"].Values[body.ValueBroken] != 1 {
			t.Error("7 of 15 is broken")
		}
	})
	for choice, want := range map[string]string{"spare": body.PlaceOff, "destroy": body.PlaceGone} {
		t.Run("celesia.maneuver.sunder-destroy "+choice, func(t *testing.T) {
			f := duel(t, fighter("a", "party", heavy(20)), fighter("b", "foes", unarmed(),
				carrying(&eventv1.CelesiaThing{Name: "shield", Kind: body.ThingShield, Hardness: 5, HitPoints: 6, Place: "off"})))
			f.Must(act("a", "sunder", "w", "b", on), 20, 15)
			f.Answer(checks.DecDestroy, choice)
			it := f.Creature("b").Items["shield"]
			if it.Place != want || choice == "spare" && (it.Values[body.ValueHP] != 1 || it.Values[body.ValueBroken] != 1) {
				t.Errorf("%v", it)
			}
		})
	}
	t.Run(cite.DiceDisBrokenWeapon, func(t *testing.T) {
		f := duel(t, fighter("a", "party", heavy(20)), fighter("b", "foes", weapon(&eventv1.CelesiaWeapon{Name: "sword", Kind: "melee", Dice: "1d8", Hands: 1, HitPoints: 4, AttackBonus: 2})))
		f.Must(act("a", "sunder", "w", "b"), 20, 2)
		f.End("a")
		f.Must(act("b", "attack", "sword", "a"), 16, 7) // broken at 2 of 4: keeps 7, 14 against 15
		if f.Attack().Outcome != "miss" {
			t.Error("14 misses")
		}
	})
	t.Run("celesia.maneuver.sunder which thing, and nothing to break", func(t *testing.T) {
		f := duel(t, fighter("a", "party", heavy(20)), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "sunder", "w", "b")), cite.ManeuverSunder)
		f = duel(t, fighter("a", "party", heavy(20)), fighter("b", "foes", shield(20), carrying(&eventv1.CelesiaThing{Name: "mail", HitPoints: 30, Place: body.PlaceWorn})))
		f.Must(act("a", "sunder", "w", "b"))
		f.Answer(checks.DecThing, "mail", 20, 3)
		if f.Creature("b").Items["mail"].Values[body.ValueHP] != 27 {
			t.Errorf("mail %v", f.Creature("b").Items["mail"])
		}
	})
}

func TestSteal(t *testing.T) {
	pouch := func(fastened int32) func(*eventv1.Sheet) {
		return carrying(&eventv1.CelesiaThing{Name: "pouch", Fastened: fastened})
	}
	bare := section(func(c *eventv1.CelesiaSheet) { c.Weapons = c.Weapons[1:2] })
	for _, tc := range []struct {
		rule     string
		fastened int32
		facts    []any
		face     int
		taken    bool
	}{
		{cite.ManeuverSteal, 0, nil, 9, true},
		{cite.ManeuverStealFastened, 5, nil, 13, false},
		{"celesia.maneuver.steal-fastened reached", 5, nil, 14, true},
		{"celesia.maneuver.steal-fastened better, by the game master", 5, []any{"fastened", 8}, 16, false},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(9), bare), fighter("b", "foes", cmd(18), pouch(tc.fastened)))
			f.Must(act("a", "steal", "", "b", withParameters("thing", "pouch"), withFacts(tc.facts...)), tc.face)
			if got := f.Creature("a").Items["pouch"].GetPlace() == body.PlaceMain; got != tc.taken || f.acts("a") != 1 {
				t.Errorf("taken %v, %d acts", got, f.acts("a"))
			}
			if lost := f.Creature("b").Items["pouch"].Place == body.PlaceGone; lost != tc.taken {
				t.Errorf("gone from its owner: %v", lost)
			}
		})
	}
	t.Run("celesia.maneuver.steal refused", func(t *testing.T) {
		both := section(func(c *eventv1.CelesiaSheet) {
			c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dagger", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
		})
		f := duel(t, fighter("a", "party", both), fighter("b", "foes", pouch(0)))
		wantRefused(t, f.Try(act("a", "steal", "", "b")), cite.ManeuverSteal)
		glaive := weapon(&eventv1.CelesiaWeapon{Name: "glaive", Kind: "melee", Dice: "1d10", Hands: 1, Reach: true})
		f = duel(t, fighter("a", "party", glaive), fighter("b", "foes", pouch(0)))
		f.at("b", 10, 0)
		wantRefused(t, f.Try(act("a", "steal", "glaive", "b")), cite.ManeuverSteal)
		f = duel(t, fighter("a", "party", bare), fighter("b", "foes", pouch(0), carrying(&eventv1.CelesiaThing{Name: "breastplate", Place: body.PlaceWorn})))
		wantRefused(t, f.Try(act("a", "steal", "", "b", withParameters("thing", "breastplate"))), cite.ManeuverStealFastened)
		wantRefused(t, f.Try(act("a", "steal", "", "b", withParameters("thing", "sword"))), cite.ManeuverSteal)
	})
	t.Run("celesia.maneuver.steal named before the check", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9), bare), fighter("b", "foes", cmd(18), pouch(0), carrying(&eventv1.CelesiaThing{Name: "key"})))
		f.Must(act("a", "steal", "", "b"))
		f.Answer(checks.DecThing, "key", 9)
		if f.Creature("a").Items["key"].GetPlace() != body.PlaceMain {
			t.Error("the key is not taken")
		}
		f.Must(act("a", "drop-item", "key", "")) // what was taken can be dropped again
	})
	t.Run("celesia.maneuver.disarm carried", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(9)), fighter("b", "foes", cmd(18), unarmed(), pouch(0)))
		f.Must(act("a", "disarm", "", "b"), 9)
		if f.Creature("b").Items["pouch"].Place != body.PlaceDropped {
			t.Error("what is carried in sight falls too")
		}
	})
}

func TestDirtyTrick(t *testing.T) {
	for _, tc := range []struct {
		rule   string
		face   int
		rounds int
	}{
		{cite.ManeuverDirtyTrick, 9, 1},
		{"celesia.maneuver.dirty-trick margin 11", 20, 3},
		{"celesia.maneuver.dirty-trick nothing", 8, 0},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", cmb(8)), fighter("b", "foes", cmd(17)))
			f.Must(act("a", "dirty-trick", "", "b"), tc.face)
			if tc.rounds == 0 {
				if len(f.Decisions) > 0 || len(f.Creature("b").Conditions) > 0 {
					t.Error("a failure brought something")
				}
				return
			}
			if d := f.Decisions[0]; len(d.Options) != 6 || d.Creature != "a" {
				t.Fatalf("asked %v", d)
			}
			f.Answer(checks.DecTrick, "dazzled")
			for n := 1; n <= tc.rounds; n++ {
				if !body.Has(f.Creature("b"), "dazzled") {
					t.Fatalf("over in round %d of %d", n, tc.rounds)
				}
				f.End("a")
				f.End("b")
			}
			if body.Has(f.Creature("b"), "dazzled") {
				t.Error("not over")
			}
		})
	}
	t.Run(cite.ManeuverDirtyTrickRemove, func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {15, 0}}, fighter("a", "party", cmb(8)), fighter("b", "foes", cmd(17)), fighter("c", "foes"))
		f.Must(act("a", "dirty-trick", "", "b"), 20)
		f.Answer(checks.DecTrick, "blinded")
		f.End("a")
		f.Must(act("b", "remove-trick", "", "b"))
		if len(f.Decisions) > 0 || body.Has(f.Creature("b"), body.CondBlind) || f.acts("b") != 2 {
			t.Error("1 act, no provocation, gone")
		}
		wantRefused(t, f.Try(act("b", "remove-trick", "", "b")), cite.ManeuverDirtyTrickRemove)
	})
	t.Run("celesia.maneuver.dirty-trick-remove by an ally", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {15, 0}}, fighter("a", "party", cmb(8)), fighter("b", "foes", cmd(17)), fighter("c", "foes"))
		f.Must(act("a", "dirty-trick", "", "b"), 20)
		f.Answer(checks.DecTrick, "entangled")
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("c", "remove-trick", "", "b")), cite.ManeuverDirtyTrickRemove) // 10 feet away
		f.Must(act("c", "move", "", "", way(10, 0)))
		f.Must(act("c", "remove-trick", "", "b"))
		if body.Has(f.Creature("b"), "entangled") {
			t.Error("still there")
		}
	})
}

func TestFeint(t *testing.T) {
	bluff := func(n int32) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) { c.Skills = map[string]int32{"bluff": n} })
	}
	motive := func(n int32, trained bool) func(*eventv1.Sheet) {
		return section(func(c *eventv1.CelesiaSheet) {
			c.Skills = map[string]int32{"sense-motive": n}
			if trained {
				c.Trained = []string{"sense-motive"}
			}
		})
	}
	foe := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return fighter("b", "foes", append([]func(*eventv1.Sheet){attacks(4), ability("wisdom", 12)}, change...)...)
	}
	for _, tc := range []struct {
		rule    string
		b       *eventv1.Sheet
		face    int
		dc      int32
		success bool
	}{
		{cite.ActionFeint, foe(), 6, 15, true},
		{"celesia.action.feint trained", foe(motive(9, true)), 9, 19, false},
		{"celesia.action.feint trained, lower", foe(motive(3, true)), 6, 15, true},
		{"celesia.action.feint untrained", foe(motive(9, false)), 6, 15, true},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			f := duel(t, fighter("a", "party", bluff(9)), tc.b)
			f.Must(act("a", "feint", "", "b"), tc.face)
			if got := f.Roll("feint"); got.Target.Value != tc.dc || body.Has(f.Creature("b"), body.CondFeinted) != tc.success || f.acts("a") != 1 {
				t.Errorf("DC %d, success %v, %d acts", got.Target.Value, body.Has(f.Creature("b"), body.CondFeinted), f.acts("a"))
			}
		})
	}
	beast := section(func(c *eventv1.CelesiaSheet) { c.Humanoid = false })
	t.Run(cite.ActionFeintCreatures, func(t *testing.T) {
		spider := fighter("b", "foes", beast)
		delete(spider.Abilities, "intelligence")
		wantRefused(t, duel(t, fighter("a", "party", bluff(12)), spider).Try(act("a", "feint", "", "b")), cite.ActionFeintCreatures)
		f := duel(t, fighter("a", "party", bluff(12)), fighter("b", "foes", beast, attacks(1), ability("wisdom", 12, "intelligence", 2)))
		f.Must(act("a", "feint", "", "b"), 8) // 8 + 12 - 8 = 12 against 12
		if !body.Has(f.Creature("b"), body.CondFeinted) {
			t.Error("the wolf is misled")
		}
		f = duel(t, fighter("a", "party", bluff(12)), fighter("b", "foes", beast, attacks(11), ability("wisdom", 18, "intelligence", 12)))
		f.Must(act("a", "feint", "", "b"), 16) // 16 + 12 - 4 = 24 against 25
		if body.Has(f.Creature("b"), body.CondFeinted) {
			t.Error("the dragon is misled")
		}
	})
	agile := section(func(c *eventv1.CelesiaSheet) { c.Defense, c.DefenseDexterity = 17, 3 })
	t.Run(cite.ActionFeintEffect, func(t *testing.T) {
		f := duel(t, fighter("a", "party", bluff(9), attacks(6)), foe(agile))
		f.Must(act("a", "feint", "", "b"), 6)
		f.Must(act("a", "attack", "sword", "b"), 8, 1) // 14 against 14
		if f.Attack().Outcome != "hit" || body.Has(f.Creature("b"), body.CondFeinted) {
			t.Error("14 hits DV 14, once")
		}
	})
	t.Run(cite.FeatImprovedFeint, func(t *testing.T) {
		f := duel(t, fighter("a", "party", bluff(9), attacks(6), features(body.FeatFeint)), foe(agile))
		f.Must(act("a", "feint", "", "b"), 6)
		f.Must(act("a", "attack", "sword", "b"), 8, 1)
		f.Must(act("a", "attack", "sword", "b"), 8)
		if f.Attack().Outcome != "miss" || f.acts("a") != 0 {
			t.Error("only the first attack meets the lowered DV")
		}
	})
	t.Run("celesia.action.feint-effect against others and in time", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party", bluff(9), attacks(6)), foe(agile), fighter("c", "party", attacks(6)))
		f.Must(act("a", "feint", "", "b"), 6)
		f.End("a")
		f.End("b")
		f.Must(act("c", "attack", "sword", "b"), 8) // DV 17 for an ally
		f.End("c")
		f.Must(act("a", "attack", "sword", "b"), 8, 1) // the next turn still counts
		if f.Attack().Outcome != "hit" {
			t.Error("14 hits DV 14 in the feinter's next turn")
		}
		f.Must(act("a", "feint", "", "b"), 6)
		for _, id := range []string{"a", "b", "c", "a"} {
			f.End(id)
		}
		if body.Has(f.Creature("b"), body.CondFeinted) {
			t.Error("still feinted after the feinter's next turn")
		}
	})
}
