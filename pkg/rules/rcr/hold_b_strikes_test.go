package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.improvised-weapon: a weapon is improvised with when it is used as what it is
// not made for; what is at hand is so always, and has a type of damage to say. An attack
// that a sheet happens to call so is an attack of the sheet.
func TestWordsOfImprovising(t *testing.T) {
	armed := weapons(weapon("sword", "main", "slashing", "one-handed"),
		&eventv1.RcrAttack{Name: "javelin", Hand: "off", Bonus: 5, ReachFeet: 5, RangeFeet: 30, LongRangeFeet: 120, Properties: []string{"thrown"}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}},
		&eventv1.RcrAttack{Name: "sling", Hand: "", Bonus: 5, RangeFeet: 30, LongRangeFeet: 120, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "bludgeoning"}}},
		&eventv1.RcrAttack{Name: "bite", Natural: true, Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}})
	printed := weapons(&eventv1.RcrAttack{Name: body.ImprovisedWeapon, Hand: "main", Bonus: 5, ReachFeet: 5, RangeFeet: 20, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "acid"}}})
	for _, c := range []struct {
		name   string
		sheet  func(*eventv1.Sheet)
		item   string
		words  []any
		far    int
		reason string
		deals  string
	}{
		{"a sword has its own damage", armed, "sword", []any{"damage_type", "piercing"}, 5, "OWN_DAMAGE", ""},
		{"a sword is made to strike", armed, "sword", []any{"improvised", true}, 5, "MADE_FOR_IT", ""},
		{"a sword thrown deals its own type", armed, "sword", []any{"improvised", true, "throw", true}, 15, "", "slashing"},
		{"a sword thrown, of a type said", armed, "sword", []any{"improvised", true, "throw", true, "damage_type", "bludgeoning"}, 15, "", "bludgeoning"},
		{"a javelin is made to be thrown", armed, "javelin", []any{"improvised", true, "throw", true}, 15, "MADE_FOR_IT", ""},
		{"a javelin is made to strike too", armed, "javelin", []any{"improvised", true}, 5, "MADE_FOR_IT", ""},
		{"a sling strikes as a club would", armed, "sling", []any{"improvised", true}, 5, "", "bludgeoning"},
		{"a bite is no weapon", armed, "bite", []any{"improvised", true}, 5, "NOT_A_WEAPON", ""},
		{"a fist is none either", armed, "unarmed strike", []any{"improvised", true}, 5, "NOT_A_WEAPON", ""},
		{"printed on the sheet: it has its own damage", printed, body.ImprovisedWeapon, []any{"damage_type", "piercing"}, 5, "OWN_DAMAGE", ""},
		{"printed on the sheet: as it is printed", printed, body.ImprovisedWeapon, nil, 5, "", "acid"},
		{"printed on the sheet: thrown as it is printed", printed, body.ImprovisedWeapon, []any{"throw", true}, 15, "", "acid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", c.sheet), fighter("b", "monsters")).start(nil, 20, 5)
			faces := []int{19, 2}
			if c.reason != "" {
				faces = nil
			}
			wantReasonOf(t, c.name, f.Try(act("a", "attack", c.item, "b", withParameters(c.words...), withFacts("distance", c.far)), faces...), c.reason)
			if c.reason == "" && f.dealt()[0] != c.deals {
				t.Errorf("%s damage, want %s", f.dealt()[0], c.deals)
			}
		})
	}
	t.Run("at hand: a type is listed; said to be improvised it is all the same", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", weapons()), fighter("b", "monsters")).start(nil, 20, 5)
		if got := valuesOf(offered(f.State, "a", "attack", body.ImprovisedWeapon), "damage_type"); len(got) != 3 {
			t.Errorf("listed %v", got)
		}
		f.Must(act("a", "attack", body.ImprovisedWeapon, "b", withParameters("improvised", true, "damage_type", "piercing")), 19, 2)
		if got := f.dealt()[0]; got != "piercing" {
			t.Errorf("%s", got)
		}
		f = newTable(t).add(fighter("a", "party", printed), fighter("b", "monsters")).start(nil, 20, 5)
		if got := valuesOf(offered(f.State, "a", "attack", body.ImprovisedWeapon), "damage_type"); got != nil {
			t.Errorf("listed %v of what the sheet prints", got)
		}
	})
	t.Run("both hands full: not what is at hand, but what the sheet prints", func(t *testing.T) {
		both := func(name string) *table {
			list := []*eventv1.RcrAttack{weapon("sword", "main", "slashing"), weapon("axe", "off", "slashing")}
			if name != "" {
				list = append(list, &eventv1.RcrAttack{Name: name, Natural: true, Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "acid"}}})
			}
			return newTable(t).add(fighter("a", "party", weapons(list...)), fighter("b", "monsters")).start(nil, 20, 5)
		}
		wantReasonOf(t, "at hand", both("").Try(act("a", "attack", body.ImprovisedWeapon, "b")), "NO_FREE_HAND")
		both(body.ImprovisedWeapon).Must(act("a", "attack", body.ImprovisedWeapon, "b"), 2)
	})
}

