package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.movement.retreat-contest, original.movement.retreat-parting-shot, original.movement.retreat-shield-lost
func TestRetreat(t *testing.T) {
	orcs := func(f *table, n int32) *table {
		for i := range n {
			f.at(5+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), dex(0), ac0(19)))
		}
		return f
	}
	for _, c := range []struct {
		name  string
		dex   int32
		foes  int32
		faces []int
		want  []string
	}{
		{"two orcs, one higher", 2, 2, []int{3, 5, 6, 2, 4, 4}, []string{"orc-2 miss"}},
		{"a tie lets go", 0, 1, []int{4, 4, 4, 4}, nil},
		{"away free", 1, 1, []int{6, 5, 4, 4}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := orcs(newTable(t).at(0, one("mover", "party", dex(c.dex))), c.foes).start(nil, 6, 1)
			f.Must(act("mover", "retreat", "", "", path(-100)), c.faces...)
			if got := f.Attacks(); !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if f.Creature("mover").Position.X != -100 {
				t.Fatal("the mover is gone")
			}
		})
	}
	// A parting shot needs 14 against AC 7 less DEX 2, without the shield.
	for _, c := range []struct {
		face int
		want string
	}{{12, "orc-1 hit"}, {11, "orc-1 miss"}} {
		f := orcs(newTable(t).at(0, one("thief", "party", class("thief", 1), ac(7), dex(2), shield(1))), 1).start(nil, 6, 1)
		faces := []int{1, 6, c.face}
		if c.want == "orc-1 hit" {
			faces = append(faces, 1)
		}
		f.Must(act("thief", "retreat", "", "", path(-100)), append(faces, 4, 4)...)
		if got := f.Attacks(); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%d: %v", c.face, got)
		}
	}
	f := newTable(t).at(0, one("mover", "party")).start(nil, 6)
	wantRefused(t, f.Try(act("mover", "retreat", "", "")), cite.MovementRetreatContest)
}

// original.movement.retreat-passersby
func TestRetreatPastOthers(t *testing.T) {
	for _, c := range []struct {
		name string
		x    int32
		busy bool
		want []string
	}{{"idle at 10 feet", -50, false, []string{"goblin hit"}}, {"fighting a friend", -50, true, nil}, {"idle at 15 feet", -55, false, nil}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("fighter", "party", class("fighter", 1), ac(4), dex(0))).at(5, one("orc", "orcs", dex(0))).at(c.x, one("goblin", "orcs", ac0(19)))
			faces := []int{6, 1, 1}
			if c.busy {
				f.at(c.x-5, one("friend", "party"))
				faces = []int{6, 1, 1, 1}
			}
			f.start(nil, faces...)
			roll := []int{6, 1, 4, 4}
			if c.want != nil {
				roll = []int{6, 1, 13, 1, 4, 4}
			}
			f.Must(act("fighter", "retreat", "", "", func(t *eventv1.TakeAction) {
				t.Path = []*eventv1.Position{{X: -40}, {X: -40, Y: 60}}
			}), roll...)
			if got := f.Attacks(); !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
		})
	}
}

// original.movement.retreat-pursuit-roll, original.movement.retreat-faster-pursuer
func TestPursuit(t *testing.T) {
	for _, c := range []struct {
		faces   []int
		pursues bool
	}{{[]int{4, 3}, true}, {[]int{5, 4}, false}} {
		f := newTable(t).at(0, one("fighter", "party", class("fighter", 1), ac(4), shield(1), dex(0))).
			at(5, one("wolf", "wolves", ac0(17), dex(0), with(func(o *eventv1.OriginalSheet) { o.HitDice = 2 }))).start(nil, 6, 1)
		f.Must(act("fighter", "retreat", "", "", path(-60)), append([]int{4, 4}, c.faces...)...)
		if got := body.Is(f.Creature("wolf"), body.RelPursues, "fighter"); got != c.pursues {
			t.Fatalf("%v: pursues: %v", c.faces, got)
		}
		if !c.pursues {
			continue
		}
		f.End("fighter")
		f.Must(act("wolf", "move", "", "", path(-55)))
		f.Must(act("wolf", "attack", "sword", "fighter"), 11, 1)
		if f.Attack().Outcome != "hit" {
			t.Fatal("AC 4 without shield, base need 13, 11 and 2 are 13")
		}
		f.End("wolf")
		f.Must(act("fighter", "turn", "", ""))
		f.End("fighter")
		f.Must(act("wolf", "attack", "sword", "fighter"), 11)
		if f.Attack().Outcome != "miss" {
			t.Fatal("AC 3, base need 14, no +2")
		}
	}
}

