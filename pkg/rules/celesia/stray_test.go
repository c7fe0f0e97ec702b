package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.attack.stray-range, celesia.attack.stray-firearm
func TestStrayLimit(t *testing.T) {
	bow := &eventv1.CelesiaWeapon{Kind: body.KindProjectile, RangeFeet: 100}
	javelin := &eventv1.CelesiaWeapon{Kind: body.KindThrown, RangeFeet: 30}
	martial := &eventv1.CelesiaWeapon{Kind: body.KindProjectile, RangeFeet: 40, Load: body.LoadMartial}
	simple := &eventv1.CelesiaWeapon{Kind: body.KindProjectile, RangeFeet: 40, Load: body.LoadSimple}
	for _, tc := range []struct {
		rule string
		w    *eventv1.CelesiaWeapon
		feet int32
		want int32
	}{
		{"celesia.attack.stray-range longbow", bow, 130, 200},
		{"celesia.attack.stray-range javelin exactly at the end", javelin, 30, 30},
		{"celesia.attack.stray-range splash", &eventv1.CelesiaWeapon{Kind: body.KindThrown, RangeFeet: 10, Splash: true}, 10, 0},
		{"celesia.attack.stray-firearm martial", martial, 50, 240},
		{"celesia.attack.stray-firearm simple", simple, 50, 200},
		{"celesia.attack.stray-firearm martial far", martial, 310, 400},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			if got := manners.StrayLimit(tc.w, tc.feet); got != tc.want {
				t.Errorf("%d feet, want %d", got, tc.want)
			}
		})
	}
}

// standing is a creature of a size at a point of the map, and nothing else.
func standing(id, size string, x, y int32) *eventv1.Creature {
	return &eventv1.Creature{Id: id, Size: size, Position: &eventv1.Position{X: x, Y: y}, Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE}
}

func TestStrayLine(t *testing.T) {
	for _, tc := range []struct {
		rule   string
		target [2]int32
		others []*eventv1.Creature
		facts  []any
		want   []string
	}{
		{cite.AttackStrayLine, [2]int32{20, 0}, []*eventv1.Creature{standing("before", "", 10, 0), standing("beyond", "", 30, 0), standing("off", "", 30, 5)}, []any{"obstacle_feet", 45}, []string{"beyond"}},
		{"celesia.attack.stray-line wall", [2]int32{20, 0}, []*eventv1.Creature{standing("beyond", "", 45, 0)}, []any{"obstacle_feet", 45}, nil},
		{"celesia.attack.stray-line diagonal", [2]int32{10, 10}, []*eventv1.Creature{standing("on", "", 20, 20), standing("corner", "", 20, 15)}, nil, []string{"on"}}, // a touched corner is not crossed
		{"celesia.attack.stray-line large", [2]int32{20, 0}, []*eventv1.Creature{standing("big", "large", 30, -5)}, nil, []string{"big"}},
		{"celesia.attack.stray-resolution nearest first", [2]int32{20, 0}, []*eventv1.Creature{standing("far", "", 50, 0), standing("near", "", 30, 0)}, nil, []string{"near", "far"}},
		{"celesia.attack.stray-line slanting", [2]int32{20, 10}, []*eventv1.Creature{standing("on", "", 40, 20), standing("edge", "", 30, 15), standing("off", "", 40, 10)}, nil, []string{"edge", "on"}},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			c, target := standing("shooter", "", 0, 0), standing("target", "", tc.target[0], tc.target[1])
			s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"shooter": c, "target": target}}
			for _, o := range tc.others {
				s.Creatures[o.Id] = o
			}
			if got := manners.InTheWay(s, &eventv1.TakeAction{Facts: object(tc.facts...)}, c, target, 100); !slices.Equal(got, tc.want) {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

func TestStrayShots(t *testing.T) {
	bow := func(bonus int32) func(*eventv1.Sheet) {
		return weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 100, AttackBonus: bonus - 5})
	}
	line := func(t *testing.T, bonus int32, dvs ...int32) *table {
		sheets := []*eventv1.Sheet{fighter("a", "party", bow(bonus))}
		places := [][2]int32{{0, 0}}
		for i, dv := range dvs {
			sheets = append(sheets, fighter(string(rune('b'+i)), "foes", defends(dv)))
			places = append(places, [2]int32{int32(20 + 15*i), 0})
		}
		return crowd(t, places, sheets...)
	}
	t.Run(cite.AttackStrayResolution, func(t *testing.T) {
		f := line(t, 6, 19, 14, 10)
		f.Must(act("a", "attack", "w", "b"), 11, 4) // 17: misses 19, misses 14 + 4, hits 10 + 4
		f.WantHP("c", 40)
		f.WantHP("d", 36)
		f.wantStruck("b miss", "c miss", "d hit")
	})
	t.Run("celesia.attack.stray-resolution lands", func(t *testing.T) {
		f := line(t, 4, 15, 12, 13)
		f.Must(act("a", "attack", "w", "b"), 4)
		f.wantStruck("b miss", "c miss", "d miss")
	})
	for dv, want := range map[int32]string{16: "hit", 17: "miss"} {
		t.Run(cite.AttackStrayCover, func(t *testing.T) {
			f := line(t, 8, 21, dv)
			faces := []int{12}
			if want == "hit" {
				faces = append(faces, 1)
			}
			f.Must(act("a", "attack", "w", "b"), faces...)
			f.wantStruck("b miss", "c "+want)
		})
	}
	t.Run("celesia.attack.stray-resolution friend, degrees and critical", func(t *testing.T) {
		// 20 on the die, 32 in all: misses DV 40; the friend has DV 10 + 4: critical, one degree.
		f := crowd(t, [][2]int32{{0, 0}, {20, 0}, {30, 0}}, fighter("a", "party", bow(12)), fighter("b", "foes", defends(40)), fighter("c", "party", defends(10)))
		f.Must(act("a", "attack", "w", "b", withFacts("into_melee", false)), 20, 3) // 6 doubled and a degree of 3
		f.WantHP("c", 40-15)
	})
	t.Run("celesia.attack.stray-range end of the increment", func(t *testing.T) {
		near := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindThrown, Dice: "1d6", Hands: 1, RangeFeet: 30})
		f := crowd(t, [][2]int32{{0, 0}, {30, 0}, {35, 0}}, fighter("a", "party", near), fighter("b", "foes", defends(19)), fighter("c", "foes", defends(5)))
		f.Must(act("a", "attack", "w", "b"), 2)
		f.wantStruck("b miss")
		if at := body.Lies(f.Creature("a"), "w"); at.GetX() != 30 {
			t.Errorf("the javelin lies at %v", at)
		}
	})
	t.Run("celesia.attack.stray-resolution no map, no stray", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", bow(6)), fighter("b", "foes"), fighter("c", "foes", defends(1))).start(nil, 15, 10, 5)
		f.Must(act("a", "attack", "w", "b"), 2)
		f.wantStruck("b miss")
	})
}

