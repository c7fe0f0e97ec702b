package basic

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// offered are the options of the one open decision.
func (f *table) offered() string {
	if len(f.Decisions) == 0 {
		return ""
	}
	var ids []string
	for _, o := range f.Decisions[0].Options {
		ids = append(ids, o.Id)
	}
	return strings.Join(ids, " ")
}

// basic.critical.magic-silver-requirement, basic.attack.brawl-monsters: what a creature asks for to be harmed at all, and by what that is
// met: a blow without it hits and has no effect
func TestWhatHarmsWhom(t *testing.T) {
	steel := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}
	magic := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Magic: true}
	plus := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", MagicBonus: 1}
	cursed := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", MagicBonus: -1}
	silver := &eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Silver: true}
	for _, c := range []struct {
		tag   string
		w     *eventv1.BasicWeapon
		harms bool
	}{
		{"needs-magic", steel, false}, {"needs-magic", silver, false}, {"needs-magic", magic, true}, {"needs-magic", plus, true}, {"needs-magic", cursed, true},
		{"needs-silver", steel, false}, {"needs-silver", magic, false}, {"needs-silver", silver, true},
		{"no-brawl", body.Brawls[0], false}, {"no-brawl", steel, true}, {"undead", body.Brawls[0], true}, {"undead", steel, true},
	} {
		tagged := section(func(b *eventv1.BasicSheet) { b.Tags = []string{c.tag} })
		own := []*eventv1.BasicWeapon{steel}
		if !c.w.Natural {
			own[0] = c.w
		}
		f := lone(t, nil, body.KindMelee, make1("a", "A", wields(own...)), make1("b", "B", tagged))
		dice := []int{15}
		if c.harms {
			dice = append(dice, 3)
		}
		f.Must(act("a", "attack", c.w.Name, "b"), dice...)
		if got := f.Attack(); got.Outcome != "hit" || (got.Note == "no effect") == c.harms {
			t.Errorf("%s %v: %v", c.tag, c.w, got)
		}
		if hurt := f.DamageTo("b") > 0; hurt != c.harms {
			t.Errorf("%s %v: %d damage", c.tag, c.w, f.DamageTo("b"))
		}
		if strike.Harms(c.w, f.Creature("b")) != c.harms {
			t.Errorf("%s %v", c.tag, c.w)
		}
	}
}

// basic.attack.to-hit: an adjustment stated for one target is for that one, and one for nobody in particular for all
func TestAdjustmentsForOneTarget(t *testing.T) {
	for target, want := range map[string]int32{"": 13, "b": 13, "c": 10} {
		f := newTable(t).add(nil, make1("a", "A"), make1("b", "B", ac(20)), make1("c", "B")).start(nil).declare([]int{6, 1, 1}, "a=melee-attack", "b=move", "c=move")
		cmd := act("a", "attack", "sword", "b")
		cmd.GetTake().Circumstances = []*eventv1.Circumstance{{Direction: "modifier", Value: 3, Cause: "higher ground", Target: target}}
		f.Must(cmd, 10)
		if got := f.Total("to-hit"); got != want {
			t.Errorf("for %q: %d, want %d", target, got, want)
		}
	}
}

// basic.fumble.sloppy: who was attacked sloppily strikes back with what reaches the attacker: a long weapon at 10 feet, that or a fist at 5; one
// of the attacker's own side does not, nor one who lies unconscious, and an engaged enemy may instead
func TestWithWhatTheFreeAttackIs(t *testing.T) {
	long := &eventv1.BasicWeapon{Name: "pike", Damage: "1d6", Kind: "melee", LongReach: true, TwoHanded: true, Hand: "both"}
	for _, c := range []struct {
		name     string
		at       []int32
		a, b     []change
		kind     string
		question string
		offered  string
	}{
		{"at 5 feet, with all", []int32{0, 5}, []change{wields(long)}, nil, body.KindMelee, body.DecFree, "weapon:sword weapon:punch weapon:kick"},
		{"at 10 feet, with a sword", []int32{0, 10}, []change{wields(long)}, nil, body.KindMelee, "", ""},
		{"at 10 feet, with a long weapon", []int32{0, 10}, []change{wields(long)}, []change{wields(long)}, body.KindMelee, body.DecFree, "weapon:pike"},
		{"nobody knows how far", nil, []change{wields(long)}, nil, body.KindMelee, body.DecFree, "weapon:sword weapon:punch weapon:kick"},
		{"nobody knows how far it was shot", nil, []change{wields(bow())}, nil, body.KindRanged, "", ""},
		{"shot at from 5 feet", []int32{0, 5}, []change{wields(bow())}, nil, body.KindRanged, body.DecFree, "weapon:sword weapon:punch weapon:kick"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(c.at, make1("a", "A", c.a...), make1("b", "B", c.b...)).start(nil).declare([]int{6, 1}, "a="+c.kind, "b=move")
			action, item := "attack", "pike"
			if c.kind == body.KindRanged {
				action, item = "shoot", "bow"
			}
			f.Must(act("a", action, item, "b"), 1, 8, 3)
			if c.question == "" {
				if len(f.Decisions) != 0 {
					t.Fatalf("asked %v", f.Decisions)
				}
				return
			}
			got := strings.Fields(f.offered())
			got = slices.DeleteFunc(got, func(id string) bool { return id == body.DecideNo || strings.HasPrefix(id, "flat:") })
			if f.Decisions[0].Name != c.question || strings.Join(got, " ") != c.offered {
				t.Fatalf("%s: %v, want %q", f.Decisions[0].Name, got, c.offered)
			}
		})
	}
	// One of its own side, and the enemies about: only those who are engaged and can.
	f := newTable(t).add([]int32{0, 5, -5, 50}, make1("a", "A"), make1("b", "A"), make1("c", "B"), make1("d", "B"))
	f.AddAt(0, 5, make1("e", "B"))
	f.start(nil).declare([]int{6, 1, 1, 1, 1}, "a=melee-attack", "b=move", "c=move", "d=move", "e=move")
	none := int32(0)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "e",
		Vitals: &eventv1.Vitals{Hp: &none, Counters: map[string]int64{body.CNonlethal: 9}}}}}, 2) // unconscious
	f.Must(act("a", "attack", "sword", "b"), 1, 8, 3)
	if got := f.offered(); f.Decisions[0].Name != body.DecFreeTo || got != "c "+body.NoStray {
		t.Fatalf("%v", f.Decisions)
	}
}

