package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// hasNote tells whether the last command said something.
func (f *table) hasNote(text string) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool { return e.GetNote() != nil && e.GetNote().Text == text })
}

// spark.fumble.alt-stray-melee: friend or foe within 5 ft, a second attack roll, no sneak attack
func TestAltStrayMelee(t *testing.T) {
	sneaky := func(s *eventv1.SparkSheet) { s.SneakAttack = "2d6" }
	for _, c := range []struct {
		name         string
		faces        []int
		wen, orc2    int32
		withoutOther bool
	}{
		{"14 against Wen's 13", []int{1, 8, 2, 9, 5}, 8, 0, false},
		{"13 against the second orc's 14", []int{1, 8, 1, 8}, 0, 0, false},
		{"a critical is a critical", []int{1, 8, 2, 20, 13, 5}, 24, 0, false},
		{"a natural 1 is only a miss", []int{1, 8, 2, 1}, 0, 0, false},
		{"nobody else within 5 ft", []int{1, 8}, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", sneaky)).at(5, fighter("orc", "monsters"))
			if !c.withoutOther {
				f.atXY(0, 5, fighter("wen", "party", func(s *eventv1.SparkSheet) { s.ArmorClass = 13 })).
					atXY(0, -5, fighter("orc2", "monsters")).at(-10, fighter("far", "monsters"))
			}
			f.start()
			f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("sneak", true)))
			for len(f.State.Active) > 1 {
				f.End(f.State.Active[0])
			}
			f.End(f.State.Active[0], c.faces...)
			f.WantHP("orc", 30)
			if !c.withoutOther {
				f.WantHP("wen", 30-c.wen)
				f.WantHP("orc2", 30-c.orc2)
			}
		})
	}
	// The dice of a sneak attack do count on the target itself, and are multiplied with the rest.
	f := alt(t, sneaky)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("sneak", true)))
	f.End("orc", 15, 1, 2, 3)
	f.WantHP("orc", 30-(1+3+2+3))
}

// spark.fumble.alt-self-wound: half of normal damage without sneak attack dice; others throw again
func TestAltSelfWound(t *testing.T) {
	sneaky := func(s *eventv1.SparkSheet) { s.SneakAttack = "2d6" }
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		faces  []int
		lost   int32
		rule   string
	}{
		{"sword", sword, []int{1, 9, 4}, 3, cite.FumbleAltSelfWound},
		{"spear, rolled again twice", spear, []int{1, 9, 9, 20, 75}, 0, cite.FumbleAltAccident},
		{"flail", flail, []int{1, 9, 5}, 3, cite.FumbleAltSelfWound},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := alt(t, armedWith(c.weapon), sneaky)
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc", withParameters("sneak", true)))
			f.End("orc", c.faces...)
			f.WantHP("ara", 30-c.lost)
			f.WantHP("orc", 30)
			if got := f.fumbleRules(); !slices.Contains(got, c.rule) {
				t.Fatalf("%v", got)
			}
		})
	}
}

// spark.fumble.alt-stray-ranged: 10 ft of the target at short range, 30 ft at long range
func TestAltStrayRanged(t *testing.T) {
	shooting := proto.CloneOf(bow)
	shooting.AttackModifier, shooting.RangeFeet, shooting.LongRangeFeet = 6, 30, 100
	throwing := proto.CloneOf(hurled)
	throwing.RangeFeet = 30
	throwing.LongRangeFeet = 60
	for _, c := range []struct {
		name      string
		weapon    *eventv1.SparkWeapon
		at        int32
		alone     bool
		faces     []int
		wen, orc2 int32
	}{
		{"short range, only Wen: 13 against 12", shooting, 30, false, []int{1, 11, 7, 3}, 4, 0},
		{"long range, the second orc: 16 against 17", throwing, 60, false, []int{1, 18, 1, 10}, 0, 0},
		{"long range, Wen", throwing, 60, false, []int{1, 18, 2, 10, 3}, 4, 0},
		{"long range, nobody", shooting, 60, true, []int{1, 9}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", armedWith(c.weapon))).at(c.at, fighter("orc", "monsters"))
			if !c.alone {
				f.at(c.at+10, fighter("wen", "party", func(s *eventv1.SparkSheet) { s.ArmorClass = 12 })).
					at(c.at+30, fighter("orc2", "monsters", func(s *eventv1.SparkSheet) { s.ArmorClass = 17 }))
			}
			f.start()
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc", withParameters("throw", true)))
			for len(f.State.Active) > 1 {
				f.End(f.State.Active[0])
			}
			f.End(f.State.Active[0], c.faces...)
			f.WantHP("orc", 30)
			if n := f.Creature("ara").Counters; n[body.CSpent+c.weapon.Name] != 1 {
				t.Errorf("the missile: %v", n)
			}
			if !c.alone {
				f.WantHP("wen", 30-c.wen)
				f.WantHP("orc2", 30-c.orc2)
			}
		})
	}
}

