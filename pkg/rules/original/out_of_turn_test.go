package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Who is asked when a foe charges, who struggles in a hold, and whom a fumble strikes.

// asked lists the names of the open decisions.
func asked(f *table) (names []string) {
	for _, d := range f.Decisions {
		names = append(names, d.Name)
	}
	return names
}

// original.grapple.tie-struggling, original.charge.open-to-missiles, original.charge.set-spear,
// original.charge.no-initiative: whoever struggles in a hold, or cannot act, is asked nothing
// when a foe charges: it sets, shoots, casts and charges nothing.
func TestTheHeldAreNotAskedAtACharge(t *testing.T) {
	spit := &eventv1.OriginalWeapon{Name: "spit", Kind: "natural", Damage: "1d4", ShortFeet: 50, MediumFeet: 100, LongFeet: 150}
	horns := &eventv1.OriginalWeapon{Name: "horns", Kind: "natural"}
	for _, c := range []struct {
		name string
		b    sheets
		want string
	}{
		{"a spear", sheets{arms(spear)}, body.DecSet},
		{"a bow", sheets{arms(bow)}, body.DecMissile},
		{"a spitting beast", sheets{arms(spit)}, body.DecMissile},
		{"a caster", sheets{spells(bolt)}, body.DecSpell},
		{"a knight", sheets{arms(lances), knight}, body.DecInTurn},
		{"a horned rider", sheets{arms(horns), knight}, body.DecInTurn},
	} {
		for condition, may := range map[string]bool{"": true, body.CondStruggling: false, body.CondStunned: false, body.CondHeld: false} {
			t.Run(c.name+" "+condition, func(t *testing.T) {
				f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), need(18), points(50))).at(100, strongFoe(append(sheets{dex(0), need(18)}, c.b...)...)).
					at(200, one("other", "monsters", group("other"))).start(nil, 6, 1, 1)
				f.Roller = func(int) int { return 2 }
				if condition != "" {
					f.Afflict("b", condition)
				}
				f.Must(act("a", "charge", "sword", "b"))
				if got := slices.Contains(asked(f), c.want); got != may {
					t.Errorf("%v", asked(f))
				}
				if !may && len(f.Decisions) > 0 {
					t.Errorf("%v", asked(f))
				}
			})
		}
	}
}

// original.charge.no-initiative, original.initiative.ties-simultaneous: one who rides, or acts at
// the same moment, may charge in turn: with whatever it has in hand but bare hands, a rider with
// its lance; not one who flees, who has lost its lance with it, or who is too near.
func TestWhoChargesInTurn(t *testing.T) {
	claws := &eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}
	for _, c := range []struct {
		name   string
		dice   []int
		b      sheets
		do     func(f *table)
		weapon string // empty for none
	}{
		{"a rider's lance", []int{6, 1}, sheets{knight, arms(blade, lances)}, nil, "lance"},
		{"a rider without the lance it dropped", []int{6, 1}, sheets{knight, arms(blade, lances)}, func(f *table) { f.drops("b", "lance") }, "sword"},
		{"on foot, later", []int{6, 1}, sheets{arms(blade, lances)}, nil, ""},
		{"on foot, at the same moment", []int{4, 4}, sheets{arms(blade, lances)}, nil, "sword"},
		{"claws, at the same moment", []int{4, 4}, sheets{arms(claws)}, nil, "claws"},
		{"bare hands, at the same moment", []int{4, 4}, sheets{arms()}, nil, ""},
		{"a rider who flees", []int{6, 1}, sheets{knight, arms(lances)}, func(f *table) { f.Afflict("b", body.CondFleeing) }, ""},
		{"a rider of full speed 200", []int{6, 1}, sheets{knight, arms(lances), speed(199)}, nil, "lance"},
		{"a rider of full speed 200, too near", []int{6, 1}, sheets{knight, arms(lances), speed(200)}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), need(18), points(50))).at(100, strongFoe(append(sheets{dex(0), need(18)}, c.b...)...)).start(nil, c.dice...)
			if c.do != nil {
				c.do(f)
			}
			f.Roller = func(int) int { return 2 }
			f.Must(act("a", "charge", "sword", "b"))
			if c.weapon == "" {
				if slices.Contains(asked(f), body.DecInTurn) {
					t.Fatalf("%v", f.Decisions)
				}
				return
			}
			if !slices.Equal(asked(f), []string{body.DecInTurn}) || f.Decisions[0].Question != "Charge in turn with "+c.weapon+"?" {
				t.Fatalf("%v", f.Decisions)
			}
			f.Choose("yes")
			if a, b := f.Creature("a").Counters[body.CCharged], f.Creature("b").Counters[body.CCharged]; a != 1 || b != 1 {
				t.Error("both have charged")
			}
		})
	}
}

