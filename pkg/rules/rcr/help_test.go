package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: help with a check is an advantage on the next
// of its kind, once, until the helper's next turn.
func TestHelpWithAChecks(t *testing.T) {
	begin := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party", skilled("medicine", 3))).start(nil, 20, 5, 15)
	}
	stealth := act("c", "called-check", "", "", withParameters("skill", "stealth", "dc", 10))
	t.Run("used by the next check of the skill", func(t *testing.T) {
		f := begin(t)
		f.Must(act("a", "help-check", "", "c", withParameters("with", "stealth")))
		f.wantCount("a", body.CAction, 0)
		f.Must(act("c", "called-check", "", "", withParameters("skill", "arcana", "dc", 10)), 7)
		f.Must(stealth, 4, 12)
		if got := f.Roll("stealth"); got.Kept[0] != 12 || body.Has(f.Creature("c"), body.CondHelped) {
			t.Fatalf("%v, %v", got, f.Creature("c").Conditions)
		}
		f.Must(stealth, 4)
	})
	t.Run("rcr.dice.same-kind-no-stack: two helpers are one source", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("c", "party"), fighter("d", "party")).start(nil, 20, 5, 15)
		f.Must(act("a", "help-check", "", "c", withParameters("with", "stealth")))
		f.End("a", 1)
		f.Must(act("d", "help-check", "", "c", withParameters("with", "stealth")))
		f.Must(stealth, 4, 12)
		f.Must(stealth, 4)
	})
	t.Run("over with the helper's next turn", func(t *testing.T) {
		f := begin(t)
		f.Must(act("a", "help-check", "", "c", withParameters("with", "stealth")))
		f.End("a", 20)
		f.End("c", 1)
		f.End("b", 1)
		f.WantActive("a")
		f.Must(stealth, 4)
	})
	t.Run("rcr.healing.magic-check: the Medicine check against wounds", func(t *testing.T) {
		f := begin(t)
		f.Hurt("b", 10)
		f.Count("b", body.CWounds, 1)
		f.Must(act("a", "help-check", "", "c", withParameters("with", "medicine")))
		f.Medicine(healing("b", "c", 8, "via", injuries.ViaSpell, "spell_level", "1"), 6, 7)
		if f.Creature("b").Counters[body.CWounds] != 0 || body.Has(f.Creature("c"), body.CondHelped) {
			t.Fatalf("%v", f.Creature("b").Counters)
		}
	})
	t.Run("rcr.dice.delayed-roll: recorded with the task", func(t *testing.T) {
		f := begin(t)
		f.Must(act("a", "help-check", "", "c", withParameters("with", "sleight of hand")))
		f.Must(act("c", "delay-check", "", "", withParameters("task", "knot", "skill", "sleight of hand")))
		if body.Has(f.Creature("c"), body.CondHelped) {
			t.Fatal("not used")
		}
		f.Must(act("c", "call-delayed", "knot/c/delayed-roll", "", withParameters("dc", 14)), 3, 14)
	})
	t.Run("nobody to help, nothing to help with", func(t *testing.T) {
		f := begin(t)
		for _, id := range []string{"a", "b"} {
			wantRefused(t, f.Try(act("a", "help-check", "", id, withParameters("with", "stealth"))), body.Fallback)
		}
		if f.Try(act("a", "help-check", "", "c", withParameters("with", "dancing"))) == nil {
			t.Fatal("helped to dance")
		}
		f.Count("a", body.CAction, 0)
		if o := offered(f.State, "a", "help-check", ""); o.Legal || len(o.Targets) > 0 {
			t.Fatalf("%v", o)
		}
	})
	t.Run(cite.ConditionTerrified, func(t *testing.T) {
		f := begin(t)
		f.Afflict("a", body.CondTerrified+"@b")
		wantRefused(t, f.Try(act("a", "help-check", "", "c", withParameters("with", "stealth"))), cite.ConditionTerrified)
	})
}