// spark.fumble.alt-stray-ranged: without a map the facts or the game master tell who is near
func TestAltStrayWithoutAMap(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").add(fighter("ara", "party"), fighter("orc", "monsters"), fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.End("orc")
	f.End("wen", 1, 9)
	if d := f.Decisions[0]; d.Name != body.DecNearest || !d.GmOnly || len(d.Options) != 2 {
		t.Fatalf("%v", d)
	}
	f.Choose("wen", 9, 1)
	f.WantHP("wen", 28)
	f.Must(act("ara", declaring.KindAttack, "bow", "orc", withFacts("near", []string{"wen", "orc"})))
	f.End("orc")
	f.End("wen", 1, 9, 9, 1)
	f.WantHP("wen", 26)
}

// spark.fumble.alt-slip-up-natural: more than two legs are immune, but not with a weapon
func TestAltSlipUpNatural(t *testing.T) {
	for _, c := range []struct {
		name   string
		legs   int32
		weapon *eventv1.SparkWeapon
		faces  []int
		prone  bool
	}{
		{"wolf", 4, bite, []int{1, 17}, false},
		{"ape", 2, bite, []int{1, 10, 11}, true},
		{"three legs", 3, bite, []int{1, 10}, false},
		{"legs not stated", 0, bite, []int{1, 10, 11}, true},
		{"centaur with a sword", 4, sword, []int{1, 10, 11}, true},
	} {
		f := alt(t, armedWith(c.weapon), func(s *eventv1.SparkSheet) { s.Legs, s.Reflex = c.legs, 3 })
		f.strikes(c.weapon.Name, c.faces...)
		if got := body.Has(f.Creature("ara"), body.CondProne); got != c.prone {
			t.Errorf("%s: prone %v", c.name, got)
		}
	}
}

// spark.fumble.alt-pulled-legs
func TestAltPulledLegs(t *testing.T) {
	nimble := func(s *eventv1.SparkSheet) {
		s.Fortitude, s.DexterityModifier, s.ArmorClass, s.Initiative = 2, 3, 17, 3
	}
	f := alt(t, nimble)
	f.strikes("sword", 1, 16, 13) // 15
	if body.SpeedOf(f.Creature("ara")) != 30 || body.ArmorOf(f.Creature("ara")) != 17 {
		t.Fatal("15 did not save")
	}
	f.strikes("sword", 1, 16, 12) // 14
	ara := f.Creature("ara")
	if body.SpeedOf(ara) != 15 || body.ArmorOf(ara) != 14 || body.InitiativeOf(ara) != 0 {
		t.Fatalf("speed %d, AC %d, initiative %d", body.SpeedOf(ara), body.ArmorOf(ara), body.InitiativeOf(ara))
	}
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-20))), cite.ActionMove)
	f.End("ara")
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 9, 1) // 14 against 14
	f.WantAttacks("orc hit")
	f.End("orc")
	f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "kick the door in", "strength_check", "lower", "dc", 12.0)), 10, 13, 11)
	if got := f.Roll("order/ara").Total; got != 10 {
		t.Fatalf("initiative %d", got)
	}
	if r := f.Roll("check/ara"); r.Expression != "2d20kl1" || r.Outcome != "failure" {
		t.Fatalf("%v", r)
	}
	f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "lift", "strength_check", "upper", "dc", 12.0)))
	f.End("orc", 10, 12)
	if r := f.Roll("check/ara"); r.Outcome != "success" {
		t.Fatalf("%v", r)
	}

	f = alt(t, func(s *eventv1.SparkSheet) { s.DexterityModifier, s.ArmorClass, s.Initiative = -2, 12, -2 })
	f.State.Creatures["ara"].Sheet.Speeds["walk"] = 25
	f.strikes("sword", 1, 16, 2)
	ara = f.Creature("ara")
	if body.SpeedOf(ara) != 12 || body.ArmorOf(ara) != 12 || body.InitiativeOf(ara) != -2 {
		t.Fatalf("speed %d, AC %d, initiative %d: only a bonus is lost", body.SpeedOf(ara), body.ArmorOf(ara), body.InitiativeOf(ara))
	}
}

