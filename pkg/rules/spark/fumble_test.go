package spark

import (
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// weapons, one of each class.
var (
	spear = &eventv1.SparkWeapon{Name: "spear", FumbleClasses: []string{"P"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 3, ReachFeet: 5}
	mace  = &eventv1.SparkWeapon{Name: "mace", FumbleClasses: []string{"B"}, AttackModifier: 4, DamageDice: "1d8", DamageBonus: 4, ReachFeet: 5}
	sword = &eventv1.SparkWeapon{Name: "sword", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 3, ReachFeet: 5}
	claw  = &eventv1.SparkWeapon{Name: "claw", FumbleClasses: []string{"F"}, AttackModifier: 5, DamageDice: "1d6", DamageBonus: 4, ReachFeet: 5, Natural: true}
	bow   = &eventv1.SparkWeapon{Name: "bow", FumbleClasses: []string{"M"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 1, RangeFeet: 80, Launcher: true, Missiles: proto.Int32(12)}
)

func magical(w *eventv1.SparkWeapon, enchantment int32) *eventv1.SparkWeapon {
	w = proto.Clone(w).(*eventv1.SparkWeapon)
	w.Magical, w.Enchantment = true, enchantment
	return w
}

// Every cell of the 2d4 table: ara fumbles beside the orc she aims at, with wen
// her friend behind her at 5 ft.
//
// spark.fumble.table-2d4, spark.fumble.hit-own-knee, spark.fumble.hit-own-head, spark.fumble.wrong-angle,
// spark.fumble.hit-behind-half, spark.fumble.wrong-target-half, spark.fumble.hit-nearest-full,
// spark.fumble.weapon-hits-nearest, spark.fumble.hits-nearest-not-target
func TestFumbleTable(t *testing.T) {
	type want struct {
		ara, orc, wen int32  // damage taken
		state         string // mark of the weapon
		place         string // of the weapon
		barredUntil   int32
		injury        string
		chip, missile int64
	}
	m := func(w want, missiles int64) want { w.missile = missiles; return w }
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		faces  string
		want   want
	}{
		{"2 M bow breaks", bow, "1 1 1", m(want{state: body.Broken, place: "gone"}, 12)},
		{"3 M missile broken", bow, "1 1 2", m(want{place: "main"}, 11)},
		{"4 M drop", bow, "1 2 2", m(want{place: "dropped"}, 12)},
		{"5 M rebounds", bow, "1 2 3 5", m(want{place: "main", wen: 6}, 11)},
		{"6 M trip", bow, "1 2 4", m(want{place: "main", barredUntil: 3}, 12)},
		{"7 M missile broken", bow, "1 3 4", m(want{place: "main"}, 11)},
		{"8 M string", bow, "1 4 4", m(want{place: "main"}, 12)},
		{"2 S chipped", sword, "1 1 1", want{place: "main", chip: 1}},
		{"3 S bump", sword, "1 1 2 2", want{place: "main"}},
		{"4 S drop", sword, "1 1 3", want{place: "dropped"}},
		{"5 S trip", sword, "1 2 3", want{place: "main", barredUntil: 3}},
		{"6 S bump", sword, "1 2 4 1", want{place: "main"}},
		{"7 S flies", sword, "1 3 4 7 8 3", want{place: "dropped"}},
		{"8 S broken, double damage", sword, "1 4 4 4", want{place: "gone", state: body.Broken, orc: 14}},
		{"2 B knee", mace, "1 1 1 3", want{place: "main", ara: 3}},
		{"3 B head", mace, "1 2 1 4", want{place: "main", ara: 4}},
		{"4 B drop", mace, "1 2 2", want{place: "dropped"}},
		{"5 B bump", mace, "1 2 3 1", want{place: "main"}},
		{"6 B trip", mace, "1 3 3", want{place: "main", barredUntil: 3}},
		{"7 B cracked", mace, "1 4 3", want{place: "main", state: body.Cracked}},
		{"8 B flies", mace, "1 4 4 1 1 5", want{place: "dropped"}},
		{"2 P trip", spear, "1 1 1", want{place: "main", barredUntil: 3}},
		{"3 P behind", spear, "1 2 1 6", want{place: "main", wen: 4}},
		{"4 P drop", spear, "1 1 3", want{place: "dropped"}},
		{"5 P behind", spear, "1 2 3 6", want{place: "main", wen: 4}},
		{"6 P drop", spear, "1 2 4", want{place: "dropped"}},
		{"7 P flies", spear, "1 3 4 2 2 1", want{place: "dropped"}},
		{"8 P nearest", spear, "1 4 4 6", want{place: "main", wen: 9}},
		{"2 F trip", claw, "1 1 1", want{barredUntil: 2}},
		{"3 F wrong angle", claw, "1 1 2 3", want{ara: 3}},
		{"4 F sprain", claw, "1 2 2", want{injury: body.InjurySprain}},
		{"5 F wrong target", claw, "1 1 4 5", want{wen: 4}},
		{"6 F nearest", claw, "1 3 3 5", want{wen: 9}},
		{"7 F wrist", claw, "1 3 4", want{injury: body.InjuryBreak}},
		{"8 F nearest but the target", claw, "1 4 4 1", want{wen: 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", armedWith(c.weapon))).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party")).start()
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc"))
			f.End("orc")
			f.End("wen", faces(c.faces)...)
			f.WantHP("ara", 30-c.want.ara)
			f.WantHP("orc", 30-c.want.orc)
			f.WantHP("wen", 30-c.want.wen)
			ara, name := f.Creature("ara"), c.weapon.Name
			injury := ""
			if len(ara.Injuries) > 0 {
				injury = ara.Injuries[0].Kind
			}
			got := want{c.want.ara, c.want.orc, c.want.wen, ara.Marks[body.MWeapon+name], ara.Items[name].GetPlace(), body.BarredUntil(ara), injury,
				ara.Counters[body.CChip+name], ara.Counters[body.CAmmunition+name]}
			if got != c.want {
				t.Fatalf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func faces(list string) (out []int) {
	for _, s := range strings.Fields(list) {
		n := 0
		for _, d := range s {
			n = 10*n + int(d-'0')
		}
		out = append(out, n)
	}
	return out
}

// spark.fumble.bump-nearest: a spell is ruined although spells come before
// melee, and costs its mana like a countered one
func TestBumpRuinsASpell(t *testing.T) {
	wen := fighter("wen", "party", mage)
	f := newTable(t).at(0, fighter("ara", "party")).at(10, fighter("orc", "monsters")).at(-5, wen).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", to(5), withFacts("nearest", []string{"wen"})))
	f.Must(act("wen", declaring.KindCast, "fire", "orc"))
	f.End("orc", 1, 2, 4, 15)
	if got := f.Creature("wen").Counters[body.CMana]; got != 14 {
		t.Fatalf("mana %d, want 14", got)
	}
	f.WantHP("orc", 30)
}

// spark.fumble.bump-nearest: in an opportunity attack the shot of this round is
// ruined before its d20 is thrown, and the bumper's own attack too
func TestBumpInTheFirstHalf(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party")).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(10)))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("wen", declaring.KindAttack, "bow", "orc"))
	f.Answer(body.DecOpportunity, "sword", 1, 2, 4, 2) // d2 between the orc and wen
	f.WantAttacks("ara fumble", "ara lost", "wen lost")
}

// spark.fumble.trip-two-rounds: rounds 3 and 4, opportunity attacks too; moves are allowed
func TestTripBars(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(spear))).at(5, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "spear", "orc"))
	f.End("orc", 1, 1, 1)
	for range 2 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "spear", "orc")), cite.FumbleTripTwoRounds)
		f.End("ara")
		f.Must(act("orc", declaring.KindMove, "", "", to(10, 5))) // no attack is offered
	}
	f.Must(act("ara", declaring.KindAttack, "spear", "orc"))
}