// rcr.base.fifth-edition-fallback: a shot empties a weapon that must be reloaded, a blow
// with it does not; a free reload has it loaded again, but for bound hands
// (rcr.condition.shackled-reload).
func TestWhatEmptiesAWeapon(t *testing.T) {
	pistol := func(free bool) func(*eventv1.Sheet) {
		return weapons(&eventv1.RcrAttack{Name: "pistol", Hand: "main", Bonus: 5, ReachFeet: 5, RangeFeet: 30, LongRangeFeet: 90, ReloadFree: free, Properties: []string{"reload", "one-handed"}, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}})
	}
	for _, c := range []struct {
		name     string
		free     bool
		far      int
		shackled bool
		loaded   int32
	}{
		{"a blow", false, 5, false, 1},
		{"a shot", false, 20, false, 0},
		{"a shot, reloaded for nothing", true, 20, false, 1},
		{"a shot with bound hands", true, 20, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", pistol(c.free)), fighter("b", "monsters")).start(nil, 20, 5)
			faces := []int{2}
			if c.shackled {
				f.Afflict("a", body.CondShackled)
				faces = []int{2, 2}
			}
			f.Must(act("a", "attack", "pistol", "b", withFacts("distance", c.far)), faces...)
			if got := f.Creature("a").Items["pistol"].Values["loaded"]; got != c.loaded {
				t.Errorf("loaded %d, want %d", got, c.loaded)
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: the attack of the other hand follows one with a light
// melee weapon, thrown too; what has no reach is none, and the same weapon in the other
// hand is not another.
func TestWhatAnOffHandFollows(t *testing.T) {
	dart := &eventv1.RcrAttack{Name: "dart", Hand: "main", Bonus: 5, RangeFeet: 20, LongRangeFeet: 60, Properties: []string{"light", "thrown"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}}
	knife := &eventv1.RcrAttack{Name: "knife", Hand: "main", Bonus: 5, ReachFeet: 5, RangeFeet: 20, LongRangeFeet: 60, Properties: []string{"light", "thrown"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}}
	club := weapon("club", "off", "bludgeoning", "light")
	for _, c := range []struct {
		name   string
		first  *eventv1.RcrAttack
		words  []any
		far    int
		reason string
	}{
		{"a dart", dart, nil, 15, "NO_ATTACK_BEFORE"},
		{"a knife thrown", knife, []any{"throw", true}, 15, ""},
		{"a knife", knife, nil, 5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", weapons(c.first, club)), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "attack", c.first.Name, "b", withParameters(c.words...), withFacts("distance", c.far)), 2)
			faces := []int{2}
			if c.reason != "" {
				faces = nil
			}
			wantReasonOf(t, c.name, f.Try(act("a", "off-hand-attack", "club", "b"), faces...), c.reason)
		})
	}
}

// rcr.base.fifth-edition-fallback: dice that a feature adds to what deals no damage of its
// own have no type.
func TestExtraDamageOfANet(t *testing.T) {
	net := weapons(&eventv1.RcrAttack{Name: "net", Hand: "main", Bonus: 5, ReachFeet: 5})
	f := newTable(t).add(fighter("a", "party", net), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "attack", "net", "b", withParameters("extra_damage", "2d6")), 19, 3, 4)
	f.WantHP("b", 33)
	if got := f.dealt()[0]; got != "" {
		t.Errorf("%s damage", got)
	}
}

// rcr.base.fifth-edition-fallback: who is pushed goes away from the one who pushes, where
// nobody stands in the way: the dead, those who hide and those without a place do not.
// Where one of the two has no place it is said only.
func TestPushedWhere(t *testing.T) {
	strong := skilled("athletics", 20)
	shove := act("a", "shove", "", "b", withParameters("effect", "push"))
	for _, c := range []struct {
		name   string
		behind func(f *table)
		x      int32
	}{
		{"nobody behind", func(f *table) { f.Place("c", 50, 50) }, 10},
		{"somebody behind", func(f *table) {}, 5},
		{"a dead one behind", func(f *table) { dies(f.T.(*testing.T), f, "c") }, 10},
		{"one who hides behind", func(f *table) { f.Afflict("c", body.CondHidden) }, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", strong), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.place(fighter("c", "monsters"), 10, 0)
			f.add(fighter("d", "monsters")) // nowhere
			f.start(nil, 20, 5, 4, 3)
			c.behind(f)
			f.Must(shove, 15, 5)
			f.wantAt("b", c.x, 0)
		})
	}
	for name, placed := range map[string][2]bool{"nobody has a place": {}, "the pushed has none": {true, false}, "the one who pushes has none": {false, true}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			for i, s := range []*eventv1.Sheet{fighter("a", "party", strong), fighter("b", "monsters")} {
				if placed[i] {
					f.place(s, int32(5*i), 0)
				} else {
					f.add(s)
				}
			}
			f.start(nil, 20, 5)
			f.Must(shove, 15, 5)
			if n := len(f.byNote("rcr.base.fifth-edition-fallback")); n == 0 {
				t.Error("nothing is said")
			}
			if placed[1] {
				f.wantAt("b", 5, 0)
			}
		})
	}
	t.Run("without places a rider is shaken by it", func(t *testing.T) {
		f := rides(t, human(), beast(), orc(ofSize("huge"), strong))
		f.End("a", 12)
		f.Must(act("b", "shove", "", "h", withParameters("effect", "push")), 15, 5, 2, 4)
		f.wantRides("a", "", "")
	})
}

