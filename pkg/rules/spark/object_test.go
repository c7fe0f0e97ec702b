package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// bashes has ara bash a thing while the orc passes.
func (f *table) bashes(dice []int, parameters ...any) {
	f.T.Helper()
	f.Must(act("ara", declaring.KindBash, "", "", withParameters(append([]any{"object", "thing"}, parameters...)...)))
	f.End("orc", dice...)
}

// spark.item.hardness-check, spark.item.hardness-table, spark.item.enchantment-hardness, spark.dice.meet-or-beat
func TestBash(t *testing.T) {
	for _, c := range []struct {
		name       string
		strength   int32
		parameters []any
		face       int
		dc         int32
		state      string
	}{
		{"wooden door, 13 of 13", 4, []any{"material", "wood"}, 9, 13, body.Broken},
		{"wooden door, 12 of 13", 4, []any{"material", "wood"}, 8, 13, body.Cracked},
		{"adamantine bar, 29 of 40", 9, []any{"material", "adamantine"}, 20, 40, body.Cracked},
		{"rope, 22 of 23", 3, []any{"material", "rope"}, 19, 23, body.Cracked},
		{"a natural 1 does nothing", 30, []any{"material", "glass"}, 1, 8, ""},
		{"mithral, enchantment 5", 0, []any{"material", "mithral", "enchantment", 5.0}, 20, 40, body.Cracked},
		{"steel, enchantment 2", 10, []any{"material", "iron-steel-or-deep-crystal", "enchantment", 2.0}, 20, 30, body.Broken},
		{"a DC stated beats the material", 0, []any{"material", "adamantine", "enchantment", 3.0, "dc", 12.0}, 12, 12, body.Broken},
		{"a DC alone", 0, []any{"dc", 12.0}, 11, 12, body.Cracked},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, func(s *eventv1.SparkSheet) { s.StrengthModifier = c.strength })
			f.bashes([]int{10, c.face}, c.parameters...)
			if r := f.Roll("bash/ara"); r.Target.Value != c.dc || r.Total != int32(c.face)+c.strength {
				t.Fatalf("%v", r)
			}
			if got := f.State.Marks[body.MObject+"thing"]; got != c.state {
				t.Fatalf("%q, want %q", got, c.state)
			}
		})
	}
}

// spark.item.hardness-table: cloth gives way without a roll; crystals differ
func TestBashCloth(t *testing.T) {
	f := duel(t)
	f.bashes([]int{10}, "material", "paper-or-cloth", "enchantment", 2.0)
	if f.State.Marks[body.MObject+"thing"] != body.Broken {
		t.Fatal("the cloth holds")
	}
	for material, want := range map[string]int32{"rope": 23, "glass": 8, "ice": 10, "leather-or-hide": 10, "wood": 13, "alchemical-silver": 20,
		"dragonhide": 20, "stone": 30, "mundane-crystal": 15, "iron-steel-or-deep-crystal": 28, "mithral": 35, "adamantine": 40} {
		if got := body.Hardness(nil, material, 0).Value; got != want {
			t.Errorf("%s: %d, want %d", material, got, want)
		}
	}
}

// spark.item.cracked: bashed again the same DC decides; what is broken is not bashed again
func TestBashAgain(t *testing.T) {
	f := duel(t)
	f.bashes([]int{10, 5}, "material", "wood")
	f.bashes([]int{10, 12}, "material", "wood") // 12 of 13: already cracked stays so
	if f.State.Marks[body.MObject+"thing"] != body.Cracked {
		t.Fatal("not cracked")
	}
	f.bashes([]int{10, 13}, "material", "wood")
	if f.State.Marks[body.MObject+"thing"] != body.Broken {
		t.Fatal("not broken")
	}
	wantRefused(t, f.Try(act("ara", declaring.KindBash, "", "", withParameters("object", "thing", "material", "wood"))), cite.ItemHardnessCheck)
}

