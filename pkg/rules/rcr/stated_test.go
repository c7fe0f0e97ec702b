package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.dice.same-kind-no-stack: the game master merges and splits kinds on every
// d20, not on attacks with weapons alone.
func TestKindsOnEveryRoll(t *testing.T) {
	same := withFacts("kinds", map[string]any{"prone": "tangled", "restrained": "tangled", "prone/attacker": "tangled", "restrained/attacker": "tangled"})
	for _, c := range []struct {
		name   string
		cmd    *eventv1.Command
		suffix string
		more   []int
	}{
		{"a check", act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 20), same), "stealth", nil},
		{"a saving throw", act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 20), same), "save/a", nil},
		{"a spell attack", act("a", "cast", "rot", "b", same), "/to-hit", nil},
		{"a group", act("a", "group-check", "", "a", withParameters("skill", "stealth", "dc", 20), same), "stealth/a", nil},
		{"a task", act("a", "task-check", "", "", task("stealth", 20), same), "task/stealth", []int{2, 2}},
		{"a contest", act("a", "tumble", "", "b", same), "tumble/a", []int{5}},
	} {
		t.Run("rcr.dice.same-kind-no-stack: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", caster, rcrSheet(func(s *eventv1.RcrSheet) {
				s.Spells = append(s.Spells, &eventv1.RcrSpell{Name: "rot", CastingTime: "action", Verbal: true, Attack: "ranged", RangeFeet: 60})
			})), fighter("b", "monsters")).start(nil, 20, 5)
			f.Afflict("a", body.CondProne, body.CondRestrained)
			f.Must(c.cmd, append([]int{3, 4}, c.more...)...)
			if got := f.Rolls(c.suffix)[0].Expression; got != "2d20kl1" {
				t.Fatalf("%s, want plain disadvantage", got)
			}
		})
	}
	t.Run("rcr.dice.same-kind-no-stack: a delayed check", func(t *testing.T) {
		f := duel(t)
		f.Afflict("a", body.CondProne, body.CondRestrained)
		f.Must(act("a", "delay-check", "", "", withParameters("task", "gate", "skill", "stealth"), same))
		f.Must(act("a", "call-delayed", "gate/a/delayed-roll", "", withParameters("dc", 10)), 3, 4)
	})
	t.Run("rcr.dice.same-kind-no-stack: what were two kinds is one", func(t *testing.T) {
		f := duel(t)
		f.Afflict("a", body.CondFrightened+"@b", body.CondPoisoned)
		f.Must(act("a", "called-check", "", "", withParameters("skill", "stealth", "dc", 20), withFacts("kinds", map[string]any{"poisoned": "fear"})), 3, 4)
	})
}

// rcr.injury.row4-scar, rcr.injury.row5-severed-limb, rcr.injury.describe-wound:
// the game master names die, side and words in a fight too.
func TestWoundsAsStated(t *testing.T) {
	hero := func() *eventv1.Sheet {
		return bodied("v", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
			s.HitDice = []*eventv1.RcrHitDice{{Size: 6, Total: 2}, {Size: 10, Total: 3}}
		}))
	}
	said := withFacts("scar_die", "d6", "side", "left", "wound", "a torn cheek")
	for _, c := range []struct {
		name   string
		wounds int
		cmd    *eventv1.Command
		faces  []int
	}{
		{"an attack", 3, act("a", "attack", "sword", "v", said), []int{20, 1, 1, 5}},
		{"a spell", 2, act("a", "cast", "missile", "v", said), []int{4, 5}},
		{"a power", 2, act("a", "use-power", "blast", "v", said), []int{1, 5}},
		{"a fall", 2, act("v", "fall", "", "", withParameters("feet", 10), said), []int{6, 5}},
	} {
		t.Run("rcr.injury.row4-scar: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "monsters", caster, rcrSheet(func(s *eventv1.RcrSheet) {
				s.Powers = []*eventv1.RcrPower{{Name: "blast", Cost: "action", RangeFeet: 60, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "fire"}}}}
			})), hero()).start(nil, 20, 5)
			if c.wounds == 2 {
				f.Hurt("v", 1) // brought to 0: two wounds
			}
			f.Count("v", body.CWounds, c.wounds)
			f.Roller = rollerOf(c.faces)
			f.Must(c.cmd)
			if len(f.Decisions) > 0 {
				f.Answer(movement.DecFallRoll, "no")
			}
			in := f.Creature("v").Injuries
			if len(in) != 1 || in[0].Amount != 5 || in[0].Description != "a torn cheek" {
				t.Fatalf("%v", in)
			}
		})
	}
	t.Run("rcr.injury.row5-severed-limb: the side", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "monsters"), hero()).start(nil, 20, 5)
		f.Count("v", body.CWounds, 4)
		f.Must(act("a", "attack", "sword", "v", said), 20, 1, 1, 2)
		if in := f.Creature("v").Injuries; len(in) != 1 || in[0].Part != "hand" || in[0].Side != "left" {
			t.Fatalf("%v", in)
		}
	})
}

