package original

import (
	"slices"
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/original"
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Cases of one moment in which foes act together, of what is held, and of tables.

// endSlot ends the turns of all who act now.
func (f *table) endSlot(faces ...int) {
	f.T.Helper()
	ids := slices.Clone(f.State.Active)
	for i, id := range ids {
		if i < len(ids)-1 {
			f.End(id)
		} else {
			f.End(id, faces...)
		}
	}
}

// original.initiative.ties-simultaneous, original.critical.monster-special,
// original.action.whip-outcome, original.mount.dismount-save: what a hit brings about beside
// its damage comes when all in the slot have acted, and then all of it.
func TestKnockedDownAtTheSameMoment(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.OriginalWeapon
		action string
		b      []func(*eventv1.Sheet)
		faces  []int
		answer func(f *table)
		rides  bool // at first
	}{
		{"a special attack", blade, "attack", nil, []int{18, 3}, nil, false},
		{"a special attack on a rider", blade, "attack", []func(*eventv1.Sheet){mounted}, []int{19, 3}, nil, true},
		{"a polearm on a rider", halberd, "dismount", []func(*eventv1.Sheet){mounted, save(14), arms(halberd)}, []int{18, 13}, nil, true},
		{"a whip", whip, "entangle", nil, []int{18}, func(f *table) {
			f.Answer(body.DecWhipArea, "person", 14)
			f.Answer(body.DecWhipPull, "yes")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetSpecial+"=on").at(0, one("a", "beasts", need(10), points(50), arms(c.weapon), save(14), with(func(o *eventv1.OriginalSheet) {
				o.HitDice, o.SpecialFace, o.SpecialEffect = 4, 18, body.CondProne
			}))).at(5, one("b", "party", append([]func(*eventv1.Sheet){class("cleric", 1), points(50), str(0), dex(2), arms(blade)}, c.b...)...)).start(nil, 3, 3)
			f.Must(act("a", c.action, c.weapon.Name, "b"), c.faces...)
			if c.answer != nil {
				c.answer(f)
			}
			b := f.Creature("b")
			if body.Has(b, body.CondProne) || body.Has(b, body.CondMounted) != c.rides {
				t.Fatalf("it stands to the end of the slot: %v", b.Conditions)
			}
			// It may still move as one who is on its feet.
			f.Must(act("b", "move", "", "", path(4)))
			f.endSlot()
			if b := f.Creature("b"); !body.Has(b, body.CondProne) || body.Has(b, body.CondMounted) {
				t.Fatalf("it lies on the ground, off its horse: %v", b.Conditions)
			}
			// Off its feet it has no DEX, and getting up takes its movement.
			blow := &thestrike.Blow{Attacker: f.Creature("a"), Target: f.Creature("b"), Melee: true}
			if got, _ := thestrike.ArmourClass(f.State, blow.Target, blow); got != 5 {
				t.Errorf("armour class %d", got)
			}
			if f.legal("b", "move") || !f.legal("b", "rise") {
				t.Error("it moves without getting up")
			}
			f.Must(act("b", "rise", "", ""))
			if got, _ := thestrike.ArmourClass(f.State, f.Creature("b"), &thestrike.Blow{Attacker: f.Creature("a"), Target: f.Creature("b"), Melee: true}); got != 3 {
				t.Errorf("on its feet: armour class %d", got)
			}
			if f.legal("b", "move") || f.legal("b", "withdraw") {
				t.Error("it has movement left")
			}
		})
	}
}

