package spark

import (
	"slices"
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// spark.fumble.alt-weapon-break, spark.item.magic-save: of several magical axes the one in use: unharmed it lies where it was thrown
// to, cracked it waits for repair, broken it is gone; the others are as they were
func TestMagicalAxesBreak(t *testing.T) {
	for _, c := range []struct {
		name, mode           string
		thrown               bool
		dice                 []int
		left, spent, cracked int64
	}{
		{"thrown, the magic holds", body.BreakBoth, true, []int{1, 1, 2}, 2, 1, 0},
		{"thrown, held by its hardness", body.BreakBoth, true, []int{1, 1, 1, 20}, 2, 0, 1},
		{"thrown, a natural 1 of the hardness", body.BreakBoth, true, []int{1, 2, 1, 1}, 2, 0, 1},
		{"thrown, the d10 alone", body.BreakD10, true, []int{1, 1, 1}, 2, 0, 0},
		{"thrown, the hardness alone", body.BreakHardness, true, []int{1, 1, 20}, 2, 0, 1},
		{"in the hand, the magic holds", body.BreakBoth, false, []int{1, 2, 10}, 3, 0, 0},
		{"in the hand, held by its hardness", body.BreakBoth, false, []int{1, 2, 1, 20}, 2, 0, 1},
		{"in the hand, the d10 alone", body.BreakD10, false, []int{1, 2, 1}, 2, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := altWith(t, []string{body.SetMagicBreak + "=" + c.mode}, armedWith(magical(hurled, 1)))
			f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", c.thrown)))
			f.End("orc", c.dice...)
			n := f.Creature("ara").Counters
			if n[body.CAmmunition+"axe"] != c.left || n[body.CSpent+"axe"] != c.spent || n[body.CCracked+"axe"] != c.cracked || f.Creature("ara").Marks[body.MWeapon+"axe"] != "" {
				t.Fatalf("%v %v", n, f.Creature("ara").Marks)
			}
			f.Tend(gearOf("repair", "axe"))
			if got := f.Creature("ara").Counters[body.CAmmunition+"axe"]; got != c.left+c.cracked {
				t.Fatalf("%d after repair", got)
			}
		})
	}
}

// spark.item.hardness-table, spark.item.magic-save: what has no DC gives way without a check, magical or not
func TestMagicalPaperBreaks(t *testing.T) {
	fan := magical(sword, 5)
	fan.Material = "paper-or-cloth"
	f := duel(t, armedWith(fan))
	f.strikes("sword", 1, 4, 4, 2)
	if f.Creature("ara").Marks[body.MWeapon+"sword"] != body.Broken || len(f.Rolls("/hardness")) != 0 {
		t.Fatalf("%v", f.Creature("ara").Marks)
	}
	f.WantHP("orc", 20) // twice 2 + 3
}

// spark.fumble.alt-weapon-flies: the better of the two saves is proposed, Strength where they are as good
func TestWhichSaveIsProposed(t *testing.T) {
	for _, c := range []struct {
		strength, reflex int32
		want             string
	}{{5, 1, "strength"}, {1, 1, "strength"}, {1, 2, "reflex"}, {-2, -1, "reflex"}} {
		f := alt(t, func(s *eventv1.SparkSheet) { s.StrengthSave, s.Reflex = c.strength, c.reflex })
		f.strikes("sword", 1, 4)
		if d := f.Decisions[0]; d.Name != body.DecFlyingSave || d.DefaultOption != c.want || d.GmOnly || d.Rule != cite.FumbleAltWeaponFlies {
			t.Errorf("%d and %d: %v", c.strength, c.reflex, d)
		}
		f.Choose("strength", int(15-c.strength)) // just enough
		if got := f.Creature("ara").Items["sword"].Place; got != "main" {
			t.Errorf("the sword is %q", got)
		}
	}
}