// spark.fumble.drop-weapon: not in the next round, then again
func TestDropWeapon(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 1, 2, 2)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleDropWeapon)
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.Must(act("orc", declaring.KindMove, "", "", to(10)), 2) // no opportunity attack: the sword is down
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", to(5)))
}

// spark.turn.full-attack-slots
func TestFumbleWithinAFullAttack(t *testing.T) {
	three := func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 }
	f := duel(t, three)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc,orc"))
	f.End("orc", 15, 1, 1, 3, 2)
	f.WantAttacks("ara fumble", "ara lost", "ara hit")
	f.WantHP("orc", 25)
	f = duel(t, three)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc,orc"))
	f.End("orc", 15, 1, 1, 1, 12, 5, 5) // chipped: the first undiminished, the third 1 less
	f.WantHP("orc", 30-8-7)
}

// spark.fumble.weapon-chipped: inside what a critical multiplies
func TestChipped(t *testing.T) {
	f := duel(t)
	f.Count("ara", body.CChip+"sword", 1)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 20, 13, 5)
	f.WantHP("orc", 30-21)
}

// spark.fumble.sprain-wrist: multiply first, halve last
func TestSprained(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(&eventv1.SparkWeapon{Name: "fist", FumbleClasses: []string{"F"}, AttackModifier: 5,
		DamageDice: "1d6", DamageBonus: 2, ReachFeet: 5, Natural: true}))).at(5, fighter("orc", "monsters")).start()
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjurySprain, Side: "fist"}}})
	f.Must(act("ara", declaring.KindAttack, "fist", "orc"))
	f.End("orc", 15, 3)
	f.WantHP("orc", 28)
	f.Must(act("ara", declaring.KindAttack, "fist", "orc"))
	f.End("orc", 20, 14, 4)
	f.WantHP("orc", 28-9)
}