// rcr.base.inspiration-held: set on a roll to come, it is for the roll named.
func TestInspirationSetOnARoll(t *testing.T) {
	set := func(t *testing.T, on string) *table {
		f := solo(t, nil, inspired)
		var more []func(*eventv1.TakeAction)
		if on != "" {
			more = append(more, withParameters("for", on))
		}
		f.Must(act("a", "spend-inspiration", "", "", more...))
		return f
	}
	attack := act("a", "attack", "sword", "b")
	check := act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 5))
	save := act("a", "called-save", "", "", withParameters("ability", "wisdom", "dc", 5))
	t.Run("the next attack, whatever it is made with", func(t *testing.T) {
		f := set(t, "")
		f.Must(attack, 2, 3)
		f.wantCount("a", body.CInspiration, 0)
		f = newTable(t).add(fighter("a", "party", caster, inspired), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "spend-inspiration", "", "", withParameters("for", "attack")))
		f.Must(act("a", "cast", "bolt", "b"), 2, 3)
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("kept for a saving throw", func(t *testing.T) {
		f := set(t, "save")
		f.Must(attack, 2)
		f.Must(check, 10)
		f.Must(save, 5, 15)
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("initiative only when it is named", func(t *testing.T) {
		f := set(t, "")
		f.End("a", 3)
		f.wantCount("a", body.CInspiration, 1)
		f = set(t, "initiative")
		f.Must(attack, 2)
		f.End("a", 3, 17)
		if got := answers.InitiativeOf(f.Creature("a"), 2).GetTotal(); got != 17 {
			t.Fatalf("%d, want 17", got)
		}
		f.wantCount("a", body.CInspiration, 0)
	})
	t.Run("rcr.base.death-save-frame: a death save", func(t *testing.T) {
		f := medTable(t, bodied("a", 10, 40), 40, 0, "rcr.death.inspiration-auto-success=off")
		f.Count("a", body.CInspiration, 1)
		f.Put("a", &eventv1.Vitals{Marks: map[string]string{body.MInspired: body.ForSave}})
		f.Hurt("a", 0)
		f.deed(turnBegins("a"), 4, 12)
		if a := f.Creature("a").Counters; a[body.CDeathSuccesses] != 1 || a[body.CInspiration] != 0 {
			t.Fatalf("%v", a)
		}
	})
	t.Run("gone in between, it gives nothing", func(t *testing.T) {
		f := set(t, "")
		f.Count("a", body.CInspiration, 0)
		f.Must(check, 10)
	})
	t.Run("no such roll", func(t *testing.T) {
		if solo(t, nil, inspired).Try(act("a", "spend-inspiration", "", "", withParameters("for", "luck"))) == nil {
			t.Fatal("set on luck")
		}
	})
}

// rcr.dice.inspiration-resource: uses of attacks and spells are resources too.
func TestInspirationRefillsUses(t *testing.T) {
	f := solo(t, nil, inspired, rcrSheet(func(s *eventv1.RcrSheet) {
		short := &eventv1.RcrUsage{Uses: 2, Recharge: "short rest"}
		s.Spells = []*eventv1.RcrSpell{{Name: "hex", Innate: true, Usage: short, CastingTime: "action"}}
		s.Attacks[0].Usage = &eventv1.RcrUsage{Uses: 1, Recharge: "day"}
	}))
	f.Count("a", body.CLeft+"hex", 0, body.CLeft+"sword", 0)
	wantRefused(t, f.Try(act("a", "spend-inspiration", "sword", "")), cite.DiceInspirationResource)
	f.Must(act("a", "spend-inspiration", "hex", ""))
	f.wantCount("a", body.CLeft+"hex", 2)
}

// rcr.injury.row1-shock: passive scores are 5 less at a disadvantage, 5 more
// with advantage, however many sources; rcr.condition.exhaustion-d20: exhaustion
// leaves them alone.
func TestPassiveScores(t *testing.T) {
	for _, c := range []struct {
		name       string
		own        int32
		bonus      int32
		conditions []string
		wounds     int
		exhaustion int
		want       int32
	}{
		{"plain", 0, 3, nil, 0, 0, 13},
		{"as the sheet says", 15, 3, nil, 0, 0, 15},
		{"in Shock", 0, 3, nil, 1, 0, 8},
		{"in Shock, as the sheet says", 15, 3, nil, 1, 0, 10},
		{"in Shock and deafened", 0, 3, []string{body.CondDeafened}, 1, 0, 8},
		{"exhausted", 0, 3, nil, 0, 5, 13},
	} {
		t.Run("rcr.injury.row1-shock: "+c.name, func(t *testing.T) {
			for face, outcome := range map[int32]string{c.want: "success", c.want - 1: "failure"} {
				f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", skilled("perception", c.bonus), rcrSheet(func(s *eventv1.RcrSheet) { s.PassivePerception = c.own }))).start(nil, 20, 5)
				f.Afflict("b", c.conditions...)
				f.Count("b", body.CWounds, c.wounds, body.CExhaustion, c.exhaustion)
				f.Must(act("a", "hide", "", ""), int(face))
				if got := f.Roll("stealth"); got.Outcome != outcome || got.Target != nil { // the enemy's score is not shown
					t.Fatalf("%v, want %s at %d", got, outcome, face)
				}
			}
		})
	}
}

// rcr.condition.grappled-somatic: the hold's own DC, the holder's, its passive
// Athletics, whichever is highest, of all who hold.
func TestGrappledCastingDC(t *testing.T) {
	hold := func(source string, dc int32) *eventv1.Condition {
		x := &eventv1.Condition{Name: body.CondGrappled, Source: source, Cause: source}
		if dc > 0 {
			x.Values = map[string]int32{"escape_dc": dc}
		}
		return x
	}
	for _, c := range []struct {
		name  string
		holds []*eventv1.Condition
		prone bool
		want  int32
	}{
		{"the hold's own", []*eventv1.Condition{hold("b", 17)}, false, 17},
		{"the hold's own beats the holder's", []*eventv1.Condition{hold("b", 9)}, false, 12}, // passive Athletics 12, not 8 + 4 + 3
		{"the holder's", []*eventv1.Condition{hold("b", 0)}, false, 15},
		{"a hold of nobody's", []*eventv1.Condition{hold("", 13)}, false, 13},
		{"the highest of two", []*eventv1.Condition{hold("b", 9), hold("z", 14)}, false, 14},
		{"rcr.condition.prone-own-rolls: the holder lies, its passive Athletics is 5 less", []*eventv1.Condition{hold("b", 9)}, true, 9},
	} {
		t.Run("rcr.condition.grappled-somatic: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", caster), fighter("b", "monsters", ability("strength", 18), skilled("athletics", 2)),
				fighter("z", "monsters")).start(nil, 20, 5, 4)
			f.Put("a", &eventv1.Vitals{Conditions: c.holds})
			if c.prone {
				f.Afflict("b", body.CondProne)
			}
			if got := checks.GrappleCastingDC(f.State, f.Creature("a")); got != c.want {
				t.Fatalf("%d, want %d", got, c.want)
			}
		})
	}
}