// spark.fumble.alt-broken-item: what would break is among what is still carried when it comes out: the last vial drunk meanwhile, nothing
// does; of two results with one vial left, one does
func TestBreakageOfWhatIsStillThere(t *testing.T) {
	for _, c := range []struct {
		name           string
		falls          int
		drink          bool
		vials, left    int64
		oil, oilAfters int64
		dice           []int
	}{
		{"drunk meanwhile", 1, true, 1, 0, 0, 0, nil},
		{"two results, one vial", 2, false, 1, 0, 0, 0, nil},
		{"drunk meanwhile, oil is left", 1, true, 1, 0, 1, 0, nil},
		{"two of two kinds", 2, false, 1, 0, 1, 0, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := alt(t, func(s *eventv1.SparkSheet) {
				s.Items = []*eventv1.SparkItem{{Name: "vial", Kind: "potion", Uses: 1, Fragile: true, Healing: "1d4"}, {Name: "oil", Kind: "other", Uses: 1, Fragile: true}}
			})
			f.Count("ara", body.CLeft+"oil", int(c.oil))
			for range c.falls {
				f.strikes("sword", 1, 19)
			}
			if c.drink {
				f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:vial")))
				f.End("orc", 10, 1)
			}
			f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}, c.dice...)
			n := f.Creature("ara").Counters
			if n[body.CLeft+"vial"] != c.left || n[body.CLeft+"oil"] != c.oilAfters || n[body.CBreakages] != 0 {
				t.Fatalf("%v", n)
			}
		})
	}
}

// spark.fumble.missile-broken, spark.fumble.alt-ammo-accident: what is gathered is of the weapon that is named
func TestGatherOfOneWeapon(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons = append(s.Weapons, proto.CloneOf(hurled)) }))
	f.Count("ara", body.CSpent+"bow", 3, body.CSpilled+"bow", 2, body.CSpent+"axe", 1, body.CAmmunition+"axe", 2)
	f.Tend(gearOf("gather", "axe"))
	n := f.Creature("ara").Counters
	if n[body.CAmmunition+"axe"] != 3 || n[body.CSpent+"axe"] != 0 || n[body.CAmmunition+"bow"] != 12 || n[body.CSpent+"bow"] != 3 || n[body.CSpilled+"bow"] != 2 {
		t.Fatalf("%v", n)
	}
	f.Tend(gearOf("gather", "bow"))
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"bow"] != 17 || n[body.CAmmunition+"axe"] != 3 {
		t.Fatalf("%v", n)
	}
}

// spark.item.cracked: a cracked weapon is good for one use: what was declared of it before it cracked, used it is broken at the second
// blow, whose d20 has been thrown
func TestCrackedBetweenDeclarationAndReveal(t *testing.T) {
	f := duel(t, armedWith(mace), func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Must(act("ara", declaring.KindAttack, "mace", "orc,orc", withParameters("use_cracked", true)))
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MWeapon + "mace": body.Cracked}})
	f.End("orc", 15, 16, 2)
	f.WantAttacks("ara hit", "ara lost")
	f.WantHP("orc", 24)
	if got := f.Creature("ara"); got.Marks[body.MWeapon+"mace"] != body.Broken || got.Items["mace"].Place != "gone" {
		t.Fatalf("%v", got.Marks)
	}
	// Without the word for it neither blow is struck, and the mace stays cracked.
	f = duel(t, armedWith(mace), func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Must(act("ara", declaring.KindAttack, "mace", "orc,orc"))
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MWeapon + "mace": body.Cracked}})
	f.End("orc")
	f.WantAttacks("ara lost", "ara lost")
	if got := f.Creature("ara").Marks[body.MWeapon+"mace"]; got != body.Cracked {
		t.Fatalf("%q", got)
	}
}