// spark.fumble.alt-loss-of-nerve, spark.condition.frightened
func TestAltLossOfNerve(t *testing.T) {
	for _, c := range []struct {
		name       string
		own, other int32
		will       int32
		faces      []int
		frightened bool
	}{
		{"DC 16, 15", 4, 7, 2, []int{1, 17, 13}, true},
		{"DC 6, 6", 6, 4, 0, []int{1, 18, 6}, false},
		{"DC 0, a natural 1 fails", 6, 1, 3, []int{1, 18, 1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Level, s.Will = c.own, c.will })).
				at(5, fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.Level = c.other })).start()
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			if c.frightened {
				f.End("orc", append(c.faces, 14)...) // tried again in the next round, as it begins
				if body.Has(f.Creature("ara"), body.CondFrightened) {
					t.Fatal("the second save did not help")
				}
				if save := f.Rolls("/save"); len(save) != 1 || save[0].Outcome == "success" {
					t.Fatalf("%v", save)
				}
				return
			}
			f.End("orc", c.faces...)
			if body.Has(f.Creature("ara"), body.CondFrightened) {
				t.Fatal("frightened")
			}
		})
	}
	// The same DC on every retry; a state and no number, unless the table says so.
	for _, effect := range []string{"none", "disadvantage"} {
		f := altWith(t, []string{body.SetFrightEffect + "=" + effect}, func(s *eventv1.SparkSheet) { s.Will = 1 })
		f.strikes("sword", 1, 17, 2, 3) // DC 10
		x := f.Creature("ara").Conditions[0]
		if x.Source != "orc" || x.Values["dc"] != 10 {
			t.Fatalf("%v", x)
		}
		if effect == "none" {
			f.strikes("sword", 10, 1, 9) // one die; then 10 overcomes it
		} else {
			f.strikes("sword", 10, 2, 9)
		}
		if body.Has(f.Creature("ara"), body.CondFrightened) {
			t.Fatal("10 did not overcome DC 10")
		}
	}
}

// spark.fumble.alt-loss-of-nerve-natural
func TestAltLossOfNerveNatural(t *testing.T) {
	dragon := func(s *eventv1.SparkSheet) { s.Level, s.Will, s.InspiresFear = 12, 9, true }
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("dragon", "monsters", dragon, armedWith(bite))).at(5, fighter("knight", "party")).start()
	f.Must(act("dragon", declaring.KindAttack, "bite", "knight"))
	f.End("knight", 1, 19)
	if !f.hasNote("immune: it inspires fear itself") {
		t.Fatal("not immune")
	}
	f = newTable(t, body.RuleAlt+"=on").at(0, fighter("dragon", "monsters", dragon, armedWith(bite))).
		at(5, fighter("wyrm", "party", dragon, func(s *eventv1.SparkSheet) { s.Level = 14 })).start()
	f.Must(act("dragon", declaring.KindAttack, "bite", "wyrm"))
	f.End("wyrm", 1, 20, 4, 2)
	if x := f.Creature("dragon").Conditions; len(x) != 1 || x[0].Values["dc"] != 14 || x[0].Source != "wyrm" {
		t.Fatalf("%v", x)
	}
}