// rcr.base.half-cover, rcr.condition.crouching-shield: cover helps Dexterity
// saves against what an attack brings and those called for.
func TestCoverOnSaves(t *testing.T) {
	begin := func(ability string) *table {
		return newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Attacks[1].Save, s.Attacks[1].Effects = &eventv1.RcrSave{Ability: ability, Dc: 12}, []*eventv1.RcrEffect{{Condition: body.CondPoisoned}}
		})), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Shield = eventv1.RcrSheet_SHIELD_SHIELD }))).start(nil, 20, 5)
	}
	for ability, want := range map[string]int32{"dexterity": 12, "constitution": 10} {
		f := begin(ability)
		f.Must(act("a", "attack", "bow", "b", withFacts("cover", "half", "close_enemy", false)), 15, 1, 10)
		if got := f.Roll("/save").Total; got != want {
			t.Errorf("rcr.base.half-cover: %s %d, want %d", ability, got, want)
		}
	}
	f := begin("dexterity")
	f.Afflict("b", body.CondCrouching)
	f.Must(act("b", "called-save", "", "", withParameters("ability", "dexterity", "dc", 12)), 10)
	if got := f.Roll("save/b"); got.Total != 12 {
		t.Errorf("rcr.condition.crouching-shield: %d, want 12", got.Total)
	}
	f.Must(act("b", "called-save", "", "", withParameters("ability", "dexterity", "dc", 12), withFacts("cover", "three-quarters")), 10)
	if got := f.Roll("save/b"); got.Total != 15 {
		t.Errorf("rcr.base.half-cover: the best alone: %d, want 15", got.Total)
	}
}