// original.movement.free-disengage, original.movement.fighting-withdrawal, original.movement.engaged-restricts, original.movement.through-line
func TestOtherWaysOutOfMelee(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs")).start(nil, 6, 1)
	wantRefused(t, f.Try(act("a", "disengage", "", "", path(-50))), cite.MovementFreeDisengage)
	wantRefused(t, f.Try(act("a", "move", "", "", path(-30))), cite.MovementEngagedRestricts)
	f.Must(act("a", "withdraw", "", "", path(-4)))
	f.Must(act("a", "attack", "sword", "orc"), 15)
	if got := f.Roll("to-hit").Total; got != 13 {
		t.Fatalf("withdrawing attacks at -2: %d", got)
	}
	f.End("a")
	f.Must(act("orc", "attack", "sword", "a"), 15)
	if got := f.Roll("to-hit").Target.Value; got != 16 {
		t.Fatalf("AC 5 counts as 3: need 16, not %d", got)
	}
	f = newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs")).at(8, one("b", "party")).start(nil, 6, 1, 1)
	f.Must(act("a", "disengage", "", "", path(-50)))
	f = newTable(t).at(0, one("a", "party", dex(1))).at(20, one("orc-1", "orcs", group("orcs"), dex(0))).at(21, one("orc-2", "orcs", group("orcs"), dex(0))).start(nil, 6, 1)
	f.Must(act("a", "through", "", "orc-1,orc-2", path(45)), 4, 6, 5, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-1 miss"}) {
		t.Fatalf("the tie has no free attack: %v", got)
	}
}