// spark.item.magic-save, spark.fumble.bow-breaks, spark.item.enchantment-hardness
func TestMagicalWeaponsCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		str    int32
		faces  []int
		state  string
	}{
		{"steel +1 holds", magical(sword, 1), 3, []int{1, 4, 4, 18, 2}, body.Cracked},
		{"oak bow +2 holds", magical(bow, 2), 2, []int{1, 1, 1, 12}, body.Cracked},
		{"wooden bow +1 breaks", magical(bow, 1), 3, []int{1, 1, 1, 11}, body.Broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", armedWith(c.weapon), func(s *eventv1.SparkSheet) { s.StrengthModifier = c.str })).
				at(5, fighter("orc", "monsters")).start()
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc"))
			f.End("orc", c.faces...)
			if got := f.Creature("ara").Marks[body.MWeapon+c.weapon.Name]; got != c.state {
				t.Fatalf("%q, want %q", got, c.state)
			}
		})
	}
}

// spark.fumble.weapon-cracked, spark.item.cracked: used regardless, it breaks after the blow
func TestCrackedIsUsedUp(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(mace))).at(5, fighter("orc", "monsters")).start()
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MWeapon + "mace": body.Cracked}})
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "mace", "orc")), cite.FumbleWeaponCracked)
	f.Must(act("ara", declaring.KindAttack, "mace", "orc", withParameters("use_cracked", true)))
	f.End("orc", 15, 4)
	f.WantHP("orc", 22)
	if got := f.Creature("ara").Marks[body.MWeapon+"mace"]; got != body.Broken {
		t.Fatalf("the mace is %q", got)
	}
}

// spark.fumble.timing: the fumbler put out in the ranged pass does itself no harm
func TestFumblerPutOutBefore(t *testing.T) {
	f := newTable(t).at(0, fighter("dain", "monsters", armedWith(mace))).at(5, fighter("ara", "party")).start()
	f.Hurt("dain", 4)
	f.Must(act("dain", declaring.KindAttack, "mace", "ara"))
	f.Must(act("ara", declaring.KindAttack, "bow", "dain"), 1, 2, 1, 15, 8)
	f.WantHP("dain", 0)
}

// spark.fumble.nearest: no free hit on the target; the bump takes it
func TestNearest(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(claw))).at(5, fighter("orc", "monsters")).at(-10, fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
	f.End("orc")
	f.End("wen", 1, 4, 4)
	f.WantHP("orc", 30)
	f.WantHP("wen", 30)
}

// spark.fumble.weapon-flies: fetched by moving there and the bonus action
func TestPickUp(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withFacts("direction", 7)))
	f.End("orc", 1, 3, 4, 7, 8)
	if v := f.Creature("ara").Items["sword"].Values; v["feet"] != 15 || v["x"] != -15 {
		t.Fatalf("it lies at %v", v)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "pick-up:sword"))), cite.FumbleWeaponFlies)
	f.Must(act("ara", declaring.KindMove, "", "", to(-15), withParameters("bonus", "pick-up:sword"), withFacts("provokes", []string{})))
	f.End("orc")
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
}

// spark.fumble.string-breaks: one minute with a spare string
func TestRestring(t *testing.T) {
	f := duel(t)
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": body.Snapped}, Counters: map[string]int64{body.CSpareStrings: 1}})
	for range 10 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc")), cite.FumbleStringBreaks)
		f.Must(act("ara", declaring.KindRestring, "bow", ""))
		f.End("orc")
	}
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	if got := f.Creature("ara").Counters[body.CSpareStrings]; got != 0 {
		t.Fatalf("%d spare strings", got)
	}
}

// The tables cover what they must: every cell, every face.
func TestTables(t *testing.T) {
	if body.BookError != nil {
		t.Fatal(body.BookError)
	}
	for stake, want := range map[int32]int32{0: 0, 1: 1, 3: 1, 4: 2, 10: 3, 11: 4, 22: 5, 23: 6, 46: 8, 47: 9, 80: 9} {
		if got := body.Threshold(body.Book.Mana, stake); got != want { // spark.spell.counterspell-mana-table
			t.Errorf("stake %d gives %d, want %d", stake, got, want)
		}
	}
	footnotes := 0
	for _, class := range body.FumbleClasses {
		for _, row := range body.Book.Fumbles[class] {
			if row.Footnote {
				footnotes++
			}
		}
	}
	if footnotes != 7 {
		t.Errorf("%d footnotes missing, want 7", footnotes)
	}
	for _, bad := range []string{"roll,multiplier\n1-3,1\n5-20,2\n", "roll,multiplier\n1-3,1\n", "roll\n"} {
		_, err := body.LoadTables(func(name string) (string, error) {
			if name == "multiplier" {
				return bad, nil
			}
			return content.Book().Table(name)
		})
		if err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