// original.charge.first-attack-only, original.attack.untrained-to-hit: the charge of one trained in
// its weapon at a Normal Man is the first of its several attacks; untrained it is the only one.
func TestAttacksAfterACharge(t *testing.T) {
	for _, c := range []struct {
		weapon *eventv1.OriginalWeapon
		more   bool
	}{{stab, true}, {flail, false}} {
		f := newTable(t).at(0, one("a", "party", class("thief", 3), arms(c.weapon, blade), need(19), dex(0))).at(100, one("orc", "orcs", points(50))).at(101, one("pig", "orcs", group("pigs"))).start(nil, 6, 1, 1)
		f.Must(act("a", "charge", c.weapon.Name, "orc"), 2)
		if got := f.Creature("a").Counters[body.CStrong] == 0; got != c.more {
			t.Errorf("%s: %v", c.weapon.Name, f.Creature("a").Counters)
		}
		if c.more {
			f.Must(act("a", "attack", "sword", "pig"), 2)
			continue
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "pig")), cite.AttackMultiVsNormalMen)
	}
}

// original.charge.end-within-10: with one of the two on the map alone a charge of a stated length
// arrives, and moves nobody on it.
func TestAChargeHalfOnTheMap(t *testing.T) {
	for _, on := range []string{"a", "b"} {
		f := newTable(t)
		for _, s := range []*eventv1.Sheet{one("a", "party", class("cleric", 1), dex(0), need(18)), strongFoe(dex(0))} {
			if s.Id == on {
				f.at(0, s)
			} else {
				f.add(s)
			}
		}
		f.start(nil, 6, 1)
		f.Must(act("a", "charge", "sword", "b", withFacts("distance", 100)), 2)
		f.WantAttacks("a miss")
		if p := f.Creature(on).Position; p.X != 0 || !body.InMelee(f.Creature("a"), f.Creature("b")) {
			t.Errorf("%s is at %v", on, p)
		}
	}
}

// original.charge.open-to-missiles, original.initiative.ties-simultaneous: a spell at one who charges
// goes off as it closes, before the contact, also where the two act at the same moment; the blow
// of the charge then waits as any other.
func TestASpellAtAChargerOfTheSameMoment(t *testing.T) {
	f := newTable(t).at(0, one("orc", "orcs", points(50), need(10), dex(0))).at(100, mage(dex(0))).start(nil, 4, 4)
	f.Must(act("orc", "charge", "sword", "mage"))
	f.Answer(body.DecInTurn, "no")
	f.Answer(body.DecSpell, "spell:bolt", 4, 12, 2)
	f.WantHP("orc", 46)
	f.WantHP("mage", 30) // the blow is held
	if f.State.Marks[body.MTogether] == "" {
		t.Error("they still act at the same moment")
	}
	f.endSlot()
	f.WantHP("mage", 24)
}

// original.charge.set-spear-first: whoever charges and strikes first with the longer weapon is met
// by the set one if its bearer still can, and not when it is dead itself.
func TestASetWeaponAfterTheLonger(t *testing.T) {
	for _, dies := range []bool{false, true} {
		effect := "    - {trigger: hurt, whom: actor, damage: {amount: \"" + map[bool]string{false: "1", true: "40"}[dies] + "\"}}"
		f := tableWith(t, featOf(t, effect)).at(0, one("a", "party", arms(pikes), points(30), need(10), dex(0))).at(100, strongFoe(arms(spear), need(10), dex(0), func(s *eventv1.Sheet) { s.Feats = []string{"probe"} })).start(nil, 6, 1)
		f.Roller = func(sides int) int { return min(sides, 15) }
		f.Must(act("a", "charge", "pike", "b"))
		f.Choose("yes")
		want := []string{"a hit", "b hit"}
		if dies {
			want = want[:1]
		}
		f.WantAttacks(want...)
	}
}