func TestCharge(t *testing.T) {
	lance := &eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}
	pike := &eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}
	long := &eventv1.OriginalWeapon{Name: "long spear", Kind: "long-spear"}
	pole := &eventv1.OriginalWeapon{Name: "spear", Kind: "spear"}
	knight := func(o *eventv1.OriginalSheet) {
		o.Mounted, o.ChargingBeast, o.Weapons = true, true, []*eventv1.OriginalWeapon{lance}
	}
	set := map[string]string{body.DecSet: "yes"}
	for _, c := range []struct {
		rule, name string
		a, b       sheets
		item       string
		faces      []int
		answer     map[string]string
		want       []string
		damage     int32
	}{
		{cite.ChargeBonus, "orc", sheets{need(14)}, nil, "sword", []int{12, 3}, nil, []string{"a hit"}, 8},
		{cite.ChargeBonus, "barbarian", sheets{need(15), class("barbarian", 1), str(2)}, nil, "sword", []int{11, 1}, nil, []string{"a hit"}, 8},
		{cite.ChargeNoDex, "thief", sheets{need(14), class("thief", 1), dex(2)}, nil, "sword", []int{12, 1}, nil, []string{"a hit"}, 8},
		{cite.ChargeNoDex, "swashbuckler takes STR", sheets{need(15), class("fighter", 1), light, str(1), dex(3)}, nil, "sword", []int{12, 1}, nil, []string{"a hit"}, 10},
		{cite.DamageMultiplier, "natural 20", sheets{need(12)}, nil, "sword", []int{20, 5}, nil, []string{"a critical"}, 18},
		{cite.AttackResolutionOrder, "need over 20", sheets{need(24)}, nil, "sword", []int{20, 2}, nil, []string{"a hit"}, 4},
		{cite.AttackResolutionOrder, "never below 0", sheets{need(27)}, nil, "sword", []int{20, 1}, nil, []string{"a hit"}, 0},
		{cite.ChargeLance, "footman", sheets{need(16), with(knight)}, nil, "lance", []int{13, 3, 4}, nil, []string{"a hit"}, 14},
		{cite.ChargeLance, "ogre", sheets{need(16), class("fighter", 1), str(1), with(knight)}, sheets{func(s *eventv1.Sheet) { s.Size = "large" }}, "lance", []int{15, 2, 5, 6}, nil, []string{"a hit"}, 28},
		{cite.ChargeHornsOrTusks, "boar", sheets{need(14), arms(&eventv1.OriginalWeapon{Name: "tusks", Kind: "natural", Damage: "2d4"}), with(func(o *eventv1.OriginalSheet) { o.HornsOrTusks = true })}, nil, "tusks", []int{12, 3, 2}, nil, []string{"a hit"}, 10},
		{cite.ChargeSetSpear, "kills the charger", sheets{points(7), dex(1)}, sheets{ac0(19), arms(pole)}, "sword", []int{12, 3}, set, []string{"b hit"}, 0},
		{cite.ChargeSetSpearFirst, "the charger lives", sheets{points(50), need(14), arms(pole)}, sheets{ac0(19), arms(pole)}, "spear", []int{12, 3, 12, 3}, set, []string{"b hit", "a hit"}, 8},
		{cite.ChargeLongerReachFirst, "lance before spear", sheets{points(50), need(14), with(knight)}, sheets{ac0(19), arms(pole)}, "lance", []int{12, 1, 1, 2}, set, []string{"a hit", "b miss"}, 4},
		{cite.ChargeLongerReachFirst, "pike before lance", sheets{points(50), need(14), with(knight)}, sheets{ac0(19), arms(pike)}, "lance", []int{2, 12, 1, 1}, set, []string{"b miss", "a hit"}, 4},
		{cite.ChargeLongerReachFirst, "equal reach together", sheets{points(2), need(14), with(knight)}, sheets{ac0(19), arms(long), points(2)}, "lance", []int{15, 1, 1, 15, 1}, set, []string{"a hit", "b hit"}, 4},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", c.a...)).at(100, strongFoe(c.b...)).start(nil, 6, 1)
			cmd := act("a", "charge", c.item, "b")
			for _, name := range []string{body.DecSet} {
				if c.answer[name] != "" {
					cmd.Answers = append(cmd.Answers, &eventv1.EarlyAnswer{Decision: name, Answer: &eventv1.Answer{Option: c.answer[name]}})
				}
			}
			f.Must(cmd, c.faces...)
			if got := f.Attacks(); !slices.Equal(got, c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
			if got := f.DamageTo("b"); got != c.damage {
				t.Fatalf("damage %d, want %d", got, c.damage)
			}
		})
	}
}

// original.charge.move, original.charge.end-within-10, original.charge.once-per-turn, original.charge.open-to-missiles
func TestChargeMoves(t *testing.T) {
	slow := func(s *eventv1.Sheet) { s.Speeds["walk"] = 60 }
	f := newTable(t).at(0, one("a", "party", slow)).at(30, strongFoe()).at(75, one("c", "monsters")).start(nil, 6, 1, 1)
	wantRefused(t, f.Try(act("a", "charge", "sword", "b")), cite.ChargeMove)
	wantRefused(t, f.Try(act("a", "charge", "sword", "c")), cite.ChargeEndWithin10)
	f = newTable(t).at(0, one("a", "party", slow)).at(65, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b", withParameters("feet", 40)))
	if len(f.Attacks()) != 0 || f.Creature("a").Counters[body.CCharged] != 1 {
		t.Fatal("a charge that falls short is used up without an attack")
	}
	f.End("a")
	f.End("b")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: &eventv1.Position{}}}})
	wantRefused(t, f.Try(act("a", "charge", "sword", "b")), cite.ChargeOncePerTurn)
	for f.State.Round < 11 {
		f.End(f.State.Active[0])
	}
	f.Must(act("a", "charge", "sword", "b"), 2)

	f = newTable(t).at(0, one("orc", "party", ac(6), dex(1), points(2))).at(100, strongFoe()).at(101, one("archer", "monsters", ac0(19), arms(bow))).start(nil, 2, 1, 1)
	f.Must(act("orc", "charge", "sword", "b"))
	f.Answer(body.DecMissile, "yes", 13, 5)
	if got := f.Attacks(); !slices.Equal(got, []string{"archer hit"}) || !body.Dead(f.Creature("orc")) {
		t.Fatalf("%v", got)
	}
	wantRefused(t, f.Try(act("b", "set-spear", "", "")), cite.ChargeSetSpear)
}

