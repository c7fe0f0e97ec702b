package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// tail and others of the alternate table's cases.
var (
	bite   = &eventv1.SparkWeapon{Name: "bite", FumbleClasses: []string{"F"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 3, ReachFeet: 5, Natural: true}
	tail   = &eventv1.SparkWeapon{Name: "tail", FumbleClasses: []string{"F"}, AttackModifier: 5, DamageDice: "1d8", ReachFeet: 5, Natural: true, Tail: true}
	flail  = &eventv1.SparkWeapon{Name: "flail", FumbleClasses: []string{"B"}, AttackModifier: 5, DamageDice: "1d8", DamageBonus: 2, ReachFeet: 5, Flail: true}
	hurled = &eventv1.SparkWeapon{Name: "axe", FumbleClasses: []string{"S"}, AttackModifier: 6, DamageDice: "1d8", DamageBonus: 1, ReachFeet: 5, RangeFeet: 20, LongRangeFeet: 60, Missiles: proto.Int32(3)}
)

// alt is ara against an orc with the alternate table in force.
func alt(t *testing.T, change ...func(*eventv1.SparkSheet)) *table {
	t.Helper()
	return altWith(t, nil, change...)
}

func altWith(t *testing.T, settings []string, change ...func(*eventv1.SparkSheet)) *table {
	t.Helper()
	return newTable(t, append(settings, body.RuleAlt+"=on")...).at(0, fighter("ara", "party", change...)).at(5, fighter("orc", "monsters")).start()
}

// strikes has ara attack the orc, whose passing lets the dice fall.
func (f *table) strikes(weapon string, faces ...int) {
	f.T.Helper()
	f.Must(act("ara", declaring.KindAttack, weapon, "orc"))
	f.End("orc", faces...)
}

// fumbleNote is what the critical fail of the last command was.
func (f *table) fumbleRules() []string {
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil && a.Outcome == "fumble" {
			return e.Rules
		}
	}
	return nil
}

// spark.fumble.alt-table, spark.fumble.alt-class: every face of every column
func TestAltTable(t *testing.T) {
	bands := func(list string) (cells []string) {
		for _, band := range strings.Fields(list) {
			n, slug, _ := strings.Cut(band, ":")
			cells = append(cells, slices.Repeat([]string{slug}, faces(n)[0])...)
		}
		return cells
	}
	for _, c := range []struct {
		column string
		cells  []string
	}{
		{body.ColumnMelee, bands("2:weapon-break 2:weapon-flies 2:wild-swing 1:stuck-weapon 1:stray-melee 1:self-wound 5:slip-up 1:pulled-arms 1:pulled-legs 2:loss-of-nerve 1:broken-item 1:accident")},
		{body.ColumnShooting, bands("2:weapon-break 2:string-snaps 4:loose-string 8:stray-ranged 2:ammo-accident 1:pulled-arms 1:slip-up")},
		{body.ColumnThrown, bands("2:weapon-break 4:pulled-arms 3:slip-up 9:stray-ranged 2:hopeless-throw")},
		{body.ColumnNatural, bands("4:ouch 5:wild-swing 9:slip-up-natural 2:loss-of-nerve-natural")},
	} {
		if len(c.cells) != 20 {
			t.Fatalf("%s: %d cells wanted", c.column, len(c.cells))
		}
		for i, want := range c.cells {
			if got := body.Book.Alt[c.column][i].Effect; got != "alt-"+want {
				t.Errorf("%s %d: %s, want %s", c.column, i+1, got, want)
			}
		}
	}
}

