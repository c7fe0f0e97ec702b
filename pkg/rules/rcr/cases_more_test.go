package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.dice.safety: a Safety is of its task alone, over or not.
func TestSafetyOfAnotherTask(t *testing.T) {
	for _, over := range []bool{true, false} {
		f := solo(t, nil, skilled("stealth", 4))
		f.Must(act("a", "task-check", "", "", task("stealth", 14)), 20)
		f.wantTask("success", 1)
		if over {
			f.Must(act("a", "end-task", "raid/a", ""))
		}
		f.Must(act("a", "task-check", "", "", withParameters("task", "palace", "skill", "stealth", "dc", 16)), 7, 7)
		f.wantAsked()
		if got := f.State.Tasks["palace/a"].GetStatus(); got != "failure" {
			t.Fatalf("over %v: %s", over, got)
		}
	}
}

// rcr.base.opportunity-frame: a reaction spent in a round is not there for what
// provokes later in it.
func TestReactionSpentOnAnother(t *testing.T) {
	f := newTable(t)
	f.place(fighter("a", "party"), 0, 0)
	f.place(fighter("c", "party"), 5, 5)
	f.place(fighter("orc", "monsters"), 5, 0)
	f.start(nil, 20, 15, 5)
	f.Afflict("c", body.CondProne)
	f.Must(act("a", "interact", "", ""))
	f.Answer(body.DecOpportunity, "sword", 2)
	f.End("a", 1)
	f.Must(act("c", "stand", "", ""))
	f.wantAsked()
	if body.Has(f.Creature("c"), body.CondProne) {
		t.Fatal("not risen")
	}
}

// rcr.condition.blinded-sight: as far as blindsight reaches and no farther.
func TestBlindsightReach(t *testing.T) {
	for _, c := range []struct {
		sense string
		feet  int
		want  string
	}{{"blindsight", 20, "1d20"}, {"blindsight", 30, "1d20"}, {"blindsight", 35, "2d20kl1"}, {"tremorsense", 30, "1d20"}, {"darkvision", 20, "2d20kl1"}} {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{c.sense: 30} })), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondBlinded)
		f.Must(act("a", "attack", "bow", "b", withFacts("distance", c.feet, "close_enemy", false)), twos(c.want)...)
		if got := f.Roll("/to-hit").Expression; got != c.want {
			t.Errorf("rcr.condition.blinded-sight: %s at %d feet: %s", c.sense, c.feet, got)
		}
	}
}

// rcr.condition.blinded-movement: after a failure half the speed to rise, or
// three feet a foot.
func TestAfterStumblingBlind(t *testing.T) {
	stumble := func() *table {
		f := newTable(t).add(fighter("a", "party", skilled("acrobatics", 3)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondBlinded)
		f.Must(act("a", "blind-walk", "", ""), 11)
		f.wantCount("a", body.CMovement, 30)
		return f
	}
	f := stumble()
	f.Must(act("a", "stand", "", ""))
	f.wantCount("a", body.CMovement, 15)
	f.Must(act("a", "move", "", "", feet(7)))
	f.wantCount("a", body.CMovement, 1)
	f = stumble()
	f.Must(act("a", "crawl", "", "", feet(10)))
	f.wantCount("a", body.CMovement, 0)
}

// rcr.condition.deafened-initiative, with the numbers of a turn that ends.
func TestDeafenedInitiative(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", ability("dexterity", 14)), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("a", body.CondDeafened)
	f.End("a", 9, 14)
	if got := answers.InitiativeOf(f.Creature("a"), 2).GetTotal(); got != 11 {
		t.Fatalf("%d, want 11", got)
	}
}

// rcr.condition.deafened-wisdom: reading hit points is a Wisdom check.
func TestDeafenedExaminer(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", skilled("medicine", 5)), fighter("friend", "party"), fighter("b", "monsters")).start(nil, 20, 5, 4)
	f.Afflict("a", body.CondDeafened)
	f.Must(act("a", "medicine", "", "friend"), 9, 4)
	if got := f.Roll("medicine"); got.Total != 9 || got.Outcome != "failure" || learned(f.Events) != nil {
		t.Fatalf("%v", got)
	}
}

// rcr.condition.crouching-ranged: who stands on the line is measured; the dead
// hide nobody.
func TestSomebodyBetween(t *testing.T) {
	for _, c := range []struct {
		name string
		x, y int32
		dead bool
		want string
	}{
		{"on the line", 10, 0, false, "2d20kl1"},
		{"beside it", 10, 10, false, "1d20"},
		{"behind the target", 30, 0, false, "1d20"},
		{"dead on the line", 10, 0, true, "1d20"},
	} {
		t.Run("rcr.condition.crouching-ranged: "+c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party"), 0, 0)
			f.place(fighter("b", "monsters"), 20, 0)
			f.place(fighter("c", "monsters"), c.x, c.y)
			f.start(nil, 20, 5, 4)
			f.Afflict("b", body.CondCrouching)
			if c.dead {
				f.Resolve(func(r *resolution) error { injuries.Die(r, "c", "test"); return nil })
			}
			f.Must(act("a", "attack", "bow", "b"), twos(c.want)...)
			if got := f.Roll("/to-hit").Expression; got != c.want {
				t.Fatalf("%s, want %s", got, c.want)
			}
		})
	}
}