// original.initiative.ties-simultaneous, original.damage.subdual-with-weapon: a subduing
// blow of a slot does at its end what it would have done at once: each second roll 1 point
// of it is actual, after doubling.
func TestASubduingBlowOfASlot(t *testing.T) {
	for _, together := range []bool{true, false} {
		f := newTable(t).at(0, one("a", "party", class("fighter", 1), str(0), dex(0), need(10), points(50), ability("strength", 12))).at(5, strongFoe())
		if together {
			f.start(nil, 3, 3)
		} else {
			f.start(nil, 6, 1)
		}
		for i, faces := range [][]int{{12, 4}, {20, 2}} { // 5; then (2+1) twice, critical
			f.Must(act("a", "attack", "sword", "b", withParameters("subdue", true)), faces...)
			for len(f.State.Active) > 0 && f.State.Round == int32(i+1) {
				f.End(f.State.Active[0])
			}
		}
		b := f.Creature("b")
		if b.Counters[body.CActual] != 1 || b.Counters[body.CTemporary] != 10 || b.GetHp() != 89 {
			t.Errorf("together %v: %v", together, b.Counters)
		}
		var parts []*eventv1.DamagePart
		for _, e := range f.Log {
			if d := e.GetDamage(); d != nil && d.Critical {
				parts = d.Parts
			}
		}
		if len(parts) != 2 || parts[0].Type != body.PartActual || parts[0].Taken != 1 || parts[1].Type != body.PartTemporary || parts[1].Taken != 5 {
			t.Fatalf("together %v: %v", together, parts)
		}
		for _, p := range parts { // 3 by two is 6, and what is of the other kind is taken off
			n := len(p.Factors)
			if n != 2 || p.Factors[0].Before != 3 || p.Factors[0].After != 6 || p.Factors[1].Before != 6 || p.Factors[1].After != p.Rolled {
				t.Errorf("together %v, %s: %v", together, p.Type, p.Factors)
			}
		}
	}
}

// original.initiative.ties-simultaneous: a spell that waits for the end of the slot goes
// off when its target is gone, and does nothing to it.
func TestASpellAtOneWhoIsGone(t *testing.T) {
	f := newTable(t).at(0, mage()).at(5, one("orc", "orcs", points(50))).at(50, one("other", "orcs", points(50))).start(nil, 3, 3, 1)
	f.Must(act("mage", "cast", "bolt", "orc"))
	f.leave("orc")
	f.endSlot()
	if f.State.Creatures["orc"] != nil || f.Creature("mage").Counters[body.CLeft+"bolt"] != 1 {
		t.Fatalf("the spell is spent: %v", f.Creature("mage").Counters)
	}
	f.WantActive("other")
}

// original.movement.retreat-parting-shot, original.grapple.tie-struggling: one who
// struggles in a hold has its free attack with bare hands: with what it holds it cannot.
func TestAPartingShotOfTheHeld(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.OriginalWeapon
		want   string
	}{{"a sword", blade, "empty hand"}, {"claws", claws, "claws"}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), points(50))).at(3, one("friend", "party", class("cleric", 1), dex(0), points(50), need(2))).
				at(5, strongFoe(arms(c.weapon), dex(0), need(10))).start(nil, 5, 6, 1)
			f.Must(act("friend", "grapple", "", "b"), 10, 5, 1, 1, 1, 2) // 5 against 5
			if !body.Has(f.Creature("b"), body.CondStruggling) {
				t.Fatal(f.Creature("b").Conditions)
			}
			// The friend, who holds it, fights it too: it is busy, and the other goes freely.
			f.End("friend")
			f.Must(act("a", "retreat", "", "", path(-120)), 6, 6)
			f.WantAttacks()
			// With nobody else to fight it strikes.
			f = newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), points(50))).at(5, strongFoe(arms(c.weapon), dex(0), need(10))).start(nil, 6, 1)
			f.Afflict("b", body.CondStruggling)
			f.Must(act("a", "retreat", "", "", path(-120)), 1, 6, 8, 1, 6, 6)
			f.WantAttacks("b hit")
			if got := f.Attack().Weapon; got != c.want {
				t.Errorf("with %s", got)
			}
		})
	}
}