// spark.fumble.alt-ammo-accident
func TestAltAmmoAccident(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Count("ara", body.CAmmunition+"bow", 17)
	f.strikes("bow", 1, 17, 50)
	if n := f.Creature("ara").Counters; !f.hasNote("the strap broke") || n[body.CAmmunition+"bow"] != 0 || n[body.CSpilled+"bow"] != 17 {
		t.Fatalf("%v", n)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc")), cite.FumbleAltAmmoAccident)
	one := withParameters("bonus", "gather:bow")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc", one, to(-5))), cite.FumbleAltAmmoAccident)
	f.Must(act("ara", declaring.KindAttack, "bow", "orc", one))
	f.End("orc", 2) // picked up and shot in one round
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 0 || n[body.CSpilled+"bow"] != 16 || n[body.CSpent+"bow"] != 1 {
		t.Fatalf("%v", n)
	}
	f.Count("ara", body.CSpilled+"bow", 17)
	f.Must(act("ara", declaring.KindGather, "bow", ""))
	f.End("orc", 10, 5, 6)
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 11 || n[body.CSpilled+"bow"] != 6 {
		t.Fatalf("%v", n)
	}
	f.Must(act("ara", declaring.KindGather, "bow", ""))
	f.End("orc", 10, 8, 4)
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 17 || n[body.CSpilled+"bow"] != 0 {
		t.Fatalf("%v", n)
	}
	f.strikes("bow", 1, 18, 51)
	if !f.hasNote("the quiver was tipped over") {
		t.Fatal("51 is not the quiver")
	}
}

// spark.fumble.alt-broken-item
func TestAltBrokenItem(t *testing.T) {
	items := func(s *eventv1.SparkSheet) {
		for _, name := range []string{"potion", "oil", "mirror"} {
			s.Items = append(s.Items, &eventv1.SparkItem{Name: name, Kind: "other", Uses: 1, Fragile: true})
		}
		s.Items = append(s.Items, &eventv1.SparkItem{Name: "rope", Kind: "other", Uses: 1})
	}
	over := &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}
	left := func(f *table) (names []string) {
		for _, it := range body.SheetOf(f.Creature("ara")).Items {
			if f.Creature("ara").Counters[body.CLeft+it.Name] > 0 {
				names = append(names, it.Name)
			}
		}
		return names
	}
	f := alt(t, items)
	f.strikes("sword", 1, 19)
	if got := left(f); len(got) != 4 {
		t.Fatalf("known during the fight: %v", got)
	}
	f.Must(over, 3)
	if got := left(f); !slices.Equal(got, []string{"potion", "oil", "rope"}) {
		t.Fatalf("%v", got)
	}
	// Two results: two different objects.
	f = alt(t, items)
	f.strikes("sword", 1, 19)
	f.strikes("sword", 1, 19)
	f.Must(over, 3, 1)
	if got := left(f); !slices.Equal(got, []string{"oil", "rope"}) {
		t.Fatalf("%v", got)
	}
	f = altWith(t, []string{body.SetBrokenItem + "=" + body.AtOnce}, items)
	f.strikes("sword", 1, 19, 2)
	if got := left(f); !slices.Equal(got, []string{"potion", "mirror", "rope"}) {
		t.Fatalf("at once: %v", got)
	}
	f = alt(t)
	f.strikes("sword", 1, 19)
	f.Must(over)
	// What was drunk in the meantime is no longer a candidate.
	f = alt(t, items)
	f.strikes("sword", 1, 19)
	f.Count("ara", body.CLeft+"oil", 0)
	f.Must(over, 2)
	if got := left(f); !slices.Equal(got, []string{"potion", "rope"}) {
		t.Fatalf("%v", got)
	}
}

// spark.fumble.alt-broken-item: a secret until it is determined
func TestAltBrokenItemIsSecret(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) {
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 2, Fragile: true}, {Name: "mirror", Kind: "other", Uses: 1, Fragile: true}}
	})
	f.strikes("sword", 1, 19)
	for _, e := range f.SeenBy(player("ara-player")) {
		if c := e.GetCounter(); c != nil && (c.Counter == body.CBreakages || c.Counter == body.CLeft+"potion" || c.Counter == body.CLeft+"mirror") {
			t.Fatalf("the player sees %v", c)
		}
	}
}