// spark.fumble.weapon-class: a weapon of several kinds in the off hand: its kinds are listed once each, and the one named, or the first,
// is the line of the fumble
func TestKindsOfTheOffHand(t *testing.T) {
	two := func(s *eventv1.SparkSheet) {
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "pick", FumbleClasses: []string{"P", "B"}, DamageDice: "1d4", ReachFeet: 5, OffHand: true},
			&eventv1.SparkWeapon{Name: "axe", FumbleClasses: []string{"S", "B"}, DamageDice: "1d4", ReachFeet: 5, OffHand: true},
			&eventv1.SparkWeapon{Name: "club", FumbleClasses: []string{"B"}, DamageDice: "1d4", ReachFeet: 5, OffHand: true})
	}
	f := duel(t, two)
	p := parameterOf(f.listed("ara", declaring.KindAttack, "sword")["Attack"], "bonus_class")
	var values []string
	for _, v := range p.GetValues() {
		values = append(values, v.GetStringValue())
	}
	if !slices.Equal(values, []string{"P", "B", "S"}) || p.Required {
		t.Fatalf("listed %v", p)
	}
	if p := parameterOf(duel(t, twoHanded).listed("ara", declaring.KindAttack, "sword")["Attack"], "bonus_class"); p != nil {
		t.Fatalf("one kind leaves no choice: %v", p)
	}
	for _, c := range []struct {
		class string
		dice  []int
		rule  string
	}{{"", []int{2, 1, 1, 1}, cite.FumbleTripTwoRounds}, {"P", []int{2, 1, 1, 1}, cite.FumbleTripTwoRounds}, {"B", []int{2, 1, 1, 1, 1}, cite.FumbleHitOwnKnee}} {
		f := duel(t, two)
		words := []any{"bonus", "off-hand:pick"}
		if c.class != "" {
			words = append(words, "bonus_class", c.class)
		}
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters(words...)))
		f.End("orc", c.dice...)
		if got := f.fumbleRules(); !slices.Contains(got, c.rule) {
			t.Errorf("%q: %v", c.class, got)
		}
	}
	f = duel(t, two)
	wantField(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "off-hand:pick", "bonus_class", "S"))), "take.parameters.bonus_class")
}

// spark.action.off-hand-attack: with nobody left to strike at, no off-hand attack is to be had, and none is listed
func TestNobodyForTheOffHand(t *testing.T) {
	f := duel(t, twoHanded)
	f.Hurt("orc", 0)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "off-hand:dagger", "bonus_target", "orc"))), cite.AttackRoll)
	if o := f.listed("ara", declaring.KindMove, "")["Move, and attack with the off hand"]; o != nil {
		t.Fatalf("listed: %v", o)
	}
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:potion")), 10, 1)
}

// spark.fumble.string-breaks, spark.fumble.alt-string-snaps: a new string is fitted by the rule of the table in force
func TestWhoseStringItIs(t *testing.T) {
	for settings, rule := range map[string]string{"off": cite.FumbleStringBreaks, "on": cite.FumbleAltStringSnaps} {
		f := newTable(t, body.RuleAlt+"="+settings).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.SpareStrings = 1 })).at(5, fighter("orc", "monsters")).start()
		f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MString + "bow": body.Snapped}})
		o := f.listed("ara", declaring.KindRestring, "bow")["Fit a new string"]
		if o == nil || !o.Legal || o.Rule != rule {
			t.Errorf("%s: %v", settings, o)
		}
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc")), rule)
		wantRefused(t, f.Try(act("ara", declaring.KindRestring, "bow", "", to(5))), rule)
	}
}