// basic.attack.missile-stray-roll: nobody swings in a stray shot: a natural 1 of it is only a miss, and the next ally may be struck; when
// one is hit, no more are
func TestStrayShots(t *testing.T) {
	shot := func(t *testing.T) *table {
		f := newTable(t).add([]int32{0, 40, 35, 45}, make1("a", "A", wields(bow())), make1("b", "B", ac(20)), make1("c", "A"), make1("d", "A"))
		f.start(nil).declare([]int{6, 1, 1, 1}, "a=ranged-attack", "b=move", "c=move", "d=move")
		f.Must(act("a", "shoot", "bow", "b"), 5)
		return f
	}
	f := shot(t)
	if got := f.offered(); got != "c d "+body.NoStray || !f.Decisions[0].GmOnly {
		t.Fatalf("%v", f.Decisions)
	}
	f.Answer(body.DecStray, "c", 1)
	if got := f.offered(); got != "d "+body.NoStray {
		t.Fatalf("%v", f.Decisions)
	}
	f.Answer(body.DecStray, "d", 12, 3)
	f.WantHP("c", 10)
	f.WantHP("d", 7)
	f = shot(t)
	f.Answer(body.DecStray, "d", 12, 3)
	if len(f.Decisions) != 0 {
		t.Fatalf("asked %v", f.Decisions)
	}
	f.WantHP("c", 10)
	f.WantHP("d", 7)
}

// basic.attack.missile-stray-roll, basic.attack.range-beyond: an ally at long range to the foot may be struck, one beyond not; without places
// an ally stands where the one shot at does
func TestHowFarAStrayShotGoes(t *testing.T) {
	for x, is := range map[int32]bool{150: true, 151: false} {
		f := newTable(t).add([]int32{0, 148, x}, make1("a", "A", wields(bow())), make1("b", "B", ac(20)), make1("c", "A")).start(nil)
		f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
		f.Must(act("a", "shoot", "bow", "b"), 5)
		if got := len(f.Decisions) == 1; got != is {
			t.Errorf("at %d: asked %v", x, f.Decisions)
		}
	}
	for distance, want := range map[int]int32{50: 13, 51: 12, 101: 10} { // short +1, medium, long -2
		f := newTable(t).add(nil, make1("a", "A", wields(bow())), make1("b", "B", ac(20)), make1("c", "A", ac(20))).start(nil)
		f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
		f.Must(act("a", "shoot", "bow", "b", facts("distance", distance, "into_melee", []string{"c"})), 5)
		f.Answer(body.DecStray, "c", 12)
		if got := f.Total("stray/c/to-hit"); got != want {
			t.Errorf("%d feet: %d, want %d", distance, got, want)
		}
	}
	// Where both have places, what was stated of the one shot at does not count for it: 40 feet are short.
	f := newTable(t).add([]int32{0, 35, 40}, make1("a", "A", wields(bow())), make1("b", "B", ac(20)), make1("c", "A", ac(20))).start(nil)
	f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
	f.Must(act("a", "shoot", "bow", "b", facts("distance", 101)), 5)
	f.Answer(body.DecStray, "c", 12)
	if got := f.Total("stray/c/to-hit"); got != 13 {
		t.Errorf("%d, want 13", got)
	}
}