// rollerOf throws faces one after the other, ones when they are gone.
func rollerOf(faces []int) func(int) int {
	return func(int) int {
		if len(faces) == 0 {
			return 1
		}
		face := faces[0]
		faces = faces[1:]
		return face
	}
}

// rcr.condition.exhaustion-scale: whatever cannot be exhausted gains none.
func TestImmuneToExhaustion(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{"exhaustion"} })), 0, 0)
	f.deed(turnBegins("a"), 5)
	f.deed(&eventv1.Harm{Deed: body.DeedExhaust, Target: "a", Amount: 3, Cause: "march"})
	if a := f.Creature("a").Counters; a[body.CExhaustion] != 0 || a[body.CDeathFailures] != 1 {
		t.Fatalf("%v", a)
	}
}

// rcr.healing.spare-the-dying: at 0 hit points, not at any that are left to
// whoever lies without air.
func TestSpareTheSuffocating(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 22, 1)
	f.Afflict("a", body.CondParalyzed+"="+body.VariantDisabled)
	f.deed(turnBegins("a"), 4, 3) // in Shock, 3 against 5
	f.deed(&eventv1.Harm{Deed: body.DeedSpell, Target: "a", Source: "a", Facts: map[string]string{"spell": "spare the dying"}})
	f.wantBody("a", want{22, 40, 1, 1, false, false})
}

// rcr.condition.helpless-attacks: where nothing is rolled no inspiration is spent.
func TestInspirationOnTheHelpless(t *testing.T) {
	f := solo(t, nil, inspired)
	f.Afflict("b", body.CondHelpless)
	f.Must(act("a", "attack", "sword", "b", withParameters("inspiration", true)), 1, 1)
	f.wantCount("a", body.CInspiration, 1)
}

// rcr.opportunity.object-interaction: a healer's kit is an object in the hands;
// bare hands on a wound are not.
func TestKitsProvoke(t *testing.T) {
	begin := func(t *testing.T) *table {
		f := newTable(t)
		f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 2 })), 0, 0)
		f.place(fighter("friend", "party"), 0, 5)
		f.place(fighter("b", "monsters"), 5, 0)
		f.start(nil, 20, 5, 4)
		f.Hurt("friend", 0)
		return f
	}
	f := begin(t)
	f.Must(act("a", "stabilise", "", "friend", withParameters("kit", true)))
	f.wantAsked("b")
	f.Answer(body.DecOpportunity, "no")
	f.WantLife("friend", eventv1.LifeStatus_LIFE_STATUS_STABLE)
	f.wantCount("a", body.CKit, 1)
	f = begin(t)
	f.Must(act("a", "stabilise", "", "friend"), 10)
	f.wantAsked()
	f = begin(t)
	f.Hurt("a", 1)
	f.Must(act("a", "stabilise", "", "friend", withParameters("kit", true)))
	f.Roller = func(sides int) int { return sides }
	f.Answer(body.DecOpportunity, "sword")
	f.WantLife("friend", eventv1.LifeStatus_LIFE_STATUS_DYING)
	f.wantCount("a", body.CKit, 2)
}

// A saving throw called for: what it is against is listed, and whose it is.
// rcr.injury.row2-crippled-saves, rcr.condition.deafened-concentration
func TestSavesCalledFor(t *testing.T) {
	f := duel(t)
	f.Count("b", body.CWounds, 2)
	save := func(ability string, more ...any) *eventv1.Command {
		return act("a", "called-save", "", "", withParameters(append([]any{"ability", ability, "dc", 12}, more...)...))
	}
	cmd := save("wisdom")
	cmd.GetTake().Targets = []string{"b"}
	f.Must(cmd, 4, 13)
	f.Afflict("a", body.CondDeafened, body.CondCrouching)
	f.Must(save("constitution", "against", "concentration"), 4, 13)
	f.Must(save("constitution"), 4)
	f.Must(save("strength", "against", "stay-up"), 4, 13)
	if f.Try(save("strength", "against", "boredom")) == nil {
		t.Fatal("against boredom")
	}
	for _, o := range (System{}).Options(queryOf(f, "a")) {
		if o.Action == "called-save" && (len(o.Targets) != 3 || len(valuesOf(o, "against")) != 3 || valuesOf(o, "sense") != nil) {
			t.Fatalf("%v", o)
		}
	}
}

// rcr.condition.exhaustion-dc: a saving throw that ends an effect goes by the DC
// of then.
func TestSaveEndsByTheDCOfThen(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", caster), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "cast", "hold", "b"), 14) // against 15
	f.Count("a", body.CExhaustion, 2)
	f.End("a", 1)
	f.End("b", 13, 20) // 13 against 13, then initiative
	if body.Has(f.Creature("b"), body.CondParalyzed) || f.Rolls("")[0].Target.GetValue() != 13 {
		t.Fatalf("%v", f.Rolls(""))
	}
}