// spark.item.hardness-check: it costs the attack action, with a move and a bonus action beside it
func TestBashPackage(t *testing.T) {
	f := duel(t, twoHanded)
	door := []any{"object", "door", "material", "wood"}
	wantRefused(t, f.Try(act("ara", declaring.KindBash, "", "", to(-35), withParameters(door...))), cite.ActionMove)
	f.Must(act("ara", declaring.KindBash, "", "", to(-30), withParameters(append(door, "bonus", "potion:potion")...)))
	f.Must(act("orc", declaring.KindMove, "", "", to(5)))
	f.Answer(body.DecOpportunity, "no", 10, 20, 5)
	deny := newTable(t, body.SetBonusWithBoth+"=deny").at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start()
	wantRefused(t, deny.Try(act("ara", declaring.KindBash, "", "", to(-30), withParameters(append(door, "bonus", "potion:potion")...))), cite.ActionFullMoveSingleAttack)
	for _, bad := range [][]any{{"material", "wood"}, {"object", "door"}, {"object", "door", "material", "cheese"}, {"object", "door", "dc", 0.0},
		{"object", "door", "material", "wood", "enchantment", -1.0}} {
		if err := duel(t).Try(act("ara", declaring.KindBash, "", "", withParameters(bad...))); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// spark.item.magic-save, spark.item.enchantment-hardness: the table's numbers, and a DC that the sheet overrides
func TestMagicalHardness(t *testing.T) {
	plus := func(w *eventv1.SparkWeapon, enchantment int32, material string, dc int32) *eventv1.SparkWeapon {
		w = magical(w, enchantment)
		w.Material, w.Hardness = material, dc
		return w
	}
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		want   int32
	}{{"steel sword +2", plus(sword, 2, "", 0), 30}, {"mithral blade +5", plus(sword, 5, "mithral", 0), 40}, {"wooden bow +2", plus(bow, 2, "", 0), 15},
		{"a DC on the sheet", plus(sword, 5, "mithral", 22), 22}, {"enchanted cloth gives way", plus(sword, 3, "paper-or-cloth", 0), -1}} {
		if got := body.HardnessOf(nil, c.weapon).Value; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	steel := magical(sword, 1)
	steel.DamageBonus = 4
	f := duel(t, armedWith(steel), func(s *eventv1.SparkSheet) { s.StrengthModifier = 3 })
	f.strikes("sword", 1, 4, 4, 18, 2)
	f.WantHP("orc", 30-12)
	if f.Creature("ara").Marks[body.MWeapon+"sword"] != body.Cracked {
		t.Fatal("21 broke a hardness of 29")
	}
	// Cracked and used: it breaks for good without a second check.
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("use_cracked", true)))
	f.End("orc", 14, 6)
	f.WantHP("orc", 18-10)
	if f.Creature("ara").Marks[body.MWeapon+"sword"] != body.Broken {
		t.Fatal("it is used and whole")
	}
}

// spark.fumble.missile-broken: a magical missile that holds is cracked: gathered, but shot only when repaired
func TestCrackedMissile(t *testing.T) {
	arrows := proto.CloneOf(bow)
	arrows.MissileEnchantment = 2
	f := duel(t, armedWith(arrows))
	f.strikes("bow", 1, 1, 2, 14) // 14 of 13 + 2
	f.strikes("bow", 1, 1, 2, 15)
	f.strikes("bow", 2)
	n := f.Creature("ara").Counters
	if n[body.CAmmunition+"bow"] != 9 || n[body.CCracked+"bow"] != 1 || n[body.CSpent+"bow"] != 1 {
		t.Fatalf("%v", n)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	f.Tend(gearOf("gather", "bow"))
	if n = f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 10 || n[body.CSpent+"bow"] != 0 {
		t.Fatalf("gathered: %v", n)
	}
	f.Tend(gearOf("repair", "bow"))
	if n = f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 11 || n[body.CCracked+"bow"] != 0 {
		t.Fatalf("repaired: %v", n)
	}
}
