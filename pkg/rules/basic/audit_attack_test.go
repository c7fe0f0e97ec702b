package basic

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// basic.attack.to-hit: adjustments simply add up, behind and flanking too.
func TestAdjustmentsAddUp(t *testing.T) {
	f := newTable(t).add([]int32{0, 5, 10}, make1("a", "A", bonus(2), abilities(2, 0)), make1("b", "B", ac(16)), make1("c", "A"))
	f.start(nil).declare([]int{6, 1, 1}, "a=melee-attack", "b=move", "c=move")
	f.Afflict("a", body.CondShaken)
	f.Must(act("a", "attack", "sword", "b", facts("behind", true)), 11, 1)
	if got := f.Total("to-hit"); got != 16 || f.outcome() != "hit" {
		t.Errorf("%d %s, want 16 hit", got, f.outcome())
	}
}

// basic.attack.flanking: two who can fight, on opposite sides, and only in melee.
func TestWhoFlanks(t *testing.T) {
	set := func(ally *eventv1.Sheet, a *eventv1.Sheet, kind string) *table {
		f := newTable(t).add([]int32{0, 5, 10}, a, make1("b", "B", ac(14), hp(40)), ally)
		return f.start(nil).declare([]int{6, 1, 1}, "a="+kind, "b=move", "c=move")
	}
	f := set(make1("c", "A"), make1("a", "A", bonus(3)), body.KindMelee)
	f.Must(act("a", "attack", "sword", "b"), 10, 1) // 14 hits
	if f.outcome() != "hit" {
		t.Error("10, 3 and 1 are 14")
	}
	f = set(make1("c", "B2"), make1("a", "A", bonus(3)), body.KindMelee)
	f.Must(act("a", "attack", "sword", "b"), 10)
	if got := f.Total("to-hit"); got != 13 {
		t.Errorf("an enemy of both does not flank: %d", got)
	}
	f = set(make1("c", "A"), make1("a", "A", bonus(3)), body.KindMelee)
	none := int32(0)
	f.Put("c", &eventv1.Vitals{Hp: &none})
	f.Must(act("a", "attack", "sword", "b"), 10)
	if got := f.Total("to-hit"); got != 13 {
		t.Errorf("the fallen do not flank: %d", got)
	}
	f = set(make1("c", "A"), make1("a", "A", bonus(3), wields(bow())), body.KindRanged)
	f.Must(act("a", "shoot", "bow", "b"), 10)
	if got := f.Total("to-hit"); got != 8 {
		t.Errorf("a shot at 5 feet is at -5 and not flanking: %d, want 8", got)
	}
}

// basic.attack.ability: Strength plays no part in a shot.
func TestAbilityOfShots(t *testing.T) {
	f := lone(t, nil, body.KindRanged, make1("a", "A", bonus(3), abilities(2, -1), wields(bow())), make1("b", "B", ac(13)))
	f.Must(act("a", "shoot", "bow", "b", facts("distance", 80)), 11, 1)
	if f.Total("to-hit") != 13 || f.outcome() != "hit" {
		t.Errorf("%d %s, want 13 hit", f.Total("to-hit"), f.outcome())
	}
}

// basic.attack.missile-within-5: it is about the distance of the target.
func TestEnemyBesideTheShooter(t *testing.T) {
	f := newTable(t).add([]int32{0, 40, 5}, make1("a", "A", bonus(4), wields(bow())), make1("b", "B", ac(14)), make1("orc", "B"))
	f.start(nil).declare([]int{6, 1, 1}, "a=attack", "b=move", "orc=move")
	f.Must(act("a", "shoot", "bow", "b"), 9, 1)
	if f.Total("to-hit") != 14 {
		t.Errorf("%d, want 14", f.Total("to-hit"))
	}
}