// basic.attack.range-beyond: a shot goes as far as long range, to the foot; the dead and oneself are no targets
func TestWhoCanBeShotAt(t *testing.T) {
	f := newTable(t).add([]int32{0, 150, 151, 20}, make1("a", "A", wields(bow())), make1("b", "B"), make1("c", "B"), make1("d", "B")).start(nil)
	none := int32(0)
	f.Put("d", &eventv1.Vitals{Hp: &none})
	f.declare([]int{6, 1, 1}, "a=ranged-attack", "b=move", "c=move")
	wantRefused(t, f.Try(act("a", "shoot", "bow", "c")), cite.AttackRangeBeyond)
	wantRefused(t, f.Try(act("a", "shoot", "bow", "d")), cite.ActionRangedAttack)
	wantRefused(t, f.Try(act("a", "shoot", "bow", "a")), cite.ActionRangedAttack)
	f.Must(act("a", "shoot", "bow", "b"), 2)
	// Nobody knows how far.
	f = newTable(t).add(nil, make1("a", "A", wields(bow())), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "shoot", "bow", "b"), 2)
}

// basic.attack.rate-siege: once in six rounds: in the first and the seventh, and in none between
func TestRateOfAnEngine(t *testing.T) {
	engine := &eventv1.BasicWeapon{Name: "engine", Damage: "2d6", Kind: "siege", Hand: "both", ShortFeet: 100, MediumFeet: 200, LongFeet: 300, RateRounds: 6}
	f := newTable(t).add(nil, make1("a", "A", wields(engine)), make1("b", "B")).start(nil)
	for round := 1; round <= 7; round++ {
		f.declare([]int{6, 1}, "a=attack", "b=move")
		if cmd := act("a", "shoot", "engine", "b"); round == 1 || round == 7 {
			f.Must(cmd, 2)
		} else {
			wantRefused(t, f.Try(cmd), cite.AttackRateSiege)
		}
		f.end("a", "b")
	}
}

// basic.attack.missile-lost, basic.fumble.weapon-breaks: a thrown weapon lies at the target when it hits and is lost when it misses; broken by the
// throw it is gone at once; what grows on a body stays
func TestWhereThrownWeaponsAre(t *testing.T) {
	knife := func(natural bool) *eventv1.BasicWeapon {
		return &eventv1.BasicWeapon{Name: "knife", Damage: "1d4", Kind: "melee", Natural: natural, ShortFeet: 10, MediumFeet: 20, LongFeet: 30}
	}
	for _, c := range []struct {
		name    string
		natural bool
		dice    []int
		place   string
		changes int
	}{
		{"hits", false, []int{15, 1}, "dropped", 1}, {"misses", false, []int{2}, "gone", 1}, {"breaks", false, []int{1, 1}, "gone", 1},
		{"a quill that hits", true, []int{15, 1}, "", 0}, {"a quill that misses", true, []int{2}, "", 0},
	} {
		f := lone(t, []int32{0, 10}, body.KindRanged, make1("a", "A", wields(knife(c.natural))), make1("b", "B"))
		f.Must(act("a", "shoot", "knife", "b"), c.dice...)
		changes := 0
		for _, e := range f.Events {
			if e.GetItem() != nil {
				changes++
			}
		}
		if it := f.Creature("a").Items["knife"]; it.GetPlace() != c.place || changes != c.changes {
			t.Errorf("%s: %v, %d changes", c.name, it, changes)
		}
	}
}

// basic.attack.routine, basic.fumble.drop-weapon: a weapon that falls in a series makes no more blows of it, and the others do
func TestDroppedInASeries(t *testing.T) {
	routine := section(func(b *eventv1.BasicSheet) {
		b.Weapons = []*eventv1.BasicWeapon{{Name: "sword", Damage: "1d8", Kind: "melee"}, {Name: "bite", Damage: "1d4", Kind: "melee", Natural: true}}
		b.Routine = []string{"sword", "sword", "bite"}
	})
	f := lone(t, nil, body.KindMelee, make1("a", "A", routine), make1("b", "B"))
	f.Must(act("a", "routine", "", "b"), 1, 11, 15, 2) // dropped; then the bite
	if got := f.Attacks(); !slices.Equal(got, []string{"a fumble", "a hit"}) {
		t.Fatalf("%v", got)
	}
	f.WantHP("b", 8)
}

// basic.attack.missile-unaware, basic.attack.from-behind: whom a missile takes unaware at 5 feet is struck from behind; where nobody knows how far
// it is, nothing of that counts
func TestUnawareAtAnUnknownDistance(t *testing.T) {
	for _, c := range []struct {
		facts []any
		want  int32
	}{{[]any{"unaware", true}, 10}, {[]any{"unaware", true, "behind", true}, 12}, {[]any{"unaware", true, "distance", 5}, 13}, {[]any{"unaware", true, "distance", 6}, 11}} {
		f := lone(t, nil, body.KindRanged, make1("a", "A", wields(bow())), make1("b", "B", ac(20)))
		f.Must(act("a", "shoot", "bow", "b", facts(c.facts...)), 10)
		if got := f.Total("to-hit"); got != c.want {
			t.Errorf("%v: %d, want %d", c.facts, got, c.want)
		}
	}
}