func TestRangedTargets(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: body.KindProjectile, Dice: "1d6", Hands: 2, RangeFeet: 50})
	t.Run(cite.AttackRangedTarget, func(t *testing.T) {
		f := duel(t, fighter("a", "party", bow), fighter("b", "foes", unarmed()))
		wantRefused(t, f.Try(act("a", "attack", "w", "b", withFacts("distance", 200, "line_of_sight", false))), cite.AttackRangedTarget)
		f.Must(act("a", "attack", "w", "b", withFacts("distance", 200, "line_of_sight", true)), 2)
	})
	t.Run("celesia.movement.charge line of sight", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {30, 0}}, fighter("a", "party"), fighter("b", "foes"))
		wantRefused(t, f.Try(act("a", "charge", "sword", "b", withFacts("line_of_sight", false))), cite.MovementCharge)
	})
	// The archer stands at 0, the target at 40, the allies beside it.
	for _, tc := range []struct {
		rule, size string
		allies     []string
		facts      []any
		faces      []int
	}{
		{"celesia.attack.into-melee-size three larger", "gargantuan", []string{"medium"}, nil, []int{3}},
		{"celesia.attack.into-melee-size two larger", "huge", []string{"medium"}, nil, []int{11, 3}},
		{"celesia.attack.into-melee-size the largest ally counts", "huge", []string{"small", "medium"}, nil, []int{11, 3}},
		{"celesia.attack.into-melee-size small alone", "huge", []string{"small"}, nil, []int{3}},
		{"celesia.attack.into-melee-distance part aimed at", "huge", []string{"medium"}, []any{"part_feet", 15}, []int{3}},
		{"celesia.attack.into-melee-distance part too near", "huge", []string{"medium"}, []any{"part_feet", 5}, []int{11, 3}},
		{"celesia.attack.into-melee cancelled by flanked", "medium", []string{"medium"}, []any{"flanked", true}, []int{3}},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			places := [][2]int32{{0, 0}, {40, 0}}
			sheets := []*eventv1.Sheet{fighter("a", "party", bow), fighter("b", "foes", sized(tc.size), defends(30))}
			for i, size := range tc.allies {
				sheets = append(sheets, fighter(string(rune('c'+i)), "party", sized(size)))
				places = append(places, [2]int32{40 + 5*int32(i), -5})
			}
			f := crowd(t, places, sheets...)
			f.Must(act("a", "attack", "w", "b", withFacts(tc.facts...)), tc.faces...)
		})
	}
	t.Run("celesia.attack.engaged-definition immobilised", func(t *testing.T) {
		for _, who := range []string{"b", "c"} { // neither the bound ally nor the bound target counts as engaged
			f := crowd(t, [][2]int32{{0, 0}, {40, 0}, {45, 0}}, fighter("a", "party", bow), fighter("b", "foes", defends(30)), fighter("c", "party"))
			f.Afflict(who, body.CondHelpless)
			f.Must(act("a", "attack", "w", "b"), 3)
		}
	})
}

// wantStruck holds who was shot at since the last answer and how it came out.
func (f *table) wantStruck(want ...string) {
	f.T.Helper()
	var got []string
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil {
			got = append(got, a.Target+" "+a.Outcome)
		}
	}
	if !slices.Equal(got, want) {
		f.T.Errorf("struck %v, want %v", got, want)
	}
}