// rcr.base.fifth-edition-fallback: who is held escapes by a contest with its holder, or
// against the difficulty that the hold or the sheet of the holder prints; what nobody
// holds goes by the number of one without a sheet.
func TestEscapesFrom(t *testing.T) {
	held := func(change func(*eventv1.RcrSheet), conditions ...*eventv1.Condition) *table {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", rcrSheet(change))).start(nil, 20, 5)
		f.Put("a", &eventv1.Vitals{Conditions: conditions})
		return f
	}
	none := func(*eventv1.RcrSheet) {}
	prints := func(s *eventv1.RcrSheet) { s.EscapeDc = 14 }
	grip := func(cause, source string, dc int32) *eventv1.Condition {
		x := &eventv1.Condition{Name: body.CondGrappled, Source: source, Cause: cause}
		if dc > 0 {
			x.Values = map[string]int32{"escape_dc": dc}
		}
		return x
	}
	for _, c := range []struct {
		name   string
		change func(*eventv1.RcrSheet)
		x      *eventv1.Condition
		dc     int32 // 0: a contest
	}{
		{"grappled: a contest", none, grip("grapple", "b", 0), 0},
		{"by one whose sheet prints 14", prints, grip("grapple", "b", 0), 14},
		{"the hold prints 16, and the sheet 14", prints, grip("claw", "b", 16), 16},
		{"the hold prints 16", none, grip("claw", "b", 16), 16},
		{"a grapple with a number of old, won by a contest", none, grip("grapple", "b", 16), 0},
		{"a grapple with a number, and the sheet prints one", prints, grip("grapple", "b", 16), 16},
		{"a hold of nobody: 8", none, grip("ivy", "", 0), 8},
		{"a web at 12", none, &eventv1.Condition{Name: body.CondRestrained, Source: "b", Cause: "web", Values: map[string]int32{"escape_dc": 12}}, 12},
		{"a web at 12 of one whose sheet prints 14", prints, &eventv1.Condition{Name: body.CondRestrained, Source: "b", Cause: "web", Values: map[string]int32{"escape_dc": 12}}, 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := held(c.change, c.x)
			if c.dc == 0 {
				f.Must(act("a", "escape", "", ""), 12, 11)
				f.wantHas("a", c.x.Name, false)
				return
			}
			f.Must(act("a", "escape", "", "", withParameters("skill", "athletics")), int(c.dc)-1)
			f.wantHas("a", c.x.Name, true)
			f = held(c.change, c.x)
			f.Must(act("a", "escape", "", "", withParameters("skill", "athletics")), int(c.dc))
			f.wantHas("a", c.x.Name, false)
		})
	}
	t.Run("of two holds the one that is named", func(t *testing.T) {
		f := held(none, grip("claw", "b", 16), &eventv1.Condition{Id: "net", Name: body.CondRestrained, Source: "b", Cause: "net", Values: map[string]int32{"escape_dc": 10}})
		f.Must(act("a", "escape", "net", "", withParameters("skill", "athletics")), 10)
		f.wantHas("a", body.CondRestrained, false)
		f.wantHas("a", body.CondGrappled, true)
	})
	t.Run("a restraint without a number holds fast", func(t *testing.T) {
		f := held(none, &eventv1.Condition{Name: body.CondRestrained, Source: "b", Cause: "chains"})
		wantReasonOf(t, "chains", f.Try(act("a", "escape", "", "")), "NOT_HELD")
	})
}

