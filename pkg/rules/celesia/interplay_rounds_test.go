package celesia

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.action.total-defense, celesia.action.total-defense-combine, celesia.attack.fighting-defensively-combines,
// celesia.attack.combat-expertise: three ways to guard add up, the same twice does not.
func TestGuardsAddUp(t *testing.T) {
	f := duel(t, fighter("a", "party", attacks(7), ability("intelligence", 13)), fighter("b", "foes", unarmed(), defends(60)))
	f.Must(act("a", "fight-defensively", "", ""))                                   // +7
	f.Must(act("a", "attack", "sword", "b", with(mending.OptionExpertise)), 10, 10) // 2 steps at 7: +6
	f.Must(act("a", "total-defense", "", ""))                                       // 5 + 3
	if got := strike.Defense(f.Creature("a"), false); got.Value != 15+7+6+8 {
		t.Errorf("DV %v, want 36", got)
	}
	if got := strike.Defense(f.Creature("a"), true).Value; got != 10+7+6+8 {
		t.Errorf("touch DV %d, want 31", got)
	}
	f.End("a")
	f.End("b")
	if got := strike.Defense(f.Creature("a"), false).Value; got != 15 {
		t.Errorf("DV %d at the start of the next turn, want 15", got)
	}
	f.Afflict("a", body.CondHasted)
	f.round()
	f.Must(act("a", "total-defense", "", ""))
	f.Must(act("a", "total-defense", "", ""))
	if got := strike.Defense(f.Creature("a"), false).Value; got != 15+8 {
		t.Errorf("DV %d after the same twice, want 23", got)
	}
}

// celesia.attack.fighting-defensively: at the start of the turn, before any act of it; what
// is free comes before as well.
func TestFightingDefensivelyComesFirst(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
	f.Must(act("a", "drop-prone", "", ""))
	f.Must(act("a", "fight-defensively", "", ""))
	wantReason(t, f.Try(act("a", "fight-defensively", "", "")), "ALREADY", cite.AttackFightingDefensively)
	f.round()
	f.Must(act("a", "stand-up", "", ""))
	wantReason(t, f.Try(act("a", "fight-defensively", "", "")), "TURN_BEGUN", cite.AttackFightingDefensively)
}

// celesia.attack.reckless-aim, celesia.attack.reckless-offense: a penalty to DV of one source
// counts once, of two sources both; each attack that it was chosen for has its bonus.
func TestRecklessTwice(t *testing.T) {
	pistol := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "dart", Kind: "thrown", Dice: "1d4", Hands: 1, RangeFeet: 20, Hand: "off"})
	})
	f := duel(t, fighter("a", "party", attacks(9), pistol), fighter("b", "foes", unarmed(), defends(60)), "celesia.setting.ranged-provokes=off")
	for n := 1; n <= 2; n++ {
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionReckless)), 10)
		if got := f.Roll("to-hit").Total; got != 10+9+6 || strike.Defense(f.Creature("a"), false).Value != 12 {
			t.Errorf("attack %d: total %d, DV %d, want 25 and 12", n, got, strike.Defense(f.Creature("a"), false).Value)
		}
	}
	f.Must(act("a", "attack", "dart", "b", with(mending.OptionRecklessAim)), 10)
	if got := f.Roll("to-hit").Total; got != 10+9+6 || strike.Defense(f.Creature("a"), false).Value != 9 {
		t.Errorf("the dart: total %d, DV %d, want 25 and 9", got, strike.Defense(f.Creature("a"), false).Value)
	}
	f.End("a")
	f.End("b")
	f.Must(act("a", "attack", "sword", "b"), 10)
	if got := f.Roll("to-hit").Total; got != 19 || strike.Defense(f.Creature("a"), false).Value != 15 {
		t.Errorf("total %d, DV %d in the next turn", got, strike.Defense(f.Creature("a"), false).Value)
	}
}

// celesia.attack.power-attack-duration-exclusive, celesia.attack.deadly-aim: what lasts is in
// an attack of opportunity, penalty and bonus; what was chosen for one shot is not.
func TestTradesInAnOpportunity(t *testing.T) {
	strong := ability("strength", 16, "dexterity", 10)
	f := duel(t, fighter("a", "party", attacks(8), strong, weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "2d6", Hands: 2})), fighter("b", "foes", defends(15)))
	f.Must(act("a", "attack", "w", "b", with(mending.OptionPower)), 2)
	f.End("a")
	f.Must(act("b", "sheathe", "sword", ""))
	f.Answer(body.DecReaction+"/a", "attack:w", 10, 1, 1) // 10 + 8 + 3 - 3 = 18; 2 + 4 + 9
	if got := f.Roll("to-hit").Total; got != 18 {
		t.Errorf("total %d, want 18", got)
	}
	f.WantHP("b", 40-15)
	f.End("b")
	f.Must(act("a", "attack", "w", "b"), 10, 1, 1)
	if got := f.Roll("to-hit").Total; got != 21 {
		t.Errorf("total %d in the next turn, want 21", got)
	}
}