// spark.fumble.alt-hopeless-throw
func TestAltHopelessThrow(t *testing.T) {
	shy := func(s *eventv1.SparkSheet) { s.Will = 1 }
	thrown := withParameters("throw", true)
	f := alt(t, armedWith(hurled), shy)
	f.Must(act("ara", declaring.KindAttack, "axe", "orc", thrown))
	f.End("orc", 1, 19, 13) // 14
	f.strikes("axe", 15, 3)
	f.WantAttacks("ara miss")
	f.strikes("axe", 17, 12, 1)
	f.WantAttacks("ara hit")
	f.strikes("axe", 3) // over
	f.Must(act("ara", declaring.KindAttack, "axe", "orc", thrown))
	f.End("orc", 1, 20, 14) // 15
	f.strikes("axe", 3)
	if n := f.Creature("ara").Counters; n[body.CSpent+"axe"] != 2 {
		t.Fatalf("the axes: %v", n)
	}

	// The game master may name a distant target.
	f = newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", armedWith(hurled), shy)).at(5, fighter("orc", "monsters")).at(300, fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "axe", "orc", thrown))
	f.End("orc")
	f.End("wen", 1, 19, 14)
	if d := f.Decisions[0]; d.Name != body.DecDistant || !d.GmOnly || d.DefaultOption != "empty" {
		t.Fatalf("%v", d)
	}
	f.Choose("wen", 8, 4) // 14
	f.WantHP("wen", 25)
}

// spark.fumble.alt-accident
func TestAltAccident(t *testing.T) {
	for face, text := range map[int]string{75: "only urine", 76: "more than urine"} {
		f := alt(t)
		f.strikes("sword", 1, 20, face)
		if !f.hasNote(text) {
			t.Errorf("%d is not %s", face, text)
		}
	}
}

// spark.turn.declare, spark.action.spell-fills-round: no bonus action on the spot for whoever declared a spell
func TestNoBonusActionBesideASpell(t *testing.T) {
	for _, c := range []struct {
		name  string
		faces []int
		mark  string
	}{{"stuck", []int{1, 7}, rules.Yes}, {"flown", []int{1, 3}, ""}} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).start()
		f.Must(act("orc", declaring.KindMove, "", "", to(15)))
		f.Must(act("ara", declaring.KindCast, "bless", "ara"))
		if c.mark != "" {
			f.Answer(body.DecOpportunity, "sword", append(c.faces, 10)...)
		} else {
			f.Answer(body.DecOpportunity, "sword", c.faces...)
			f.Choose("reflex", 2, 9, 7, 10)
		}
		if len(f.Decisions) != 0 || f.Creature("ara").Marks[body.MStuck+"sword"] != c.mark {
			t.Errorf("%s: asked %v", c.name, f.Decisions)
		}
	}
}

// spark.fumble.weapon-flies: what no move of this round reaches is not offered
func TestTooFarToFetch(t *testing.T) {
	f := duel(t)
	f.State.Creatures["ara"].Sheet.Speeds["walk"] = 10
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 7)))
	f.End("orc", 1, 3, 4, 10, 10) // 20 ft to the west
	f.Must(act("ara", declaring.KindMove, "", "", to(-5)))
	f.End("orc")
	f.Choose("no")
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
		if o.Action == declaring.KindAttack && o.Item == "sword" && !o.Legal {
			t.Fatalf("15 ft are within a move of 10 and 5: %v", o)
		}
	}
	f.Place("ara", 0, 0)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
		if o.Action == declaring.KindAttack && o.Item == "sword" && (o.Legal || o.Rule != cite.FumbleWeaponFlies) {
			t.Fatalf("20 ft are offered: %v", o)
		}
	}
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-10), withParameters("bonus", "pick-up:sword"))), cite.FumbleWeaponFlies)
}