// What must hold of each table, as packs may change it: every row that does not is refused, and named.
func TestTablesAtTheirBounds(t *testing.T) {
	swap := func(name, from, to string) (string, string) {
		text, err := content.Book().Table(name)
		if err != nil || !strings.Contains(text, from) {
			t.Fatalf("%s has no %q", name, from)
		}
		return name, strings.Replace(text, from, to, 1)
	}
	read := func(name, text string) error {
		_, err := body.LoadTables(func(n string) (string, error) {
			if n == name {
				return text, nil
			}
			return content.Book().Table(n)
		})
		return err
	}
	for _, c := range []struct{ table, from, to, wrong string }{
		{"fumble", "2,M,bow-breaks", "two,M,bow-breaks", "invalid syntax"},
		{"fumble", "2,M,bow-breaks", "2,X,bow-breaks", `no class "X"`},
		{"fumble", "2,M,bow-breaks", "3,M,bow-breaks", "M 3 does not follow"},
		{"fumble", "2,M,bow-breaks", "2,M,alt-ouch", `no effect "alt-ouch"`},
		{"fumble", "2,M,bow-breaks,the launcher breaks for good,", "2,M,bow-breaks,the launcher breaks for good,here", `footnote "here"`},
		{"fumble", "2,M,bow-breaks,the launcher breaks for good,", "2,M,bow-breaks,the launcher breaks for good,missing", ""},
		{"fumble", "2,M,bow-breaks", "2,M,trip-one-round", ""},
		{"alt_fumble", "1-2,MW", "2-1,MW", "2-1 is no band"},
		{"alt_fumble", "1-2,MW", "0-2,MW", "0 is less than 1"},
		{"alt_fumble", "1-2,MW", "1-x,MW", "invalid syntax"},
		{"alt_fumble", "1-2,MW", "1-2,XX", `no column "XX"`},
		{"alt_fumble", "1-2,MW", "2-2,MW", "MW 2-2 does not follow"},
		{"alt_fumble", "1-2,MW,alt-weapon-break", "1-2,MW,bow-breaks", `no effect "bow-breaks"`},
		{"alt_fumble", "20,MW,", "20-21,MW,", "column MW: 21 rows, want 20"},
		{"alt_fumble", "1-2,MW,alt-weapon-break", "1-2,MW,alt-accident", ""},
		{"multiplier", "1-3,1", "1-3,0", "0 is less than 1"},
		{"multiplier", "1-3,1", "1-3,one", "invalid syntax"},
		{"multiplier", "1-3,1", "1-2,1", "4-12 does not follow 2"},
		{"multiplier", "20,5", "20-21,5", "faces must end at 20, not 21"},
		{"multiplier", "20,5", "20,6", ""},
		{"mana", "1,1", "2,1", "2 mana does not follow"},
		{"mana", "4,2", "1,2", "1 mana does not follow"},
		{"mana", "4,2", "4,1", "4 mana does not follow"},
		{"mana", "4,2", "2,2", ""},
		{"mana", "4,2", "x,2", "invalid syntax"},
		{"mana", "4,2", "4,x", "invalid syntax"},
		{"hardness", "rope,,23", "rope,,0", "0 is less than 1"},
		{"hardness", "rope,,23", "wood,,23", `"wood" twice or empty`},
		{"hardness", "rope,,23", ",,23", `"" twice or empty`},
		{"hardness", "rope,,23", "rope,,1", ""},
		{"hardness", "rope,,23", "rope,,none", ""},
		{"hardness", "wood,2 in,13", "wood,2 in,none", "wood must have a number"},
		{"places", "dungeon,1", "dungeon,0", "0 is less than 1"},
		{"places", "wilderness,1", "dungeon,1", `"dungeon" twice or empty`},
	} {
		err := read(swap(c.table, c.from, c.to))
		if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong) || !strings.HasPrefix(err.Error(), "spark: table "+c.table+":")) {
			t.Errorf("%s, %s: %v, want %q", c.table, c.to, err, c.wrong)
		}
	}
	for name, text := range map[string]string{"mana": "mana_used,modifier\n", "multiplier": "roll,multiplier\n", "fumble": "roll,class,effect,text,footnote\n",
		"alt_fumble": "roll,class,effect,text\n", "hardness": "material,thickness,dc\n", "places": "place,multiplier\n"} {
		if err := read(name, text); err == nil || !strings.HasPrefix(err.Error(), "spark: table "+name+":") {
			t.Errorf("%s without rows: %v", name, err)
		}
	}
}