// original.charge.first-attack-only
func TestOnlyTheFirstAttackIsTheCharge(t *testing.T) {
	f := newTable(t).at(0, one("thief", "party", class("thief", 2), dex(2), need(14))).at(100, one("orc", "orcs", points(50))).start(nil, 6, 1)
	f.Must(act("thief", "charge", "sword", "orc"), 12, 1)
	f.Must(act("thief", "attack", "sword", "orc"), 12, 1)
	if f.Attack().Outcome != "hit" || f.DamageTo("orc") != 4 {
		t.Fatalf("DEX again, no doubling: %v", f.DamageTo("orc"))
	}
}

// original.grapple.to-hit, original.grapple.contest, original.grapple.pinned, original.grapple.tie-struggling, original.grapple.thrown-off
func TestGrapple(t *testing.T) {
	orcs := func(n int, hero *eventv1.Sheet) *table {
		f := newTable(t).at(0, hero)
		for i := range n {
			f.at(int32(1+i), one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), ac0(19)))
		}
		return f.start(nil, 1, 6)
	}
	hero := one("hero", "party", class("thief", 3), ac(4), points(99))
	f := orcs(5, hero)
	all := []string{"orc-2", "orc-3", "orc-4", "orc-5"}
	// Five try, two hold: 2 and 5 against 4, 4, 3.
	f.Must(act("orc-1", "grapple", "", "hero", withParameters("with", all)), 14, 13, 20, 2, 3, 2, 5, 4, 4, 3)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-1 hit", "orc-2 miss", "orc-3 hit", "orc-4 miss", "orc-5 miss"}) {
		t.Fatalf("%v", got)
	}
	for _, id := range []string{"orc-1", "orc-3"} {
		if x := body.ConditionOf(f.Creature(id), body.CondStunned); x == nil || x.Until.Round != 1+4 {
			t.Fatalf("%s is stunned for 4 rounds from the next on: %v", id, x)
		}
	}
	// original.grapple.new-initiative: the others are not stunned.
	if f.State.Marks[body.MReroll] == "" {
		t.Fatal("initiative is rolled again")
	}
	for _, c := range []struct {
		name  string
		faces []int
		cond  string
	}{{"pinned", []int{15, 15, 6, 5, 4, 4, 2}, body.CondPinned}, {"tie", []int{15, 15, 6, 5, 4, 4, 3}, body.CondStruggling}} {
		t.Run(c.name, func(t *testing.T) {
			f := orcs(2, hero)
			f.Must(act("orc-1", "grapple", "", "hero", withParameters("with", []string{"orc-2"})), c.faces...)
			// Two attackers have no bonus: 15 meets 15.
			if !body.Has(f.Creature("hero"), c.cond) {
				t.Fatalf("%v", f.Creature("hero").Conditions)
			}
			if c.cond == body.CondPinned {
				f.End("orc-1")
				f.End("orc-2")
				f.Answer(body.DecStruggle, "yes", 1, 1, 6, 6, 6, 3, 3) // the contest of the next round, and morale: all orcs are out
				if body.Has(f.Creature("hero"), body.CondPinned) || !body.Has(f.Creature("orc-1"), body.CondStunned) {
					t.Fatal("18 against 2 frees")
				}
				return
			}
			f.End("orc-1")
			f.End("orc-2")
			f.WantActive("hero")
			wantRefused(t, f.Try(act("hero", "attack", "sword", "orc-1")), cite.GrappleTieStruggling)
		})
	}
}

// original.action.parry
func TestParry(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", ac(4))).at(5, one("orc", "orcs", ac0(19))).start(nil, 6, 1)
	f.Must(act("a", "parry", "", ""))
	wantRefused(t, f.Try(act("a", "attack", "sword", "orc")), cite.ActionParry)
	f.End("a")
	f.Must(act("orc", "attack", "sword", "a"), 16)
	if f.Attack().Outcome != "miss" {
		t.Fatal("AC 2, base need 17")
	}
	f = newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs")).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "orc"), 2)
	wantRefused(t, f.Try(act("a", "parry", "", "")), cite.ActionParry)
}