// celesia.attack.steady-aim: what is free, what others do and one's own reactions leave the
// aim; any act but the shot breaks it, and the shot uses it up, hit or miss.
func TestWhatLeavesTheAim(t *testing.T) {
	bow := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "projectile", Dice: "1d6", Hands: 2, RangeFeet: 60})
	claw := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "bite", Kind: "natural", Dice: "1d4", Limb: "head"})
	})
	f := crowd(t, [][2]int32{{0, 0}, {60, 0}, {5, 0}}, fighter("a", "party", bow, claw), fighter("b", "foes", unarmed(), defends(40)), fighter("c", "foes", unarmed()))
	shot := func(die int, bonus int32) {
		t.Helper()
		f.Must(act("a", "attack", "w", "b"), die)
		if got := f.Roll("to-hit").Total; got != int32(die)+5+bonus {
			t.Errorf("total %d, want %d and %d of aiming", got, die+5, bonus)
		}
	}
	shot(3, 0)
	f.Must(act("a", "steady-aim", "", ""))
	f.Must(act("a", "steady-aim", "", ""))
	f.Must(act("a", "speak", "", ""))
	f.End("a")
	f.End("b")
	f.Must(act("c", "move", "", "", way(15, 0)))
	f.Answer(body.DecReaction+"/a", "attack:bite", 3)
	f.End("c")
	f.Must(act("a", "drop-prone", "", ""))
	f.Must(act("a", "steady-aim", "", ""))
	shot(3, 12) // three acts of aiming over two turns
	shot(3, 0)  // and the next shot has nothing of it
	f.ends("a", "b", "c")
	f.Must(act("a", "steady-aim", "", ""))
	f.Must(act("a", "stand-up", "", ""))
	shot(3, 0)
	f.ends("a", "b", "c")
	f.Must(act("a", "steady-aim", "", ""))
	f.End("a")
	f.End("b")
	f.End("c")
	f.Must(act("a", "attack", "bite", "b", withFacts("distance", 5)), 3)
	if got := f.Roll("to-hit").Total; got != 8 {
		t.Errorf("the bite comes to %d, want 8", got)
	}
	shot(3, 0)
}

// ends ends the turns of several, one after the other.
func (f *table) ends(ids ...string) {
	f.T.Helper()
	for _, id := range ids {
		f.End(id)
	}
}

// celesia.maneuver.disarm, celesia.maneuver.disarm-fumble: by 10 more is two things, by 10
// less the own weapon, a 9 of either is not; bare hands drop nothing.
func TestDisarmAtItsMargins(t *testing.T) {
	for name, c := range map[string]struct {
		item  string
		face  int
		drops int // of b
		keeps bool
	}{
		"10 over": {"sword", 20, 2, true}, "9 over": {"sword", 19, 1, true}, "even": {"sword", 10, 1, true}, "9 under": {"sword", 1, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			two := arms(&eventv1.CelesiaWeapon{Name: "axe", Kind: "melee", Dice: "1d6", Hands: 1}, &eventv1.CelesiaWeapon{Name: "knife", Kind: "melee", Dice: "1d4", Hands: 1, Hand: "off"})
			f := duel(t, fighter("a", "party"), fighter("b", "foes", two))
			f.Must(act("a", "disarm", c.item, "b"), c.face)
			if c.drops > 0 {
				f.Answer(body.DecDisarm, "knife")
			}
			dropped := 0
			for _, item := range []string{"axe", "knife"} {
				if body.Where(f.Creature("b"), item) == body.PlaceDropped {
					dropped++
				}
			}
			if dropped != c.drops || (body.Where(f.Creature("a"), "sword") == body.PlaceMain) != c.keeps {
				t.Errorf("%d dropped, the sword is %s", dropped, body.Where(f.Creature("a"), "sword"))
			}
		})
	}
	for item, where := range map[string]string{"sword": body.PlaceDropped, "": body.PlaceMain, "fist": body.PlaceMain} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", cmd(16)))
		f.Must(act("a", "disarm", item, "b"), 1) // 6: 10 under
		if got := body.Where(f.Creature("a"), "sword"); got != where {
			t.Errorf("with %q: the sword is %s, want %s", item, got, where)
		}
	}
}

// celesia.maneuver.extra-legs: each leg beyond two is 2 more against trips and overruns, and
// against nothing else; who never had two has no less.
func TestLegsAgainstManeuvers(t *testing.T) {
	for legs, more := range map[int32]int32{0: 0, 1: 0, 2: 0, 3: 2, 4: 4, 8: 12} {
		b := fighter("b", "foes", bodyPlan(&eventv1.CelesiaBody{Legs: legs, Eyes: 2, Head: true, Hands: 2, Arms: 2}))
		for action, want := range map[string]int32{"trip": 15 + more, "overrun": 15 + more, "bull-rush": 15, "grapple": 15} {
			f := duel(t, fighter("a", "party", unarmed()), b)
			f.Roller = func(int) int { return 10 }
			f.Must(act("a", action, "", "b"))
			for len(f.Decisions) > 0 {
				f.Choose("no")
			}
			if got := f.Roll(action).Target.Value; got != want {
				t.Errorf("%s of one with %d legs: CMD %d, want %d", action, legs, got, want)
			}
		}
	}
}

// celesia.maneuver.escape-grapple: 5 less for each attempt before in the turn, a fourth of the
// hasted among them; the next turn begins anew.
func TestEscapingAgainAndAgain(t *testing.T) {
	f := grappled(t, fighter("a", "party", unarmed(), cmd(60)), fighter("b", "foes", unarmed()), 20)
	f.Afflict("b", body.CondHasted, body.CondGrappled+"=@a")
	f.End("a")
	for n := 0; n < 4; n++ {
		f.Must(act("b", "escape-grapple", "", "", withParameters("check", "maneuver")), 20)
		if got := f.Roll("escape").Total; got != int32(25-5*n) {
			t.Errorf("attempt %d: %d, want %d", n+1, got, 25-5*n)
		}
	}
}