// spark.fumble.alt-class
func TestAltClass(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		ranged bool
		want   string
	}{{"sword", sword, false, "MW"}, {"axe in the hand", hurled, false, "MW"}, {"axe thrown", hurled, true, "TR"}, {"bow", bow, true, "SR"},
		{"bite", bite, false, "NW"}, {"spines that are shot", bite, true, "NW"}, {"a bare fist", &eventv1.SparkWeapon{Name: "fist", FumbleClasses: []string{"F"}, ReachFeet: 5}, false, "NW"}} {
		if got := resolving.AltColumn(c.weapon, c.ranged, ""); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// spark.fumble.alt-choice: one table or the other is in force
func TestAltChoice(t *testing.T) {
	f := alt(t)
	f.strikes("sword", 1, 8)
	if got := f.fumbleRules(); !slices.Contains(got, cite.FumbleAltStrayMelee) {
		t.Fatalf("row 8 MW is %v", got)
	}
	f = newTable(t, body.RuleAlt+"=off").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.strikes("sword", 1, 4, 3, 2, 2, 1)
	if got := f.fumbleRules(); !slices.Contains(got, cite.FumbleWeaponFlies) {
		t.Fatalf("row 7 S is %v", got)
	}
	// A single result switched off is no more than the failed attack.
	f = altWith(t, []string{"spark.fumble.alt-accident=off"})
	f.strikes("sword", 1, 20)
	f.WantAttacks("ara fumble")
}

// spark.fumble.alt-weapon-break
func TestAltWeaponBreak(t *testing.T) {
	strong := func(s *eventv1.SparkSheet) { s.StrengthModifier = 4 }
	for _, c := range []struct {
		name, mode string
		weapon     *eventv1.SparkWeapon
		faces      []int
		want       string
	}{
		{"mundane sword", "", sword, []int{1, 2}, body.Broken},
		{"magical sword, 2 on the d10", "", magical(sword, 1), []int{1, 2, 2}, ""},
		{"magical sword, 1, then 19 of 29", "", magical(sword, 1), []int{1, 1, 1, 15}, body.Cracked},
		{"magical bow of wood, 1, then 14 of 14", "", magical(bow, 1), []int{1, 1, 1, 10}, body.Broken},
		{"only the d10", body.BreakD10, magical(sword, 1), []int{1, 1, 1}, body.Broken},
		{"only the hardness", body.BreakHardness, magical(sword, 1), []int{1, 1, 15}, body.Cracked},
		{"mundane bow", "", bow, []int{1, 1}, body.Broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			var settings []string
			if c.mode != "" {
				settings = []string{body.SetMagicBreak + "=" + c.mode}
			}
			f := altWith(t, settings, armedWith(c.weapon), strong)
			f.strikes(c.weapon.Name, c.faces...)
			if got := f.Creature("ara").Marks[body.MWeapon+c.weapon.Name]; got != c.want {
				t.Fatalf("%q, want %q", got, c.want)
			}
		})
	}
	f := alt(t, armedWith(hurled))
	f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", true)))
	f.End("orc", 1, 2)
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"axe"] != 2 || n[body.CSpent+"axe"] != 0 || f.Creature("ara").Marks[body.MWeapon+"axe"] != "" {
		t.Fatalf("the thrown axe of three: %v", n)
	}
}

// spark.fumble.alt-ouch: it adds up, other attacks and tails are spared
func TestAltOuch(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.Weapons = []*eventv1.SparkWeapon{bite, tail} })
	f.Hurt("ara", 20)
	f.strikes("bite", 1, 1, 2)
	f.WantHP("ara", 18)
	f.strikes("bite", 15, 8)
	f.WantHP("orc", 30-(8+3-2))
	f.strikes("bite", 1, 4, 3)
	f.WantHP("ara", 15)
	f.strikes("bite", 15, 1) // 1 + 3 - 5 is not below 0
	f.WantHP("orc", 21)
	f.strikes("tail", 1, 3)
	f.WantHP("ara", 15)
	f.strikes("tail", 15, 5)
	f.WantHP("orc", 16)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	f.Tend(tendAra("heal", "amount", 3.0)) // ordinary healing does not restore it
	f.Tend(tendAra("restore", "injury", body.InjurySnap))
	if len(f.Creature("ara").Injuries) != 0 {
		t.Fatal("magic did not restore the teeth")
	}
}

// spark.fumble.alt-weapon-flies: the attacker names the save
func TestAltWeaponFlies(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.StrengthSave, s.Reflex = 5, 1 })
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 1, 3)
	if d := f.Decisions[0]; d.Name != body.DecFlyingSave || d.Creature != "ara" || d.GmOnly || d.DefaultOption != "strength" {
		t.Fatalf("%v", d)
	}
	f.Choose("strength", 10) // 15
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 1, 4)
	f.Choose("reflex", 13, 9, 3) // 14; 9 ft to the east
	it := f.Creature("ara").Items["sword"]
	if it.Place != "dropped" || it.Values["feet"] != 9 || it.Values["x"] != 9 || it.Values["direction"] != 3 {
		t.Fatalf("%v", it)
	}
	f.Choose("no")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleAltWeaponFlies)
}