// rcr.injury.con-allowance, rcr.injury.row6-death: with a Constitution lowered
// since, the next wound kills whoever stands at the last row by it.
func TestOneWoundTooManyByALoweredConstitution(t *testing.T) {
	f := medTable(t, bodied("a", 16, 40), 40, 8)
	f.State.Creatures["a"].Sheet.Abilities["constitution"] = 10
	f.deed(hit("a", 2))
	f.wantBody("a", want{38, 40, 8, 6, false, true}) // no wound, nothing new
	f.deed(hit("a", 2, critical))
	f.wantBody("a", want{36, 40, 8, 6, true, false})
}

// rcr.condition.replace-base: a fall ends a hold.
func TestFallingOutOfAHold(t *testing.T) {
	f := field(t, 5, 0)
	f.Afflict("a", body.CondGrappled+"@b")
	f.Must(act("a", "fall", "", "", withParameters("feet", 20), func(take *eventv1.TakeAction) {
		take.Path = []*eventv1.Position{{X: 0, Y: 0, Z: -20}}
	}))
	f.Answer(movement.DecFallRoll, "no", 3, 3)
	if body.Has(f.Creature("a"), body.CondGrappled) {
		t.Fatal("held from above")
	}
}

// rcr.healing.magic-check, rcr.healing.kit-wound: what is stated weighs on the
// Medicine check of a treatment in a fight too.
func TestStatedMedicine(t *testing.T) {
	begin := func(t *testing.T) *table {
		f := newTable(t).add(fighter("a", "party", caster, rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "touch", Cost: "action", RangeFeet: 5, Healing: "8"}}
		})), bodied("friend", 20, 40), fighter("b", "monsters")).start(nil, 20, 5, 4)
		f.Hurt("friend", 10)
		f.Count("friend", body.CWounds, 2)
		return f
	}
	for _, c := range []struct {
		name  string
		cmd   *eventv1.Command
		faces []int
	}{
		{"a spell", act("a", "cast", "cure wounds", "friend", stated("disadvantage:rain")), []int{5, 12, 3}},
		{"a power", act("a", "use-power", "touch", "friend", stated("disadvantage:rain", "disadvantage:haste")), []int{12, 14, 3}},
		{"a kit by the game master's word, under water", act("a", "use-kit", "", "friend", withFacts("override", true, "underwater", true)), []int{12, 3}},
		{"advantage and disadvantage cancel", act("a", "cast", "cure wounds", "friend", stated("disadvantage:rain", "advantage:light")), []int{5, 3}},
	} {
		t.Run("rcr.healing.magic-check: "+c.name, func(t *testing.T) {
			f := begin(t)
			f.Must(c.cmd, c.faces...) // 3 + 5 is not enough
			if got := f.Creature("friend").Counters[body.CWounds]; got != 2 {
				t.Fatalf("%d wounds", got)
			}
		})
	}
}

// rcr.initiative.dex-or-int: whoever has something that helps with one of the
// abilities has a choice, and without being asked takes what promises more.
func TestInitiativeWithHelpForOneAbility(t *testing.T) {
	f := newTable(t, body.SetInitiativeChoice+"=players").add(fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 20, 10)
	f.boon("hero", "clear", map[string]int32{"check.intelligence.d4": 1})
	f.boon("orc", "clear", map[string]int32{"check.intelligence": 2})
	f.Must(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "hero"}}})
	f.wantAsked("hero")
	f.Answer(body.DecInitiative, "intelligence", 3, 5)
	if got := answers.InitiativeOf(f.Creature("hero"), 2).GetTotal(); got != 8 {
		t.Fatalf("%d, want 8", got)
	}
	f.End("orc", 5)
	if got := answers.InitiativeOf(f.Creature("orc"), 2).GetTotal(); got != 7 {
		t.Fatalf("%d, want 7", got)
	}
}

// rcr.death.secret-saves, rcr.death.inspiration-auto-success: whoever is stable
// in secret is asked as if it were dying, and spends as if it were.
func TestAskedThoughStable(t *testing.T) {
	for _, c := range []struct {
		successes int
		answer    string
		faces     []int // after the answer
		left      int64
	}{
		{0, "no", []int{12, 1}, 1},
		{0, "yes", []int{1}, 0},
		{2, "no", []int{1}, 1},
		{2, "yes", []int{1}, 0},
	} {
		f := newTable(t).add(fighter("hero", "party"), fighter("orc", "monsters")).start(nil, 5, 20)
		f.Hurt("hero", 0)
		f.Count("hero", body.CDeathSuccesses, c.successes)
		f.End("orc", 10, 12, 2) // the orc's next place, the death save, the hero's next place
		f.Count("hero", body.CInspiration, 1)
		f.WantActive("orc")
		f.End("orc", 3)
		f.wantAsked("hero")
		f.Answer(checks.DecDeathInspiration, c.answer, c.faces...)
		f.wantCount("hero", body.CInspiration, c.left)
		f.WantActive("orc")
	}
}
