package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rulings that came out wrong once.
func TestRulings(t *testing.T) {
	t.Run(cite.DiceAdvInvisibleAttacker+": who has no eyes does not rely on sight", func(t *testing.T) {
		for eyes, faces := range map[int32][]int{2: {2, 3}, 0: {2}} {
			f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed(), section(func(s *eventv1.CelesiaSheet) {
				s.Body = &eventv1.CelesiaBody{Hands: 2, Fingers: 5, Eyes: eyes, Arms: 2, Legs: 2, Head: true}
			})))
			f.Afflict("a", body.CondInvisible)
			f.Must(act("a", "attack", "sword", "b"), faces...)
		}
	})
	t.Run(cite.AttackRangedBonus+": shots cite it, blows do not", func(t *testing.T) {
		spit := &eventv1.CelesiaWeapon{Name: "spit", Kind: "natural-ranged", Dice: "1d4", RangeFeet: 30, Limb: "mouth"}
		for name, want := range map[string]string{"spit": cite.AttackRangedBonus, "sword": cite.AttackMeleeBonus} {
			f := duel(t, fighter("a", "party", ability("dexterity", 14), section(func(s *eventv1.CelesiaSheet) { s.Weapons = append(s.Weapons, spit) })), fighter("b", "foes", unarmed()))
			f.Must(act("a", "attack", name, "b"), 2)
			for _, e := range f.Events {
				if e.GetRoll() == nil {
					continue
				}
				other := map[string]string{cite.AttackRangedBonus: cite.AttackMeleeBonus, cite.AttackMeleeBonus: cite.AttackRangedBonus}[want]
				if !slices.Contains(e.Rules, want) || !citing(e, want) || citing(e, other) {
					t.Errorf("%s: %v", name, e)
				}
			}
		}
	})
	t.Run(cite.MountMovedTwoActs+": the act that riding takes cites it", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		f.Count("a", body.CRode, 10)
		if f.acts("a") != 2 || !slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
			return e.GetCounter().GetCounter() == body.CActs && slices.Equal(e.Rules, []string{cite.MountMovedTwoActs})
		}) {
			t.Errorf("%d acts; %v", f.acts("a"), f.Events)
		}
		f.Hurt("b", 0) // and that of the disabled theirs
		f.End("a")
		if f.acts("b") != 2 {
			t.Errorf("%d acts", f.acts("b"))
		}
	})
	t.Run(cite.MovementMove+": a way goes by squares", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		wantField(t, f.Try(act("a", "move", "", "", way(-3, 0))), "take.path[0]", "5 feet")
		wantField(t, f.Try(act("a", "move", "", "", way(-5, 0, -10, 4))), "take.path[1]")
		f.Must(act("a", "move", "", "", way(-5, 0, -10, 5)))
	})
	t.Run(cite.DiceCircumstanceTable+": a bare ability can be called for", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("strength", 14)), fighter("b", "foes"))
		wantField(t, f.Try(act("a", "ability-check", "", "")), "take.parameters.ability", "missing")
		f.Afflict("a", body.CondSickened)
		f.Must(act("a", "ability-check", "", "", withParameters("ability", "strength", "dc", 12)), 15, 10) // sickened: the lower, and 2
		if roll := f.Roll("check/strength"); roll.Total != 12 || roll.Outcome != "success" {
			t.Error(roll)
		}
		f.start(nil, 15, 15, 5)
		if err := f.Try(act("b", "ability-check", "", "", withParameters("ability", "might"))); err == nil {
			t.Error("an ability that is none is accepted")
		}
	})
	t.Run(cite.AttackRecklessOffenseNatural1+": it is told as a miss of the target", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party", attacks(18)), fighter("b", "foes", unarmed()), fighter("c", "party"))
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionReckless)), 1, 4) // 1 + 18 + 10 would reach DV 15
		f.WantAttacks("a miss", "a hit")
		f.WantHP("b", 40)
		f.WantHP("c", 40-4)
	})
	t.Run(cite.ManeuverReposition+": without a way the attacker is asked for the space", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		f.Must(act("a", "reposition", "", "b"), 9) // 16 is exact: 5 feet
		f.wantOptions(answers.DecPush, "0,-5", "5,-5", "10,-5", "0,5", "5,5", "10,5", "10,0")
		f.Answer(answers.DecPush, "5,5")
		f.wantAt("b", 5, 5)
		f.End("a")
		f.End("b")
		f.Must(act("a", "reposition", "", "b"), 14) // 21: 10 feet, the last 5 beside the threatened area
		f.Answer(answers.DecPush, "10,10")
		f.wantAt("b", 10, 10)
		f.End("a")
		f.End("b")
		f.at("b", 0, 5)
		f.Must(act("a", "reposition", "", "b"), 8) // 15
		f.wantAt("b", 0, 5)
		if len(f.Decisions) > 0 {
			t.Error(f.Decisions)
		}
	})
	t.Run(cite.ManeuverReposition+": nobody is moved where there is no space", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		f.at("a", 0, 0)
		f.at("b", 5, 0)
		n := 0
		for x := int32(0); x <= 10; x += 5 {
			for y := int32(-5); y <= 5; y += 5 {
				if y == 0 && x < 10 {
					continue
				}
				n++
				f.add(fighter("w"+body.Itoa(n), "foes"))
				f.at("w"+body.Itoa(n), x, y)
			}
		}
		f.start(nil, 18, 17, 16, 15, 14, 13, 12, 11, 10)
		acts := f.acts("a")
		wantRefused(t, f.Try(act("a", "reposition", "", "b")), cite.ManeuverReposition)
		if f.acts("a") != acts {
			t.Error("it was paid for")
		}
		f.at("w1", 50, 50)
		f.Must(act("a", "reposition", "", "b"), 9)
		f.wantOptions(answers.DecPush, "0,-5")
	})
	t.Run(cite.ManeuverReposition+": points off the squares", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		wantField(t, f.Try(act("a", "reposition", "", "b", way(8, 5))), "take.path[0]", "square")
		wantField(t, f.Try(act("a", "reposition", "", "b", way(5, 5, 3, 10))), "take.path[1]", "square")
		wantField(t, f.Try(act("a", "drop-item", "sword", "", way(3, 0))), "take.path[0]", "squares")
		f.Must(act("a", "drop-item", "sword", "", way(0, 5)))
		g := holding(t, fighter("a", "party", cmb(8), unarmed()), fighter("b", "foes", unarmed()))
		g.Must(act("a", "grapple-continued", "", ""), 19)
		g.Answer(body.DecHold, "move")
		wantField(t, g.Try(act("a", "move", "", "", way(-20, 0), withParameters("foe_x", -25.0, "foe_y", 3.0))), "take.parameters.foe_x", "squares")
		g.Must(act("a", "move", "", "", way(-20, 0), withParameters("foe_x", -25.0, "foe_y", 5.0)))
	})
	t.Run(cite.ManeuverDrag+": to the point named, not beside it", func(t *testing.T) {
		f := duel(t, fighter("a", "party", cmb(7)), fighter("b", "foes", cmd(16)))
		f.Must(act("a", "drag", "", "b", way(-5, 15)), 19) // 26: 15 feet
		f.wantAt("a", -5, 15)
		f.wantAt("b", 0, 15)
	})
	t.Run(cite.ActionAidAnother+": only against an opponent who is in melee with the friend", func(t *testing.T) {
		places := [][2]int32{{0, 0}, {40, 0}, {0, 5}, {45, 5}}
		f := crowd(t, places, fighter("a", "party", unarmed()), fighter("b", "party"), fighter("c", "foes"), fighter("d", "foes"))
		aid := act("a", "aid-another", "fist", "c", withParameters("friend", "b"))
		wantRefused(t, f.Try(aid), cite.ActionAidAnother)
		wantRefused(t, f.Try(act("a", "aid-another", "fist", "c")), cite.ActionAidAnother)
		if f.acts("a") != 3 {
			t.Error("it was paid for")
		}
		f.Must(act("a", "aid-another", "fist", "c", withParameters("friend", "b"), withFacts("friend_engaged", true)), 4) // stated beats measured; 9 is no success
		f.at("b", 0, 10)
		wantRefused(t, f.Try(act("a", "aid-another", "fist", "c", withParameters("friend", "b"), withFacts("friend_engaged", false))), cite.ActionAidAnother)
		f.Must(act("a", "aid-another", "fist", "c"), 9) // who else could it be
		f.Answer(strike.DecAid, "attack")
		if x := body.Condition(f.Creature("b"), checks.CondAided); x.GetSource() != "c" {
			t.Error(f.Creature("b").Conditions)
		}
	})
	t.Run(cite.ActionAidAnother+": of several friends in melee the aider picks", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {0, 10}, {5, 10}, {0, 5}, {40, 0}}, fighter("a", "party"), fighter("b", "party"), fighter("c", "party"), fighter("d", "foes"), fighter("e", "party"))
		f.Must(act("a", "aid-another", "sword", "d"))
		f.wantOptions(strike.DecAided, "b", "c")
		f.Answer(strike.DecAided, "c", 15)
		f.Answer(strike.DecAid, "defense")
		if !body.Has(f.Creature("c"), checks.CondAided) || body.Has(f.Creature("b"), checks.CondAided) {
			t.Error("another is aided")
		}
		f.Afflict("b", body.CondUnconscious) // immobilised: not engaged
		wantRefused(t, f.Try(act("a", "aid-another", "sword", "d", withParameters("friend", "b"))), cite.ActionAidAnother)
	})
	t.Run(cite.InjuryHandSevered+": who does not bleed is not staunched", func(t *testing.T) {
		f := duel(t, fighter("a", "party"), fighter("b", "party"))
		wantRefused(t, f.Try(act("a", "staunch", "", "b")), cite.InjuryHandSevered)
		wantRefused(t, f.Try(act("a", "staunch", "", "a")), cite.InjuryHandSevered)
		f.Count("b", body.CBleed, 2)
		f.Must(act("a", "staunch", "", "b"), 15)
		f.End("a")
		f.End("b")
		wantRefused(t, f.Try(act("a", "staunch", "", "b")), cite.InjuryHandSevered) // the second time
		if f.acts("a") != 3 || f.Creature("b").Counters[body.CBleed] != 0 {
			t.Errorf("%d acts left", f.acts("a"))
		}
	})
	t.Run(cite.ActionPushAnimal+": no humanoid is an animal", func(t *testing.T) {
		for humanoid, rule := range map[bool]string{true: cite.ActionPushAnimal, false: ""} {
			f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed(), section(func(s *eventv1.CelesiaSheet) { s.Humanoid = humanoid })))
			if !humanoid {
				f.Must(act("a", "push-animal", "", "b"), 10)
				continue
			}
			wantRefused(t, f.Try(act("a", "push-animal", "", "b")), rule)
		}
	})
	t.Run(cite.ActionFirstAid+": with what is stated", func(t *testing.T) {
		kit := []func(*eventv1.TakeAction){withFacts("broken_tool", true), circumstance("modifier", 2)}
		for what, before := range map[string]func(*table){
			"first-aid":    func(f *table) { f.Hurt("b", -14) },
			"staunch":      func(f *table) { f.Count("b", body.CBleed, 1) },
			"treat-wound":  func(*table) {},
			"treat-poison": func(*table) {},
		} {
			f := duel(t, fighter("a", "party"), fighter("b", "party"))
			before(f)
			f.Must(act("a", what, "", "b", kit...), 19, 8) // broken: the lower; 8 + 2
			roll := f.Rolls("")[len(f.Rolls(""))-1]
			if roll.Kept[0] != 8 || !slices.ContainsFunc(roll.Modifiers, func(m *eventv1.Modifier) bool { return m.Value == 2 }) {
				t.Errorf("%s: %v", what, roll)
			}
			f.Must(act("a", "step", "", "", way(0, 5)))
		}
	})
	t.Run(cite.ActionFirstAid+": wounds and poison are treated", func(t *testing.T) {
		f := duel(t, fighter("a", "party", skilled("heal", 5)), fighter("b", "party", section(func(s *eventv1.CelesiaSheet) { s.Fortitude = 3 })))
		f.Hurt("b", 30)
		f.Must(act("a", "treat-wound", "", "b", withParameters("dc", 15, "heals", 4)), 10)
		f.WantHP("b", 34)
		f.End("a")
		f.End("b")
		f.Must(act("a", "treat-wound", "", "b", withParameters("dc", 15, "heals", 4)), 9)
		f.WantHP("b", 34)
		for range 2 { // the second treatment takes the place of the first
			f.End("a")
			f.End("b")
			f.Must(act("a", "treat-poison", "", "b", withParameters("dc", 15, "bonus", 4)), 10)
		}
		for i, save := range []string{"reflex", "fortitude", "fortitude"} { // the next Fortitude save alone
			f.Must(act("b", "saving-throw", "", "", withParameters("save", save)), 10)
			if got := f.Roll("save/b").Total; got != []int32{10, 17, 13}[i] {
				t.Errorf("%s: %d", save, got)
			}
		}
		f.at("b", 10, 0)
		for _, what := range []string{"treat-wound", "treat-poison"} {
			f.End("a")
			f.End("b")
			wantRefused(t, f.Try(act("a", what, "", "b")), cite.ActionFirstAid)
			if o := checks.Frame().Action(what); o == nil || f.acts("a") != 3 {
				t.Error(what)
			}
		}
	})
	t.Run(cite.ActionOneRoundFrame+": with what is stated at its begin", func(t *testing.T) {
		storm := section(func(s *eventv1.CelesiaSheet) {
			s.Spells = []*eventv1.CelesiaSpell{{Name: "ray", Casting: "1-round", Attack: "ranged-touch", Dice: "1d6", CasterLevel: 1, RangeFeet: 60}}
		})
		for _, said := range []bool{false, true} {
			f := duel(t, fighter("a", "party", storm), fighter("b", "foes", unarmed()))
			take, faces := act("a", "cast", "ray", "b"), []int{8}
			if said {
				take, faces = act("a", "cast", "ray", "b", withFacts("flanked", true), circumstance("modifier", 2)), []int{8, 9}
			}
			f.Must(take)
			f.End("a")
			f.End("b", append(faces, 3)...)
			if roll := f.Rolls("to-hit")[0]; roll.Total != []int32{8 + 5, 9 + 5 + 2}[len(faces)-1] {
				t.Errorf("%v", roll)
			}
		}
	})
	t.Run(cite.ActionDisableDevice+": with what is stated at its begin and its end", func(t *testing.T) {
		broken, good := withFacts("broken_tool", true), circumstance("modifier", 2)
		for name, tc := range map[string]struct {
			begin, end []func(*eventv1.TakeAction)
			faces      []int
			total      int32
		}{
			"at the begin": {[]func(*eventv1.TakeAction){broken, good}, nil, []int{19, 8}, 10},
			"at the end":   {nil, []func(*eventv1.TakeAction){broken, good}, []int{19, 8}, 10},
			"both":         {[]func(*eventv1.TakeAction){good}, []func(*eventv1.TakeAction){good}, []int{8}, 12},
			"nothing":      {nil, nil, []int{8}, 8},
		} {
			t.Run(name, func(t *testing.T) {
				f := duel(t, fighter("a", "party"), fighter("b", "party"))
				f.Must(act("a", "disable-device", "", "", append(tc.begin, withParameters("acts", 2))...))
				f.Must(act("a", "continue-task", "disable-device", "", tc.end...), tc.faces...)
				if roll := f.Roll("check/disable-device"); roll.Total != tc.total {
					t.Errorf("%v", roll)
				}
			})
		}
		f := duel(t, fighter("a", "party"), fighter("b", "party"))
		f.Must(act("a", "disable-device", "", "", good, withParameters("acts", 3)), 8) // once, though it begins and ends it
		if roll := f.Roll("check/disable-device"); roll.Total != 10 {
			t.Errorf("%v", roll)
		}
	})
	t.Run(cite.MovementRun+": through no foe, on either axis", func(t *testing.T) {
		for name, tc := range map[string]struct {
			at   [2]int32
			side string
			ways [2]*eventv1.Position
		}{
			"x":        {[2]int32{10, 0}, "foes", [2]*eventv1.Position{{X: 40}, {X: 40, Y: 40}}},
			"y":        {[2]int32{0, 10}, "foes", [2]*eventv1.Position{{Y: 40}, {X: 40}}},
			"a friend": {[2]int32{0, 10}, "party", [2]*eventv1.Position{nil, {Y: 40}}},
		} {
			f := crowd(t, [][2]int32{{0, 0}, tc.at}, fighter("a", "party"), fighter("b", tc.side, unarmed()))
			if p := tc.ways[0]; p != nil {
				wantRefused(t, f.Try(act("a", "run", "", "", way(p.X, p.Y))), cite.ManeuverOverrun)
			}
			f.Must(act("a", "run", "", "", way(tc.ways[1].X, tc.ways[1].Y)))
			f.wantAt("a", tc.ways[1].X, tc.ways[1].Y)
			if t.Failed() {
				t.Fatal(name)
			}
		}
	})
	t.Run(cite.MountSharedInitiative+": nor does a mount", func(t *testing.T) {
		f := cavalry(t, fighter("a", "party"), horse(), fighter("b", "foes", unarmed()))
		at := f.Creature("h").Position
		f.at("b", at.X+5, at.Y+20)
		wantRefused(t, f.Try(act("a", "ride", "", "", way(at.X, at.Y+40))), cite.ManeuverOverrun)
		f.Must(act("a", "ride", "", "", way(at.X-30, at.Y)))
		f.wantAt("a", at.X-30, at.Y)
	})
	t.Run(cite.MovementCharge+": to the closest space from which the weapon strikes, which may be one's own", func(t *testing.T) {
		pike := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 2, Reach: true, Hand: "both"})
		for _, tc := range []struct{ foe, stop int32 }{{10, 0}, {15, 5}, {40, 30}} {
			f := crowd(t, [][2]int32{{0, 0}, {0, tc.foe}}, fighter("a", "party", pike), fighter("b", "foes", unarmed()))
			f.Must(act("a", "charge", "w", "b"))
			f.wantAt("a", 0, tc.stop)
			f.Must(act("a", "attack", "w", "b"), 2, 2) // with advantage
		}
		f := crowd(t, [][2]int32{{0, 0}, {0, 10}}, fighter("a", "party"), fighter("b", "foes", unarmed()))
		f.Must(act("a", "charge", "sword", "b"))
		f.wantAt("a", 0, 5)
	})
	t.Run(cite.ManeuverOverrun+": who fails stops in a space that is free", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {15, 0}, {10, 0}}, fighter("a", "party", cmb(0)), fighter("b", "foes", cmd(30)), fighter("c", "party"))
		f.Must(act("a", "overrun", "", "b", way(20, 0)))
		f.Answer(answers.DecPass, "no", 5)
		f.wantAt("a", 5, 0)
	})
	t.Run(cite.AttackCleave+": with what is stated of all targets", func(t *testing.T) {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {5, 5}}, fighter("a", "party", ability("strength", 14)), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
		f.Must(act("a", "attack", "sword", "b", circumstance("modifier", 3)), 8, 4)
		f.Answer(strike.DecCleave, "c", 5, 4)
		if roll := f.Rolls("to-hit")[0]; roll.Total != 5+5+2+3 {
			t.Errorf("%v", roll)
		}
	})
	t.Run(cite.ActionFeintEffect+": a second feint lasts as long as a first", func(t *testing.T) {
		f := duel(t, fighter("a", "party", skilled("bluff", 20)), fighter("b", "foes", unarmed(), section(func(s *eventv1.CelesiaSheet) { s.DefenseDexterity = 3 })))
		for range 2 {
			f.Must(act("a", "feint", "", "b"), 10)
			f.End("a")
			f.End("b")
		}
		f.Must(act("a", "attack", "sword", "b"), 7, 4) // 12 against 15 less 3
		f.WantHP("b", 36)
		f.Must(act("a", "attack", "sword", "b"), 9) // it is used up, and was one
		f.WantHP("b", 36)
	})
	t.Run(cite.SpellConcentrate+": of two casters each has a spell of its own", func(t *testing.T) {
		glue := func(turns int32) func(*eventv1.Sheet) {
			return section(func(s *eventv1.CelesiaSheet) {
				s.Spells = []*eventv1.CelesiaSpell{{Name: "glue", Casting: "swift", Condition: "entangled", RangeFeet: 60, Turns: turns}}
			})
		}
		f := crowd(t, [][2]int32{{0, 0}, {40, 0}, {0, 20}}, fighter("a", "party", glue(1)), fighter("b", "foes", unarmed()), fighter("c", "party", glue(3)))
		f.Must(act("a", "cast", "glue", "b"))
		f.End("a")
		f.End("b")
		f.Must(act("c", "cast", "glue", "b"))
		f.Must(act("c", "cast", "glue", "b")) // again by the same: one
		if n := len(f.Creature("b").Conditions); n != 2 {
			t.Errorf("%v", f.Creature("b").Conditions)
		}
		f.End("c") // a's turn begins: its spell is over, that of c is not
		for _, entangled := range []bool{true, true, true, false} {
			if body.Has(f.Creature("b"), "entangled") != entangled {
				t.Errorf("round %d: entangled %t", f.State.Round, !entangled)
			}
			f.End("a")
			f.End("b")
			f.End("c")
		}
	})
}