// rcr.trait.reckless-attack: with the first attack of one's own turn, and once.
func TestRecklessWhen(t *testing.T) {
	barbarian := func(s *eventv1.Sheet) {
		trait(body.TraitReckless)(s)
		s.Abilities["strength"] = 16
		s.GetRcr().AttacksPerAction = 2
	}
	recklessly := func(id, target string) *eventv1.Command {
		return act(id, "attack", "sword", target, withParameters("reckless", true))
	}
	f := newTable(t).add(fighter("a", "party", barbarian), fighter("b", "monsters", barbarian)).start(nil, 20, 5)
	wantReasonOf(t, "not in its turn", f.Try(recklessly("b", "a")), "NOT_YOUR_TURN")
	f.Must(recklessly("a", "b"), 2, 3)
	wantReasonOf(t, "not again", f.Try(recklessly("a", "b")), "NOT_FIRST")
	f.Must(act("a", "attack", "sword", "b"), 2, 3)
	f = newTable(t).add(fighter("a", "party", barbarian), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "attack", "sword", "b"), 2)
	wantReasonOf(t, "not with the second", f.Try(recklessly("a", "b")), "NOT_FIRST")
	f = newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	wantReasonOf(t, "without the trait", f.Try(recklessly("a", "b")), "NO_TRAIT")
	f = newTable(t).add(fighter("a", "party", barbarian), fighter("b", "monsters")).start(nil, 20, 5)
	wantReasonOf(t, "with a bow", f.Try(act("a", "attack", "bow", "b", withParameters("reckless", true))), "NOT_BY_STRENGTH")
}

// What content adds to damage: a number to the first part, dice of no type of the type of
// the attack, dice and a number less off the first part.
func TestContentAddsDamage(t *testing.T) {
	for _, c := range []struct {
		name, effect string
		faces        []int
		hp           int32
		types        []string
	}{
		{"2 more", `{modifier: {to: damage, amount: "2"}}`, []int{19, 5}, 30, []string{"slashing"}},
		{"2 of fire", `{modifier: {to: damage, amount: "2", type: fire}}`, []int{19, 5}, 30, []string{"slashing", "fire"}},
		{"a die", `{modifier: {to: damage, dice: 1d4}}`, []int{19, 5, 3}, 29, []string{"slashing", "slashing"}},
		{"a die less", `{modifier: {to: damage, dice: -1d4}}`, []int{19, 3, 5}, 35, []string{"slashing"}},
		{"a die of fire", `{modifier: {to: damage, dice: 1d4, type: fire}}`, []int{19, 5, 3}, 29, []string{"slashing", "fire"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := ruled(t, c.effect)
			f.add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			f.WantHP("b", c.hp)
			for i, kind := range f.dealt() {
				if kind != c.types[i] {
					t.Errorf("part %d is %s, want %s", i, kind, c.types[i])
				}
			}
		})
	}
}

// dealt are the types of the parts of the last damage.
func (f *table) dealt() (out []string) {
	f.T.Helper()
	for _, e := range f.Events {
		for _, p := range e.GetDamage().GetParts() {
			out = append(out, p.Type)
		}
	}
	if len(out) == 0 {
		f.T.Fatal("no damage")
	}
	return out
}