// spark.fumble.alt-retrieve
func TestAltRetrieve(t *testing.T) {
	second := func(s *eventv1.SparkSheet) {
		s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "dirk", FumbleClasses: []string{"P"}, DamageDice: "1d4", ReachFeet: 5, Stowed: true})
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1, Healing: "1d8"}}
	}
	more := []int(nil)
	flown := func(t *testing.T, change ...func(*eventv1.TakeAction)) *table {
		f := newTable(t, body.RuleAlt+"=on").at(20, fighter("ara", "party", second)).at(25, fighter("orc", "monsters")).atXY(20, 5, fighter("goblin", "monsters")).start()
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", change...))
		f.End("orc")
		f.End("goblin", 1, 3)
		f.Choose("reflex", append([]int{2, 9, 7}, more...)...) // 9 ft to the west
		return f
	}
	options := func(f *table) (ids []string) {
		for _, o := range f.Decisions[0].Options {
			ids = append(ids, o.Id)
		}
		return ids
	}

	f := flown(t)
	if got := options(f); !slices.Equal(got, []string{"no", "fetch", "draw:dirk"}) {
		t.Fatalf("%v", got)
	}
	f.Choose("fetch")
	if len(f.Decisions) != 2 || f.Decisions[0].Creature != "orc" || f.Decisions[1].Creature != "goblin" {
		t.Fatalf("the most immediate opponent is not first: %v", f.Decisions)
	}
	f.Answer(body.DecOpportunity+"/goblin", "sword")
	f.Answer(body.DecOpportunity+"/orc", "sword", 12, 1, 5) // the orc hits for 4, the goblin misses
	f.WantHP("ara", 26)
	ara := f.Creature("ara")
	if ara.Items["sword"].Place != "main" || ara.Position.X != 11 {
		t.Fatalf("%v at %v", ara.Items["sword"], ara.Position)
	}

	f = flown(t)
	f.Choose("draw:dirk")
	if got := f.Creature("ara").Items["dirk"].Place; got != "main" {
		t.Fatalf("the dirk is %q", got)
	}

	// All movement used: drawing is what is left.
	if got := options(flown(t, to(20, 25, 0, 25, 20, 24, 20), withFacts("feet", 30.0, "provokes", []string{}))); !slices.Equal(got, []string{"no", "draw:dirk"}) {
		t.Fatalf("after a full move: %v", got)
	}
	// The bonus action is declared for something else: nothing is offered.
	more = []int{5} // the potion
	if f = flown(t, withParameters("bonus", "potion:potion")); len(f.Decisions) != 0 {
		t.Fatalf("%v", f.Decisions)
	}
}

// spark.fumble.alt-retrieve: fetched at once, the weapon serves the rest of the
// creature's own sequence
func TestAltFetchedWithinASequence(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc"))
	f.End("orc", 1, 3)
	f.Choose("reflex", 2, 4, 7)                // 4 ft, within the 5 ft of a full attack
	f.Choose("fetch")                          //
	f.Answer(body.DecOpportunity, "no", 15, 2) // from 4 ft off the sword still reaches: the second attack
	f.WantAttacks("ara hit")
	f.WantHP("orc", 25)
}

// spark.fumble.alt-string-snaps: ten rounds from round 3 on; without a spare string never
func TestAltStringSnaps(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.SpareStrings = 1 })
	f.End("ara")
	f.End("orc")
	f.strikes("bow", 1, 3)
	for f.State.Round < 13 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc")), cite.FumbleAltStringSnaps)
		f.Must(act("ara", declaring.KindRestring, "bow", ""))
		f.End("orc")
	}
	if got := f.Creature("ara").Counters[body.CSpareStrings]; got != 0 {
		t.Fatalf("%d spare strings", got)
	}
	f.strikes("bow", 2)

	f = alt(t)
	f.strikes("bow", 1, 4)
	wantRefused(t, f.Try(act("ara", declaring.KindRestring, "bow", "")), cite.FumbleAltStringSnaps)
}