// original.critical.weapon-immunity, original.attack.range-bands: what cannot be done with
// a weapon is refused by the rule that says so.
func TestWhatAWeaponIsNotFor(t *testing.T) {
	for _, c := range []struct {
		name, item string
		change     func(*eventv1.TakeAction)
		feet       int32
		rule       string
	}{
		{"a sword is not thrown", "sword", withParameters("throw", true), 5, cite.MovementInMeleeDefinition},
		{"nor from afar", "sword", withParameters("throw", true), 30, cite.MovementInMeleeDefinition},
		{"a spear is", "spear", withParameters("throw", true), 5, ""},
		{"a sword pulls no punch", "sword", withParameters("pull", true), 5, cite.DamagePullPunches},
		{"a fist does", "empty hand", withParameters("pull", true), 5, ""},
		{"a spear is thrown 60 feet", "spear", nil, 60, ""},
		{"and no 61", "spear", nil, 61, cite.AttackRangeBands},
		{"a fist reaches 10 feet", "empty hand", nil, 10, ""},
		{"and no 11", "empty hand", nil, 11, cite.MovementInMeleeDefinition},
		{"a stated 11 keeps a sword off", "sword", withFacts("distance", 11), 5, cite.MovementInMeleeDefinition},
		{"what is stated to be in reach is", "sword", withFacts("in_reach", true), 60, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), arms(blade, spear))).at(c.feet, strongFoe(dex(0))).start(nil, 6, 1)
			var change []func(*eventv1.TakeAction)
			if c.change != nil {
				change = append(change, c.change)
			}
			err := f.Try(act("a", "attack", c.item, "b", change...), 2)
			if c.rule != "" {
				wantRefused(t, err, c.rule)
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// original.attack.cover, original.attack.range-bands: both count, with what they come of.
func TestCoverAtARange(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(1), arms(bow))).at(70, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "bow", "b", withFacts("cover", 50, "higher", "attacker")), 2)
	var got []string
	for _, m := range f.Roll("to-hit").Modifiers {
		got = append(got, body.Itoa(m.Value)+" "+m.Rule)
	}
	want := []string{"1 " + cite.AttackRangedDex, "1 " + cite.AttackRangeBands, "-4 " + cite.AttackCover, "1 " + cite.AttackHighGroundBonus}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// original.equipment.reach-table: what a sheet says of a weapon's length counts before its
// kind.
func TestTheLengthOfAWeapon(t *testing.T) {
	long := &eventv1.OriginalWeapon{Name: "claymore", ReachRank: 4}
	short := &eventv1.OriginalWeapon{Name: "half spear", Kind: "spear", ReachRank: 1}
	for _, c := range []struct {
		a, b *eventv1.OriginalWeapon
		want string
	}{
		{long, blade, "slot:a slot:b"}, {long, spear, "slot:b slot:a"}, {short, stab, "slot:b slot:a"}, {spear, stab, "slot:a slot:b"}, {blade, short, "slot:b slot:a"},
		{pole, short, "slot:a slot:b"}, {blade, bow, "slot:a slot:b"}, {stab, bow, "slot:b slot:a"},
	} {
		f := newTable(t).at(0, one("a", "party", arms(c.a))).at(5, one("b", "foes", arms(c.b))).start(nil, 1, 6)
		if got := order(f); got != c.want {
			t.Errorf("%s against %s: %s", c.a.Name, c.b.Name, got)
		}
	}
}

// original.turn.morale-before-combat, original.surprise.free-round: a group checked at the
// start is checked before the free round of those who surprise.
func TestMoraleBeforeAFreeRound(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1))).at(50, one("g1", "orcs", group("orcs"))).at(55, one("g2", "orcs", group("orcs")))
	f.start(object("surprised", []string{"party"}, "morale", []string{"orcs"}), 6, 2)
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecMorale {
		t.Fatalf("8 over 7: %v", f.Decisions)
	}
	f.Choose("surrender", 3, 4) // nobody is left to surprise anybody: initiative of round 1
	if f.State.Round != 1 || !slices.Contains(f.State.Active, "a") {
		t.Fatalf("round %d, %v", f.State.Round, f.State.Active)
	}
	f = newTable(t).at(0, one("a", "party", class("cleric", 1))).at(50, one("g1", "orcs", group("orcs"))).start(object("surprised", []string{"party"}, "morale", []string{"orcs"}), 6, 1)
	if got := labels(f); !slices.Equal(got, []string{"morale/orcs"}) || f.State.Round != 0 {
		t.Fatalf("7 holds: %v", got)
	}
	f.WantActive("g1")
}