// basic.attack.missile-unaware: unaware beyond 5 feet is nothing special.
func TestUnaware(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts []any
		want  int32
	}{
		{"basic.attack.missile-unaware: 1 and 2", []any{"distance", 5, "unaware", true}, 14},
		{"basic.attack.missile-unaware: noticed", []any{"distance", 5}, 6},
		{"basic.attack.missile-unaware: not at 40 feet", []any{"distance", 40, "unaware", true}, 12},
		{"basic.attack.missile-unaware: from behind counts once", []any{"distance", 5, "unaware", true, "behind", true}, 14},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindRanged, make1("a", "A", bonus(4), wields(bow())), make1("b", "B", ac(20)))
			f.Must(act("a", "shoot", "bow", "b", facts(c.facts...)), 7)
			if got := f.Total("to-hit"); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// basic.attack.cover-table, basic.attack.cover-kinds
func TestCover(t *testing.T) {
	for _, c := range []struct {
		name   string
		facts  []any
		ranged bool
		want   int32
	}{
		{"basic.attack.cover-table: 24%", []any{"cover", 24}, true, 0},
		{"basic.attack.cover-table: 25%", []any{"cover", 25}, true, -1},
		{"basic.attack.cover-table: 50%", []any{"cover", 50}, true, -2},
		{"basic.attack.cover-table: 60% reads as 50%", []any{"cover", 60}, true, -2},
		{"basic.attack.cover-table: 75%", []any{"concealment", 75}, true, -3},
		{"basic.attack.cover-table: 90%", []any{"concealment", 90}, true, -4},
		{"basic.attack.cover-table: 99%", []any{"concealment", 99}, true, -4},
		{"basic.attack.cover-kinds: the worse of the two", []any{"cover", 25, "concealment", 75}, true, -3},
		{"basic.attack.cover-kinds: not the sum", []any{"cover", 75, "concealment", 25}, true, -3},
		{"basic.attack.cover-kinds: concealment against a sword", []any{"concealment", 50}, false, -2},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, kind, action, item := make1("a", "A"), body.KindMelee, "attack", "sword"
			if c.ranged {
				a, kind, action, item = make1("a", "A", wields(bow())), body.KindRanged, "shoot", "bow"
			}
			f := lone(t, nil, kind, a, make1("b", "B", ac(20)))
			f.Must(act("a", action, item, "b", facts(c.facts...)), 10)
			if got := f.Total("to-hit"); got != 10+c.want {
				t.Errorf("%d, want %d", got, 10+c.want)
			}
		})
	}
	// Cover does not stop a sword: to state it there is a mistake.
	blow := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
	if err := blow.Try(act("a", "attack", "sword", "b", facts("cover", 50))); err == nil || !strings.Contains(err.Error(), "take.facts.cover") {
		t.Errorf("basic.attack.cover-kinds: %v", err)
	}
	for action, a := range map[string]*eventv1.Sheet{"attack": make1("a", "A"), "shoot": make1("a", "A", wields(bow()))} {
		f := lone(t, nil, body.KindAttack, a, make1("b", "B"))
		wantRefused(t, f.Try(act("a", action, body.SheetOf(f.State.Creatures["a"]).Weapons[0].Name, "b", facts("concealment", 100))), cite.AttackCoverTable)
	}
}

// basic.attack.rate-siege
func TestSiegeRate(t *testing.T) {
	for _, c := range []struct {
		name        string
		rate, first int32
	}{{"basic.attack.rate-siege: 1/6 from round 1", 6, 1}, {"basic.attack.rate-siege: 1/4 from round 3", 4, 3}} {
		t.Run(c.name, func(t *testing.T) {
			engine := wields(&eventv1.BasicWeapon{Name: "engine", Damage: "2d6", Kind: "siege", Hand: "both", ShortFeet: 100, MediumFeet: 200, LongFeet: 300, RateRounds: c.rate})
			f := newTable(t).add(nil, make1("a", "A", engine), make1("b", "B", hp(40))).start(nil)
			for round := int32(1); round <= c.first+c.rate; round++ {
				if ready := round == c.first || round == c.first+c.rate; !ready && round > c.first {
					wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateSiege)
				} else if ready {
					f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
					f.Must(act("a", "shoot", "engine", "b"), 5)
					f.end("a", "b")
					continue
				}
				f.declare([]int{6, 1}, "a=move", "b=move")
				f.end("a", "b")
			}
		})
	}
	// One that has to be loaded as well goes by the same rule.
	loaded := wields(&eventv1.BasicWeapon{Name: "engine", Damage: "2d6", Kind: "siege", Hand: "both", ShortFeet: 100, MediumFeet: 200, LongFeet: 300, ReloadRounds: 5})
	f := lone(t, nil, body.KindRanged, make1("a", "A", loaded), make1("b", "B"))
	f.Must(act("a", "shoot", "engine", "b"), 5)
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateSiege)
}