// spark.fumble.alt-string-snaps: other use of a round suspends the work
func TestRestringSuspended(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.SpareStrings = 1 })
	f.strikes("bow", 1, 3)
	for i := range 11 {
		if i == 4 {
			f.strikes("sword", 2)
			continue
		}
		f.Must(act("ara", declaring.KindRestring, "bow", ""))
		f.End("orc")
	}
	f.strikes("bow", 2)
}

// spark.fumble.alt-pulled-arms, spark.dice.advantage
func TestAltPulledArms(t *testing.T) {
	tough := func(s *eventv1.SparkSheet) { s.Fortitude = 3 }
	f := alt(t, tough)
	f.strikes("sword", 1, 15, 12) // 15: no effect
	f.strikes("sword", 18, 1)
	f.strikes("sword", 1, 15, 11) // 14
	f.strikes("sword", 18, 4)     // 4 is used: 9 misses
	f.WantAttacks("ara miss")
	f.Afflict("orc", body.CondProne)
	f.strikes("sword", 9, 1) // the prone orc cancels it: one die
	f.WantAttacks("ara hit")
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	f.Tend(tendAra("rest", "kind", "long"), 1, 1, 1, 1)
	f.Tend(tendAra("pass-time", "hours", 16.0))
	f.Tend(tendAra("rest", "kind", "long"), 1, 1, 1, 1)
	if !body.HasInjury(f.Creature("ara"), body.InjuryArms) {
		t.Fatal("two long rests were enough")
	}
	g := event0(f)
	f.Tend(tendAra("heal", "amount", 1.0))
	if body.HasInjury(f.Creature("ara"), body.InjuryArms) {
		t.Fatal("magical healing left it")
	}
	f.State = g
	f.Tend(tendAra("pass-time", "hours", 16.0))
	f.Tend(tendAra("rest", "kind", "long"), 1, 1, 1, 1)
	if body.HasInjury(f.Creature("ara"), body.InjuryArms) {
		t.Fatal("three long rests left it")
	}
}

func event0(f *table) *eventv1.State { return proto.CloneOf(f.State) }

// spark.fumble.alt-wild-swing: for the next attack roll, whomever it is aimed at
func TestAltWildSwing(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("orc", "monsters")).at(5, fighter("ara", "party")).at(10, fighter("goblin", "monsters")).start()
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "goblin"))
	f.End("goblin", 1, 5, 8) // ara's 8 of the same half is one die
	f.WantAttacks("orc fumble", "ara miss")
	f.Must(act("ara", declaring.KindAttack, "sword", "goblin"))
	f.End("orc")
	f.End("goblin", 4, 16, 1)
	f.WantAttacks("ara hit")
	f.Must(act("ara", declaring.KindAttack, "sword", "goblin"))
	f.End("orc")
	f.End("goblin", 3) // used up
	// It lapses with the fight.
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.End("ara")
	f.End("goblin", 1, 6)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if got := f.Creature("ara").Counters[body.CAdvantage]; got != 0 {
		t.Fatal("it outlasts the fight")
	}
}

// spark.fumble.alt-loose-string
func TestAltLooseString(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.SleightOfHand = 4 })
	f.End("ara")
	f.End("orc")
	f.strikes("bow", 1, 6) // round 2
	if got := f.Creature("ara").Counters[body.CAmmunition+"bow"]; got != 12 {
		t.Fatalf("%d arrows", got)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindRefit, "bow", "", to(-5))), cite.FumbleAltLooseString)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withParameters("bonus", "free:bow"))), cite.FumbleAltStuckWeapon)
	f.Must(act("ara", declaring.KindRefit, "bow", ""))
	f.End("orc", 10) // round 3: 14
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "bow", "orc")), cite.FumbleAltLooseString)
	f.Must(act("ara", declaring.KindRefit, "bow", ""))
	f.End("orc", 11) // round 4: 15
	f.strikes("bow", 2)
	if f.State.Round != 6 {
		t.Fatalf("round %d", f.State.Round)
	}
}