// original.pursuit.rounds-to-catch, original.movement.spellcaster-10-feet,
// original.movement.elf-fire-on-the-run: how far pursuers run who do something else.
func TestPursuersWhoCastAndShoot(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(f *table)
		gap  string
	}{
		{"runs", func(*table) {}, "60:2"},
		{"casts: 10 feet", func(f *table) { f.Count("orc", body.CCasts, 1, body.CAttacks, 1) }, "170:2"},
		{"attacks: half", func(f *table) { f.Count("orc", body.CAttacks, 1) }, "120:2"},
		{"shoots on the run", func(f *table) { f.Count("orc", body.CAttacks, 1, body.CRunShots, 1) }, "60:2"},
		{"is stunned", func(f *table) { f.Resolve(stunned("orc", 5)) }, "180:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(one("a", "party", class("cleric", 1), speed(120)), one("orc", "orcs", group("orcs"), points(50))).start(nil, 6, 1)
			f.Must(act("a", "flee", "", "", withParameters("feet", 120), withFacts("gap", 60)), 1, 1)
			f.Roller = func(int) int { return 1 }
			f.round() // in the round of the flight nobody has caught up
			if got := f.gap("a", "orcs"); got != "60:1" {
				t.Fatal(got)
			}
			c.do(f)
			f.round()
			if got := f.gap("a", "orcs"); got != c.gap {
				t.Errorf("%s, want %s", got, c.gap)
			}
		})
	}
}

func stunned(id string, until int32) func(*rules.Resolution) error {
	return func(r *rules.Resolution) error {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondStunned, Until: &eventv1.Until{When: body.UntilRound, Round: until}, Rule: cite.GrappleThrownOff})
		return nil
	}
}

// original.initiative.haste-first: a condition laid again lasts as long as the longer of
// the two, and one that nothing ends longer than either.
func TestTheLongerOfTwoConditions(t *testing.T) {
	const forever = int32(-1)
	for _, c := range []struct{ first, second, want int32 }{{2, 4, 4}, {4, 2, 4}, {3, 3, 3}, {2, forever, forever}, {forever, 2, forever}} {
		f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs")).start(nil, 6, 1)
		for _, until := range []int32{c.first, c.second} {
			f.Resolve(func(r *rules.Resolution) error {
				var u *eventv1.Until
				if until != forever {
					u = &eventv1.Until{When: body.UntilRound, Round: until}
				}
				body.Inflict(r, "a", body.CondHasted, u, cite.InitiativeHasteFirst)
				return nil
			})
		}
		list := f.Creature("a").Conditions
		if len(list) != 1 || (c.want == forever) != (list[0].Until == nil) || c.want != forever && list[0].Until.Round != c.want {
			t.Errorf("%d, then %d: %v", c.first, c.second, list)
		}
	}
}