// original.grapple.to-hit: whoever struggles itself is not offered to grapple with another, nor does
// it on a command; nobody of an unknown name does.
func TestWhoIsOfferedToGrappleToo(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50))).at(5, one("a", "orcs", group("orcs"))).at(6, one("b", "orcs", group("orcs"))).at(7, one("c", "orcs", group("orcs"))).start(nil, 1, 6)
	f.Afflict("c", body.CondStruggling)
	var with []string
	for _, o := range f.optionsOf("a", "grapple") {
		for _, p := range o.Parameters {
			for _, v := range p.Values {
				with = append(with, v.GetStringValue())
			}
		}
	}
	if !slices.Equal(with, []string{"b"}) {
		t.Errorf("offered %v", with)
	}
	if got := reasonOf(f.Try(act("a", "grapple", "", "hero", withParameters("with", []string{"c"})))); got != "NOT_YOUR_TURN" {
		t.Errorf("%q", got)
	}
	if got := reasonOf(f.Try(act("a", "grapple", "", "hero", withParameters("with", []string{"nobody"})))); got == "" {
		t.Error("nobody grapples")
	}
	f.Must(act("a", "grapple", "", "hero", withParameters("with", []string{"b"})), 2, 2)
}

// original.grapple.contest, original.initiative.ties-simultaneous: the contest of a hold waits for the
// end of the slot, and is none when the held one is gone by then, whose turn it is or not.
func TestTheHeldIsGoneBeforeTheContest(t *testing.T) {
	for _, ended := range []bool{false, true} {
		f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50))).at(5, one("orc", "orcs", need(10), points(50))).at(50, one("c", "party")).start(nil, 4, 4, 4)
		f.Must(act("orc", "grapple", "", "hero"), 15)
		if ended {
			f.End("hero")
		} else {
			f.End("orc")
			f.End("c")
		}
		f.leave("hero")
		f.endSlot()
		if len(f.Rolls("contest/hero"))+len(f.Rolls("contest/orc")) > 0 || body.Holding(f.Creature("orc")) != "" {
			t.Errorf("ended %v: %v", ended, f.Creature("orc").Relations)
		}
	}
}

// original.grapple.pinned, original.grapple.thrown-off: what the game master laid is not taken off when
// no grapple holds, though a condition of a grapple stands beside it; the held one who leaves
// is held no more; whoever content keeps from being pinned is not.
func TestWhatAGrappleLaid(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party")).at(5, one("orc", "orcs", points(50))).start(nil, 1, 6)
	f.Resolve(stunned("hero", 9))
	f.Afflict("hero", body.CondPinned)
	f.Hurt("orc", 40)
	if !body.Has(f.Creature("hero"), body.CondPinned) {
		t.Error("it is free of what the game master laid")
	}
	f = pin(t)
	f.leave("hero")
	if body.Holding(f.Creature("orc")) != "" {
		t.Error("the orc holds who is gone")
	}
	for _, immune := range []bool{false, true} {
		f := tableWith(t, featOf(t, "    - immunity: {conditions: [pinned]}")).at(0, one("hero", "party", class("thief", 2), points(50), func(s *eventv1.Sheet) {
			if immune {
				s.Feats = []string{"probe"}
			}
		})).at(5, one("orc", "orcs", group("orcs"), ac0(19), points(50))).start(nil, 1, 6)
		f.Must(act("orc", "grapple", "", "hero"), 19, 6, 3, 2)
		if got := body.Has(f.Creature("hero"), body.CondPinned); got == immune {
			t.Errorf("immune %v, pinned %v", immune, got)
		}
	}
}

// original.grapple.tie-struggling: of one held by several who act at different moments the contest is
// rolled anew once in a round.
func TestOneContestInARound(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("thief", 2), points(50))).at(5, one("orc", "orcs", ac0(19), points(50))).at(6, one("pig", "orcs", group("pigs"), ac0(19), points(50))).start(nil, 1, 6, 4)
	f.Must(act("orc", "grapple", "", "hero"), 19, 4, 2, 2) // 4 against 4: it struggles
	f.End("orc")
	f.Must(act("pig", "grapple", "", "hero"), 19, 4, 2, 3, 3) // 4 and 2 against 6
	f.End("pig")
	f.End("hero", 3, 3, 3, 3) // in the next round, in the orc's place
	if len(f.Rolls("contest/hero")) != 1 || !body.Has(f.Creature("hero"), body.CondStruggling) {
		t.Fatalf("%v", f.Creature("hero").Conditions)
	}
	f.End("orc")
	f.WantActive("pig")
	if len(f.Rolls("contest/hero")) != 0 {
		t.Error("again in the pig's place")
	}
}