// spark.fumble.alt-stuck-weapon, spark.turn.declare: pulled at once with a bonus action that is left
func TestAltStuckWeapon(t *testing.T) {
	for _, c := range []struct {
		strength int32
		face     int
		free     bool
	}{{4, 8, true}, {4, 7, false}, {-1, 8, true}} {
		f := alt(t, func(s *eventv1.SparkSheet) { s.StrengthModifier = c.strength })
		f.strikes("sword", 1, 7)
		f.Choose("yes", c.face)
		if got := f.Creature("ara").Marks[body.MStuck+"sword"] == ""; got != c.free {
			t.Errorf("Strength %d, %d: free %v", c.strength, c.face, got)
		}
	}
	f := alt(t, func(s *eventv1.SparkSheet) { s.StrengthModifier = 4 })
	f.strikes("sword", 1, 7)
	f.Choose("no")
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.FumbleAltStuckWeapon)
	free := withParameters("bonus", "free:sword")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", free))
	f.End("orc", 7)
	f.WantAttacks("ara lost")
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", free))
	f.End("orc", 8, 15, 1)
	f.WantAttacks("ara hit")
	// A bonus action declared for something else leaves none.
	f = alt(t, func(s *eventv1.SparkSheet) {
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1, Healing: "1d8"}}
	})
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "potion:potion")))
	f.End("orc", 1, 7, 5)
	if f.Creature("ara").Marks[body.MStuck+"sword"] != rules.Yes {
		t.Fatal("not stuck")
	}
}

// spark.fumble.alt-slip-up, spark.turn.two-halves, spark.turn.full-attack-slots
func TestAltSlipUp(t *testing.T) {
	three := func(s *eventv1.SparkSheet) {
		s.Reflex, s.AttacksPerRound = 2, 3
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1, Healing: "1d8"}}
	}
	f := alt(t, three)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc,orc"))
	f.End("orc", 1, 12, 13, 15, 15, 1, 1) // 15: the other two go on
	f.WantAttacks("ara fumble", "ara hit", "ara hit")

	f = alt(t, three)
	f.Hurt("ara", 10)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc,orc", withParameters("bonus", "potion:potion")))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 1, 12, 12, 8) // 14: prone; the orc's 8 is thrown together with it
	f.WantAttacks("ara fumble", "ara lost", "ara lost", "orc miss")
	if !body.Has(f.Creature("ara"), body.CondProne) || f.Creature("ara").Counters[body.CLeft+"potion"] != 1 {
		t.Fatal("neither prone nor without the potion")
	}
	f.End("ara")
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 6, 12, 1) // advantage from now on
	f.WantAttacks("orc hit")
}

// spark.fumble.alt-slip-up: in an opportunity attack the whole share of the round is lost
func TestAltSlipUpInTheFirstHalf(t *testing.T) {
	f := alt(t)
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.Must(act("ara", declaring.KindAttack, "bow", "orc", to(-5)))
	f.Answer(body.DecOpportunity, "sword", 1, 10, 2)
	f.WantAttacks("ara fumble", "ara lost")
	if x := f.Creature("ara").Position.X; x != 0 {
		t.Fatalf("it still walks to %d", x)
	}
}

// spark.turn.all-roll-together: five d20s before any effect, and none bears on another
func TestAllRollTogether(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("a", "party")).at(5, fighter("b", "monsters")).at(-5, fighter("c", "monsters")).
		atXY(0, 5, fighter("d", "monsters")).atXY(0, -5, fighter("e", "party")).start()
	f.Must(act("a", declaring.KindAttack, "sword", "b"))
	f.Must(act("b", declaring.KindAttack, "sword", "a"))
	f.Must(act("c", declaring.KindAttack, "sword", "a"))
	f.Must(act("d", declaring.KindAttack, "sword", "a"))
	f.Must(act("e", declaring.KindDeed, "", "", withParameters("text", "close the door")), 1, 10, 2, 8, 3, 4, 7)
	thrown, effect := 0, 0
	for _, e := range f.Events {
		switch {
		case e.GetRoll() != nil && strings.HasPrefix(e.GetRoll().Expression, "1d20") && !strings.HasSuffix(e.GetRoll().Label, "/fumble") &&
			!strings.HasSuffix(e.GetRoll().Label, "/save"):
			thrown++
		case e.GetAttack() != nil && e.GetAttack().Outcome != "fumble", e.GetNote() != nil:
			effect++
			if thrown != 5 {
				t.Fatalf("an effect after %d d20s", thrown)
			}
		}
	}
	if thrown != 5 || effect != 4 || !body.Has(f.Creature("a"), body.CondProne) {
		t.Fatalf("%d d20s, %d effects", thrown, effect)
	}
}