// basic.attack.rate-light-crossbow: a round that is spent otherwise does not load.
func TestWalkingDoesNotLoad(t *testing.T) {
	xbow := wields(&eventv1.BasicWeapon{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, TwoHanded: true})
	f := lone(t, nil, body.KindRanged, make1("a", "A", xbow), make1("b", "B"))
	f.Must(act("a", "shoot", "crossbow", "b"), 5)
	f.Must(act("a", "move", "", "", parameters("feet", 30))) // in the round of the shot it may move
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=move", "b=move")
	f.Must(act("a", "move", "", "", parameters("feet", 10)))
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateLightCrossbow)
	f.declare([]int{6, 1}, "a=reload", "b=move")
	wantRefused(t, f.Try(act("a", "stand", "", "")), cite.ConditionProne)
	f.Must(act("a", "reload", "crossbow", ""))
	f.end("a", "b")
	f.declare([]int{6, 1}, "a=ranged-attack", "b=move")
	f.Must(act("a", "shoot", "crossbow", "b"), 5)
}

// basic.attack.rate-heavy-crossbow: shot in round 2, loaded in 3 and 4, shot in 5.
func TestHeavyCrossbow(t *testing.T) {
	heavy := wields(&eventv1.BasicWeapon{Name: "crossbow", Damage: "1d8", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 2})
	f := newTable(t).add(nil, make1("a", "A", heavy), make1("b", "B", hp(40))).start(nil)
	for round := int32(1); round <= 5; round++ {
		kind := map[int32]string{1: body.KindMove, 2: body.KindRanged, 3: body.KindReload, 4: body.KindReload, 5: body.KindRanged}[round]
		if kind == body.KindReload {
			wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateHeavyCrossbow)
		}
		f.declare([]int{6, 1}, "a="+kind, "b=move")
		switch kind {
		case body.KindReload:
			f.Must(act("a", "reload", "crossbow", ""))
		case body.KindRanged:
			f.Must(act("a", "shoot", "crossbow", "b"), 5)
		}
		f.end("a", "b")
	}
}

// basic.attack.missile-into-melee: who is hit ends it; without allies it is lost.
func TestStrayEnds(t *testing.T) {
	melee := func(ally string) *table {
		f := newTable(t).add([]int32{0, 75, 80, 80}, make1("a", "A", bonus(3), wields(bow())), make1("bran", ally, ac(14)), make1("cole", ally), make1("ogre", "B", ac(15)))
		return f.start(nil).declare([]int{6, 1, 1, 1}, "a=ranged-attack", "bran=move", "cole=move", "ogre=move")
	}
	f := melee("A")
	f.Must(act("a", "shoot", "bow", "ogre"), 9)
	f.Answer(body.DecStray, "bran", 11, 5)
	f.WantHP("bran", 5)
	if len(f.Decisions) > 0 {
		t.Error("nobody is tried after a hit")
	}
	if r := f.rolled("stray/bran/to-hit"); r.Creature != "" || r.Total != 14 {
		t.Errorf("the game master rolls the 14: %v", r)
	}
	f = melee("B")
	f.Must(act("a", "shoot", "bow", "ogre"), 9)
	if len(f.Decisions) > 0 {
		t.Error("no ally of the shooter is there")
	}
	// A natural 20 always hits and has its row; a natural 1 misses and has none.
	f = melee("A")
	f.Must(act("a", "shoot", "bow", "ogre"), 9)
	f.Answer(body.DecStray, "bran", 1)
	f.Answer(body.DecStray, "cole", 20, 11) // 14: maximum damage
	f.WantHP("cole", 4)
	// What hits without effect did not miss.
	f = melee("A")
	f.State.Creatures["ogre"].Sheet.GetBasic().Tags = []string{"needs-magic"}
	f.Must(act("a", "shoot", "bow", "ogre"), 15)
	if len(f.Decisions) > 0 {
		t.Error("the arrow hit the ogre")
	}
}