// rcr.damage.dangerous-terrain: half of the movement by the mode that it is
// spent by.
func TestDangerousWaters(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", func(s *eventv1.Sheet) { s.Speeds["swim"] = 40 }), fighter("b", "monsters")).start(nil, 20, 5)
	swim := func(feet int) *eventv1.Command {
		return act("a", "move", "", "", withParameters("feet", feet, "mode", "swim"), withFacts("dangerous", feet))
	}
	f.Must(swim(10)) // 20 of 40
	f.Must(swim(1), 3, 3)
	f.Must(swim(1)) // once a turn
}

// Tasks are listed by name; one that is barred is listed as barred.
// rcr.dice.degrees-of-success, rcr.dice.threat
func TestTasksAreListed(t *testing.T) {
	f := solo(t, nil)
	graded := func(name string, face int) {
		f.Must(act("a", "task-check", "", "", withParameters("task", name, "skill", "strength", "dc", 15, "degrees", true)), face)
	}
	graded("lock", 11)
	graded("safe", 2)
	if o := offered(f.State, "a", "task-check", "lock/a"); o == nil || !o.Legal || valuesOf(o, "task") != nil {
		t.Fatalf("%v", o)
	}
	o := offered(f.State, "a", "task-check", "safe/a")
	again := act("a", "task-check", "safe/a", "", withParameters("skill", "strength", "dc", 15, "degrees", true))
	wantReason(t, f.Try(again), "BARRED", o)
	f.Must(act("a", "task-check", "lock/a", "", withParameters("skill", "strength", "dc", 15, "degrees", true)), 15)
	if got := f.State.Tasks["lock/a"]; got.Status != "success" || got.Values[dice.ValTimeDice] != 2 {
		t.Fatalf("%v", got)
	}
	// The key resets the lock: the game master ends the task.
	f.Must(act("a", "end-task", "safe/a", ""))
	wantRefused(t, f.Try(again), cite.DiceThreat)
	graded("safe", 15)
	wantRefused(t, f.Try(act("b", "task-check", "lock/a", "", withParameters("skill", "strength", "dc", 15))), cite.DiceThreat)
}

// rcr.condition.paralyzed-disabled: a natural 20 gives a hit point; without air
// nobody wakes.
func TestNaturalTwentyWithoutAir(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 0, 0)
	f.Afflict("a", body.CondParalyzed+"="+body.VariantDisabled)
	f.deed(turnBegins("a"), 20)
	f.wantBody("a", want{1, 40, 0, 0, false, false})
	f.State.Creatures["a"].Conditions = slices.DeleteFunc(f.State.Creatures["a"].Conditions,
		func(x *eventv1.Condition) bool { return x.Name == body.CondParalyzed })
	if !f.deed(healing("a", "a", 1)).Woke {
		t.Fatal("healed and breathing it wakes")
	}
}