// rcr.condition.terrified: held fast it may Dash or Dodge, nothing else.
func TestTerrifiedAndHeld(t *testing.T) {
	held := func() *table {
		f := duel(t)
		f.Afflict("a", body.CondTerrified+"@b", body.CondGrappled+"@b")
		return f
	}
	held().Must(act("a", "dash", "", ""))
	held().Must(act("a", "dodge", "", ""))
	var may []string
	for _, o := range (System{}).Options(queryOf(held(), "a")) {
		if o.Legal && o.Costs[body.CAction] > 0 {
			may = append(may, o.Action)
		}
	}
	if !slices.Equal(may, []string{"dash", "dodge"}) {
		t.Fatalf("the action may be spent on %v", may)
	}
}

// rcr.condition.shackled-reload: a free reload takes the action too.
func TestFreeReloadOfBoundHands(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", armed), fighter("b", "monsters")).start(nil, 20, 5)
	f.Afflict("a", body.CondShackled)
	f.Must(act("a", "attack", "quick crossbow", "b"), 2, 3)
	if got := f.Creature("a").Items["quick crossbow"].Values["loaded"]; got != 0 {
		t.Fatal("loaded by itself")
	}
	f.Count("a", body.CAction, 1)
	f.Must(act("a", "reload", "quick crossbow", ""))
	f.wantCount("a", body.CAction, 0)
	wantRefused(t, f.Try(act("a", "attack", "quick crossbow", "b")), cite.BaseFifthEditionFallback)
}

// rcr.healing.magic-eligible: Second Wind in a fight, its check in Shock.
func TestSecondWindInAFight(t *testing.T) {
	f := newTable(t).add(bodied("a", 12, 44, skilled("medicine", 1), rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "second wind", Cost: "bonus", Healing: "1d10+5", Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "short rest"}}}
	})), fighter("b", "monsters")).start(nil, 20, 5)
	f.Hurt("a", 10)
	f.Count("a", body.CWounds, 3)
	f.Must(act("a", "use-power", "second wind", ""), 4, 15, 9)
	f.wantBody("a", want{19, 44, 0, 0, false, true})
	if got := f.Roll("wound-check"); got.Total != 10 || got.Outcome != "success" {
		t.Fatalf("%v", got)
	}
}

// rcr.healing.item-check: the drinker's Shock does not enter, nor its Medicine.
func TestDrinkingInShock(t *testing.T) {
	for _, c := range []struct {
		faces []int
		hp    int32
		left  int64
	}{{[]int{1, 2, 9}, 10, 1}, {[]int{1, 1}, 9, 2}} {
		f := newTable(t).add(bodied("a", 10, 30, skilled("medicine", 9), rcrSheet(func(s *eventv1.RcrSheet) {
			s.Items = []*eventv1.RcrItem{{Name: "potion", Activation: "action", Rarity: "common", Healing: "2d4+2", Charges: 1}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		f.Hurt("a", 5)
		f.Count("a", body.CWounds, 2)
		f.Must(act("a", "use-item", "potion", ""), c.faces...)
		if a := f.Creature("a"); a.GetHp() != c.hp || a.Counters[body.CWounds] != c.left {
			t.Fatalf("%d hit points, %d wounds", a.GetHp(), a.Counters[body.CWounds])
		}
	}
}

// rcr.injury.row3-bleeding: treated before its turn, it does not bleed in it.
func TestStanchedBeforeItsTurn(t *testing.T) {
	f := newTable(t).add(fighter("medic", "party", skilled("medicine", 2), rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellSlots = []int32{1}
		s.Spells = []*eventv1.RcrSpell{{Name: "cure wounds", Level: 1, CastingTime: "action", Healing: "1d8+3"}}
	})), bodied("hero", 10, 36), fighter("orc", "monsters")).start(nil, 10, 15, 5)
	f.Hurt("hero", 20)
	f.Count("hero", body.CWounds, 3)
	f.Must(act("medic", "cast", "cure wounds", "hero"), 4, 8) // 7 points; 10 removes one wound
	f.End("medic", 1)
	f.WantActive("hero")
	f.wantBody("hero", want{27, 36, 2, 2, false, true})
	if len(f.Rolls("bleeding")) != 0 {
		t.Fatal("it bleeds")
	}
}

// rcr.movement.dangerous-as-difficult: 15 feet are all that a speed of 30 gives.
func TestRazorbush(t *testing.T) {
	f := duel(t)
	f.Must(act("a", "move", "", "", feet(15, "dangerous", 15)), 1, 1)
	f.wantCount("a", body.CMovement, 0)
	wantRefused(t, f.Try(act("a", "move", "", "", feet(1))), cite.BaseFifthEditionFallback)
}

// rcr.surprise.one-action: what is out of reach stays so; a Dash is all the way
// there is, and no more.
func TestGoblinInTheSurpriseRound(t *testing.T) {
	begin := func() *table {
		f := newTable(t)
		f.place(fighter("goblin", "monsters"), 0, 0)
		f.place(fighter("quarry", "party"), 20, 0)
		return f.start([]string{"quarry"}, 15)
	}
	f := begin()
	wantRefused(t, f.Try(act("goblin", "move", "", "", along(15, 0))), cite.SurpriseOneAction)
	wantRefused(t, f.Try(act("goblin", "attack", "sword", "quarry")), cite.BaseFifthEditionFallback)
	f.Must(act("goblin", "attack", "bow", "quarry"), 2)
	f = begin()
	f.Must(act("goblin", "dash", "", ""))
	f.Must(act("goblin", "move", "", "", along(-30, 0)))
	f.wantCount("goblin", body.CMovement, 0)
	wantRefused(t, f.Try(act("goblin", "move", "", "", along(-35, 0))), cite.SurpriseOneAction)
}

// twos are faces for one d20 or two.
func twos(expression string) []int {
	if expression == "1d20" {
		return []int{2}
	}
	return []int{2, 2}
}