// basic.attack.missile-stray-roll: bonus, Dexterity and the range to that ally.
func TestStrayRoll(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A", bonus(2), abilities(0, 1), wields(bow())), make1("bran", "A", ac(15)), make1("ogre", "B", ac(25)))
	f.start(nil).declare([]int{6, 1, 1}, "a=ranged-attack", "bran=move", "ogre=move")
	f.Must(act("a", "shoot", "bow", "ogre", facts("distance", 40, "into_melee", []string{"bran", "ogre"})), 5)
	f.Answer(body.DecStray, "bran", 11, 2)
	f.WantHP("bran", 8)
	if f.Total("stray/bran/to-hit") != 15 {
		t.Errorf("%d, want 11 + 2 + 1 + 1", f.Total("stray/bran/to-hit"))
	}
}

// basic.attack.two-weapon-penalty: none for one weapon alone.
func TestOneOfTwoWeapons(t *testing.T) {
	two := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "off", Small: true})
	f := lone(t, nil, body.KindMelee, make1("a", "A", bonus(4), abilities(1, 0), two), make1("b", "B", ac(14)))
	f.Must(act("a", "attack", "sword", "b"), 9, 1)
	if f.Total("to-hit") != 14 || f.outcome() != "hit" {
		t.Errorf("%d %s", f.Total("to-hit"), f.outcome())
	}
}

// basic.attack.subdual-weapons: most weapons have a flat; bodies have none.
// basic.attack.subdual-flat: at least 1, and halved after a critical hit.
func TestFlat(t *testing.T) {
	axe := wields(&eventv1.BasicWeapon{Name: "axe", Damage: "1d6", Kind: "melee"}, &eventv1.BasicWeapon{Name: "claw", Damage: "1d4", Kind: "melee", Natural: true})
	f := lone(t, nil, body.KindMelee, make1("a", "A", axe), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "subdue", "claw", "b")), cite.AttackSubdualWeapons)
	f.Must(act("a", "subdue", "axe", "b"), 16, 1)
	f.WantHP("b", 9)
	if f.State.Creatures["b"].Counters[body.CNonlethal] != 1 {
		t.Error("all of it is nonlethal")
	}
	f = lone(t, nil, body.KindMelee, make1("a", "A", blade("1d6+2")), make1("b", "B", ac(30)))
	f.Must(act("a", "subdue", "sword", "b", plus(4)), 20, 18, 3)
	f.WantHP("b", 5) // 3 + 6 + 2 = 11, half of it 5
}

// basic.condition.disarmed: the primary weapon, be it the only one in the off hand.
func TestWhatIsKnockedAway(t *testing.T) {
	for _, c := range []struct {
		name    string
		weapons change
		want    []string
	}{
		{"basic.condition.disarmed: the primary of two", wields(&eventv1.BasicWeapon{Name: "knife", Damage: "1d4", Kind: "melee", Hand: "off"},
			&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}), []string{"sword"}},
		{"basic.condition.disarmed: the only one", wields(&eventv1.BasicWeapon{Name: "knife", Damage: "1d4", Kind: "melee", Hand: "off"},
			&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Hand: "stowed"}), []string{"knife"}},
		{"basic.condition.disarmed: a body loses nothing", tiger, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, []int32{0, 5}, body.KindMelee, make1("a", "A"), make1("b", "B", hp(40), c.weapons))
			f.Must(act("a", "attack", "sword", "b"), 20, 20, 1, 1)
			var got []string
			for _, name := range holds.Manufactured(f.State.Creatures["b"]) {
				if f.State.Creatures["b"].Items[name].Place == "dropped" {
					got = append(got, name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("dropped %v, want %v", got, c.want)
			}
		})
	}
	// No weapon, no parting shot with it.
	f := lone(t, []int32{0, 5}, body.KindMelee, make1("a", "A"), make1("b", "B", hp(40)))
	f.Must(act("a", "attack", "sword", "b"), 20, 20, 1, 1)
	f.Must(act("a", "move", "", "", to(-20)))
	if len(f.Decisions) > 0 {
		t.Error("a parting shot was offered")
	}
}