// original.fumble.table, original.fumble.critical-fumble-check: a fumble strikes the nearest friend who is
// alive and whose place is known, with claws too; a unit never fumbles.
func TestWhomAFumbleStrikes(t *testing.T) {
	claws := &eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}
	for _, c := range []struct {
		name   string
		weapon *eventv1.OriginalWeapon
		places map[string]int32
		dead   string
		want   string
	}{
		{"the nearer", blade, map[string]int32{"c": -8, "d": -5}, "", "d"},
		{"the first of two as near", blade, map[string]int32{"c": -5, "d": -5}, "", "c"},
		{"on the same spot", blade, map[string]int32{"c": 0, "d": -5}, "", "c"},
		{"the nearer is dead", blade, map[string]int32{"c": -8, "d": -5}, "d", "c"},
		{"the other has no place", blade, map[string]int32{"d": -5}, "", "d"},
		{"none has a place", blade, nil, "", ""},
		{"with claws", claws, map[string]int32{"c": -8}, "", "c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party", class("cleric", 1), arms(c.weapon))).at(5, strongFoe())
			for _, id := range []string{"c", "d"} {
				if x, on := c.places[id]; on {
					f.at(x, one(id, "party"))
				} else {
					f.add(one(id, "party"))
				}
			}
			f.start(nil, 6, 1, 1, 1)
			if c.dead != "" {
				f.Hurt(c.dead, 0)
			}
			faces := []int{1, 20, 6}
			if c.want != "" {
				faces = append(faces, 3)
			}
			f.Must(act("a", "attack", c.weapon.Name, "b"), faces...)
			for _, id := range []string{"c", "d"} {
				if got := f.DamageTo(id) == 4; got != (id == c.want) {
					t.Errorf("%s takes %d", id, f.DamageTo(id))
				}
			}
		})
	}
	f := newTable(t, body.SetFumble+"=on", body.SetMassPoints+"=off").at(0, one("a", "mob", unit(5), points(20))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 1)
	f.WantAttacks("a miss")
}

// original.critical.monster-special: the effect of a special attack comes to whoever is still up and does
// not have it, once.
func TestASpecialEffectIsLaidOnce(t *testing.T) {
	for _, c := range []struct {
		name   string
		points int32
		has    bool
		want   int
	}{{"it lives", 50, false, 1}, {"it has it already", 50, true, 1}, {"it dies of the blow", 2, false, 0}} {
		f := newTable(t, body.SetSpecial+"=on").at(0, one("a", "beasts", need(10), with(func(o *eventv1.OriginalSheet) { o.HitDice, o.SpecialFace, o.SpecialEffect = 4, 18, body.CondProne }))).
			at(5, one("b", "party", class("cleric", 1), points(c.points), dex(0))).at(50, one("c", "party")).start(nil, 1, 1, 6)
		if c.has {
			f.Afflict("b", body.CondProne)
		}
		f.Must(act("a", "attack", "sword", "b"), 18, 4)
		n := 0
		for _, x := range f.Creature("b").Conditions {
			if x.Name == body.CondProne {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %v", c.name, f.Creature("b").Conditions)
		}
	}
}

// original.critical.natural-20-critical, original.mass.damage: a unit strikes no critical blow, whatever it
// needs; a wider range of content is critical where the blow hits and 18 or less is needed.
func TestWhatIsCritical(t *testing.T) {
	for _, c := range []struct {
		name string
		a    sheets
		need int32
		face int
		want string
	}{
		{"a natural 20", nil, 18, 20, "critical"},
		{"a natural 20 where 19 is needed", nil, 19, 20, "hit"},
		{"a unit's natural 20", sheets{unit(5)}, 10, 20, "hit"},
		{"a 16 of 15 to 20", sheets{func(s *eventv1.Sheet) { s.Feats = []string{"probe"} }}, 15, 16, "critical"},
		{"a 16 where 16 is needed", sheets{func(s *eventv1.Sheet) { s.Feats = []string{"probe"} }}, 16, 16, "critical"},
		{"a 16 where 17 is needed", sheets{func(s *eventv1.Sheet) { s.Feats = []string{"probe"} }}, 17, 16, "miss"},
		{"a 14", sheets{func(s *eventv1.Sheet) { s.Feats = []string{"probe"} }}, 10, 14, "hit"},
	} {
		f := tableWith(t, featOf(t, "    - critical_range: {from: \"15\"}"), body.SetMassPoints+"=off").at(0, one("a", "mob", append(sheets{need(c.need), points(20)}, c.a...)...)).at(5, strongFoe(dex(0))).start(nil, 6, 1)
		f.Roller = func(sides int) int { return min(sides, c.face) }
		f.Must(act("a", "attack", "sword", "b"))
		if got := f.Attack().Outcome; got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