// Tables that are not whole are refused by the name of what is wrong with them, and what
// lies beyond the rows of one counts as its last.
func TestTablesThatAreNotWhole(t *testing.T) {
	for name, c := range map[string]struct{ table, from, to, want string }{
		"another kind of attacker":    {"hit_matrix", "fighter,1,3,19\n", "fighter,1,3,19\nwizard,1,99,19\n", "5 kinds of attackers, want 4"},
		"a kind less":                 {"hit_matrix", "monster", "beast", "hit_matrix monster: does not end at 199"},
		"a bonus that is no number":   {"backstab", "9,12,4,4", "9,12,4,much", "invalid syntax"},
		"times that are no number":    {"backstab", "9,12,4,4", "9,12,thrice,4", "invalid syntax"},
		"no row of pikes":             {"reach", "pike,5\n", "", "there is no row of pike"},
		"a rank below 0":              {"reach", "pike,5", "pike,-1", `"-1" is no number`},
		"two rows of pikes":           {"reach", "pike,5\n", "pike,5\npike,4\n", `"pike" twice`},
		"no row of the small":         {"surround", "small,4\n", "", "there is no row of small"},
		"a fumble that nothing knows": {"fumble", "4,5,stumble", "4,5,faint", `"faint" is not one of drop, stumble, ally`},
		"reactions to 11":             {"reaction", "12,12,friendly\n", "", "reaction: does not end at 12"},
	} {
		_, err := body.LoadTables(func(table string) (string, error) {
			text, err := content.Book().Table(table)
			if table == c.table {
				if changed := strings.Replace(text, c.from, c.to, -1); changed != text {
					text = changed
				} else {
					t.Errorf("%s: nothing changed", name)
				}
			}
			return text, err
		}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	for n, want := range map[int32]int32{-5: 14, 0: 14, 1: 14, 10: 8, 99: 8, 100: 8, 9999: 8} {
		if got := body.Find(thestrike.Book.Save, n).Value; got != want {
			t.Errorf("level %d: %d, want %d", n, got, want)
		}
	}
	if body.Find(nil, 3).Value != 0 {
		t.Error("a table without rows gives something")
	}
}

// original.attack.backstab-bonus-table, original.fumble.table: rows of every table of bands
// may stand in any order.
func TestRowsOfEveryTableInAnyOrder(t *testing.T) {
	for _, turned := range []string{"backstab", "fumble"} {
		book, err := body.LoadTables(func(name string) (string, error) {
			text, err := content.Book().Table(name)
			if head, rows, _ := strings.Cut(text, "\n"); name == turned {
				all := strings.Split(strings.TrimSpace(rows), "\n")
				slices.Reverse(all)
				text = head + "\n" + strings.Join(all, "\n") + "\n"
			}
			return text, err
		}, nil)
		if err != nil {
			t.Fatalf("%s: %v", turned, err)
		}
		for n := int32(1); n < 20; n++ {
			a, b := body.Find(book.Backstab, n), body.Find(thestrike.Book.Backstab, n)
			if a.Value != b.Value || a.Second != b.Second || body.Find(book.Fumble, n).Word != body.Find(thestrike.Book.Fumble, n).Word {
				t.Errorf("%s at %d: %v, %v", turned, n, a, b)
			}
		}
	}
}

// original.death.zero-hp, original.healing.temporary-damage: the dead are not healed, nor
// do they rest; what is whole gains nothing; a deed that nothing knows is none.
func TestDeedsThatDoNothing(t *testing.T) {
	deed := func(name string, amount int32) *eventv1.Harm {
		return &eventv1.Harm{Deed: name, Target: "x", Amount: amount, Cause: "test"}
	}
	none := int32(0)
	for _, c := range []struct {
		name   string
		before func(f *table)
		deed   *eventv1.Harm
		rule   string
		hp     int32
		events int
	}{
		{"heals the dead", func(f *table) { f.Put("x", &eventv1.Vitals{Hp: &none}) }, deed(body.DeedHeal, 5), cite.DeathZeroHp, 0, 0},
		{"the dead rest", func(f *table) { f.Put("x", &eventv1.Vitals{Hp: &none}) }, deed(body.DeedRecover, 5), "", 0, 0},
		{"the whole rest", func(*table) {}, deed(body.DeedRecover, 5), "", 20, 0},
		{"rests no Turn", func(f *table) { f.stun("x", 5) }, deed(body.DeedRecover, 0), "", 15, 0},
		{"rests two Turns", func(f *table) { f.stun("x", 5) }, deed(body.DeedRecover, 2), "", 17, 1},
		{"rests nine Turns", func(f *table) { f.stun("x", 5) }, deed(body.DeedRecover, 9), "", 20, 1},
		{"is healed of what only knocks out", func(f *table) { f.stun("x", 5) }, deed(body.DeedHeal, 9), "", 15, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(one("x", "orcs"), one("a", "party")).start(nil, 6, 1)
			f.Roller = func(int) int { return 1 }
			c.before(f)
			err := f.TryResolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, c.deed) })
			if c.rule != "" {
				wantRefused(t, err, c.rule)
			} else if err != nil {
				t.Fatal(err)
			}
			f.WantHP("x", c.hp)
			n := 0
			for _, e := range f.Events {
				if e.GetHealing() != nil {
					n++
				}
			}
			if err == nil && n != c.events {
				t.Errorf("told %d times, want %d", n, c.events)
			}
		})
	}
	f := newTable(t).add(one("x", "orcs"))
	wantFault(t, f.TryResolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, deed("bless", 1)) }), "harm.deed")
	gone := &eventv1.Harm{Deed: body.DeedHeal, Target: "nobody"}
	if err := f.TryResolve(func(r *rules.Resolution) error { return f.System.Medicine().Deed(r, gone) }); reasonOf(err) != "UNKNOWN_CREATURE" {
		t.Errorf("%v", err)
	}
}
