package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// remove takes a creature off the field.
func remove(id string) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: id}}}
}

// joining adds a creature, with facts and vitals.
func joining(s *eventv1.Sheet, v *eventv1.Vitals, facts ...any) *eventv1.Command {
	return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Vitals: v, Facts: object(facts...)}}}
}

// rcr.initiative.dex-or-int: who is asked chooses; where nobody is, the ability with less
// against it is taken, then the higher, then Dexterity. Where both are the same nothing is
// asked; where players choose, only they are, and whose order stands for it.
func TestWhichAbilityInitiativeTakes(t *testing.T) {
	for name, c := range map[string]struct {
		how      string
		dex, int int32
		against  string // disadvantage on checks of it
		order    string
		player   bool
		asked    bool
		total    int32 // of 10 and 8
		faces    []int
	}{
		"the higher one, Dexterity":                        {"best", 18, 14, "", "", false, false, 14, []int{10}},
		"the higher one, Intelligence":                     {"best", 14, 18, "", "", false, false, 14, []int{10}},
		"the higher is hampered":                           {"best", 14, 18, "intelligence", "", false, false, 12, []int{10}},
		"the lower is hampered":                            {"best", 14, 18, "dexterity", "", false, false, 14, []int{10}},
		"of equals the one that is not":                    {"best", 14, 14, "dexterity", "", false, false, 12, []int{10}},
		"of equals Dexterity":                              {"best", 14, 14, "", "", false, false, 12, []int{10}},
		"a player, both the same":                          {"players", 14, 14, "", "", true, false, 12, []int{10}},
		"a player, one is higher":                          {"players", 18, 14, "", "", true, true, 14, []int{10}},
		"a player, as high, one is hampered":               {"players", 14, 14, "dexterity", "", true, true, 12, []int{10}},
		"a player, as high, the other is hampered":         {"players", 14, 14, "intelligence", "", true, true, 12, []int{10}},
		"nobody's, one is higher":                          {"players", 14, 18, "", "", false, false, 14, []int{10}},
		"nobody's, with an order":                          {"players", 14, 18, "", "dexterity", false, false, 12, []int{10}},
		"nobody's, with an order, where the best is taken": {"best", 14, 18, "", "dexterity", false, false, 14, []int{10}},
		"a player's order":                                 {"players", 14, 18, "", "dexterity", true, false, 12, []int{10}},
	} {
		t.Run(name, func(t *testing.T) {
			side := "monsters"
			if c.player {
				side = "party"
			}
			f := newTable(t, body.SetInitiativeChoice+"="+c.how).add(fighter("a", side, ability("dexterity", c.dex), ability("intelligence", c.int)))
			if c.against != "" {
				f.boon("a", "hexed", map[string]int32{"disadvantage.check." + c.against: 1})
			}
			if c.order != "" {
				f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: body.DecInitiative, Order: c.order}}})
			}
			if c.asked {
				f.Start(nil)
				f.wantAsked("a")
				f.Answer(body.DecInitiative, f.Decisions[0].DefaultOption, c.faces...)
			} else {
				f.Start(nil, c.faces...)
			}
			if got := answers.InitiativeOf(f.Creature("a"), 1).GetTotal(); got != c.total {
				t.Errorf("%d, want %d", got, c.total)
			}
		})
	}
}

// rcr.initiative.range-call: of several who are tied one goes first, by the word of the
// game master; then one of those left.
func TestThreeWhoAreTied(t *testing.T) {
	f := newTable(t, body.SetTieBreak+"=ask").add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party"), fighter("d", "monsters"))
	f.Start(nil, 12, 12, 12, 11)
	f.Answer(body.DecTieBreak, "c")
	f.WantActive("c")
	f.Must(endTurn("c"), 1)
	if got := f.Decisions; len(got) != 1 || len(got[0].Options) != 2 {
		t.Fatalf("asked %v", got)
	}
	f.Answer(body.DecTieBreak, "b")
	f.WantActive("b")
	f.End("b", 2)
	f.WantActive("a")
	f.End("a", 3)
	f.WantActive("d")
}

// rcr.surprise.joiners: one that joins acts in this round where its total is no higher than
// that of the turn that runs, or where no turn runs; one that surprises everybody has an
// action first, unless it lies, or nobody has a turn.
func TestWhenJoinersAct(t *testing.T) {
	wraith := func() *eventv1.Sheet { return fighter("w", "monsters") }
	begin := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "party")).start(nil, 13, 5)
	}
	for face, round := range map[int]int32{12: 1, 13: 1, 14: 2} {
		f := begin(t)
		f.Must(joining(wraith(), nil), face)
		if got := answers.InitiativeOf(f.Creature("w"), round).GetTotal(); got != int32(face) {
			t.Errorf("%d in round %d: %d", face, round, got)
		}
		f.wantCount("w", body.CReaction, 1)
	}
	t.Run("nobody is left who could act", func(t *testing.T) {
		f := begin(t)
		dies(t, f, "b")
		dies(t, f, "a")
		f.Put("a", &eventv1.Vitals{}) // settles what that means
		f.WantActive()
		f.Must(joining(wraith(), nil, "surprises_all", true), 18)
		f.WantActive("w")
		if f.State.Round != 1 || f.Creature("w").Marks[body.MFreeAction] != "" {
			t.Errorf("round %d, %v", f.State.Round, f.Creature("w").Marks)
		}
	})
	t.Run("it surprises everybody", func(t *testing.T) {
		f := begin(t)
		f.Must(joining(wraith(), nil, "surprises_all", true))
		f.WantActive("a", "w")
	})
	t.Run("it lies at 0 hit points", func(t *testing.T) {
		f := begin(t)
		f.Must(joining(wraith(), &eventv1.Vitals{Hp: new(int32)}, "surprises_all", true), 9)
		f.WantActive("a")
		if f.Creature("w").Marks[body.MFreeAction] != "" {
			t.Error("it has a free action")
		}
	})
}

// rcr.surprise.no-initiative: where some are surprised they have no initiative in the round
// of the ambush, and nobody acts but the others; where all are, the first round begins.
func TestWhereEverybodyIsSurprised(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start([]string{"a", "b"}, 15, 5)
	f.WantActive("a")
	if f.State.Round != 1 {
		t.Errorf("round %d", f.State.Round)
	}
	f.wantHas("a", body.CondSurprised, false)
	f.wantCount("b", body.CReaction, 1)
	// Whoever is said to be surprised later acts all the same.
	f.Afflict("a", body.CondSurprised)
	f.Must(act("a", "dodge", "", ""))
	f = newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start([]string{"a"}, 5)
	f.WantActive("b")
	if f.State.Round != 0 {
		t.Errorf("round %d", f.State.Round)
	}
	wantReasonOf(t, "surprised", f.Try(act("a", "dodge", "", "")), "SURPRISED")
}

// rcr.initiative.roll-at-turn-end: whoever leaves in its own turn takes no part in the
// round to come: it does not roll, and what it held is free; what others fear of it stays.
func TestWhoeverLeaves(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party")).start(nil, 20, 5, 10)
	f.Afflict("a", "grappled@b", "grappled@c")
	f.Afflict("c", "frightened@b")
	f.End("a", 7)
	f.End("c", 6, 5) // it fears what it sees
	f.WantActive("b")
	f.Must(remove("b")) // ends the round; all others have rolled
	f.WantActive("a")
	if f.State.Round != 2 || body.GrappledBy(f.Creature("a"), "b") != nil || body.GrappledBy(f.Creature("a"), "c") == nil {
		t.Errorf("round %d, %v", f.State.Round, f.Creature("a").Conditions)
	}
	f.wantHas("c", body.CondFrightened, true)
}

// rcr.base.fifth-edition-fallback: who is merely incapacitated takes no action, and moves; who
// is kept from acting by anything else does neither, and an effect that bars nothing bars
// nothing.
func TestWhoIsMerelyIncapacitated(t *testing.T) {
	for name, c := range map[string]struct {
		conditions  []string
		acts, moves string
	}{
		"nothing":                      {nil, "", ""},
		"incapacitated":                {[]string{body.CondIncapacitated}, "INCAPACITATED", ""},
		"incapacitated, by two":        {[]string{body.CondIncapacitated + "@b", body.CondIncapacitated}, "INCAPACITATED", ""},
		"incapacitated and deafened":   {[]string{body.CondIncapacitated, body.CondDeafened}, "INCAPACITATED", ""},
		"incapacitated, and an effect": {[]string{body.CondIncapacitated, "effect.mark"}, "INCAPACITATED", ""},
		"incapacitated and stunned":    {[]string{body.CondIncapacitated, body.CondStunned}, "INCAPACITATED", "INCAPACITATED"},
		"stunned":                      {[]string{body.CondStunned}, "INCAPACITATED", "INCAPACITATED"},
		"an effect":                    {[]string{"effect.mark"}, "", ""},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", c.conditions...)
		wantReasonOf(t, name+", moves", f.Peek(act("a", "move", "", "", feet(5))), c.moves)
		wantReasonOf(t, name+", acts", f.Peek(act("a", "dodge", "", "")), c.acts)
	}
}

// rcr.base.fifth-edition-fallback: before a fight there is what may be done early, by the
// living; after it nothing, and each is told so.
func TestWhenThereIsNoFight(t *testing.T) {
	f := newTable(t).add(human(), orc(), beast())
	why := func(action string) string {
		for _, o := range (System{}).Options(queryOf(f, "a")) {
			if o.Action == action {
				return o.Reason
			}
		}
		return "not listed"
	}
	for action, want := range map[string]string{"mount": "", "dodge": "the encounter has not begun"} {
		if got := why(action); got != want {
			t.Errorf("before, %s: %q, want %q", action, got, want)
		}
	}
	wantReasonOf(t, "before", f.Try(act("a", "dodge", "", "")), "NOT_STARTED")
	f.start(nil, 20, 5, 1)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	for _, action := range []string{"mount", "dodge"} {
		if got := why(action); got != "the encounter is over" {
			t.Errorf("after, %s: %q", action, got)
		}
	}
}

// rcr.base.fifth-edition-fallback: what lasts for a turn ends with the fight: dodging, help
// that waits, what was readied; all else stays.
func TestWhatAFightLeaves(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party")).start(nil, 20, 5, 10)
	f.Afflict("a", body.CondDodging, body.CondProne, "frightened@b")
	f.Afflict("c", body.CondHelped, "effect.mark")
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	for id, kept := range map[string]map[string]bool{
		"a": {body.CondDodging: false, body.CondProne: true, body.CondFrightened: true}, "c": {body.CondHelped: false, "effect.mark": true},
	} {
		for condition, want := range kept {
			f.wantHas(id, condition, want)
		}
	}
}

// rcr.death.secret-saves: one that comes in dying brings as much exhaustion as its players
// know: that with which it went down; what failed saves have added the game master alone
// is told. One that stands brings all of it.
func TestExhaustionThatIsBroughtIn(t *testing.T) {
	for name, c := range map[string]struct {
		v    *eventv1.Vitals
		told []int64
	}{
		"dying":                         {&eventv1.Vitals{Hp: new(int32), Life: eventv1.LifeStatus_LIFE_STATUS_DYING, Counters: map[string]int64{body.CDeathExhaustion: 3, body.CExhaustion: 5}}, []int64{2}},
		"dying, it was not exhausted":   {&eventv1.Vitals{Hp: new(int32), Life: eventv1.LifeStatus_LIFE_STATUS_DYING, Counters: map[string]int64{body.CDeathExhaustion: 1, body.CExhaustion: 2}}, nil},
		"dying, and nothing is counted": {&eventv1.Vitals{Hp: new(int32), Life: eventv1.LifeStatus_LIFE_STATUS_DYING}, nil},
		"standing":                      {&eventv1.Vitals{Counters: map[string]int64{body.CDeathExhaustion: 3, body.CExhaustion: 5}}, []int64{5}},
	} {
		f := newTable(t).add(fighter("b", "monsters"))
		f.Must(joining(fighter("a", "party"), c.v))
		var told []int64
		for _, e := range f.SeenBy(player("a-player")) {
			if n := e.GetCounter(); n.GetSubject() == "a" && n.GetCounter() == body.CExhaustion {
				told = append(told, n.Value)
			}
		}
		if !slices.Equal(told, c.told) {
			t.Errorf("%s: told %v, want %v", name, told, c.told)
		}
	}
}

// rcr.base.death-save-frame, rcr.condition.paralyzed-disabled: one at 0 hit points is
// unconscious, whatever the game master takes off it; the unconscious and those whose
// limbs fail lie, and whoever has another condition of such a kind does not.
func TestHowTheFallenLie(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Hurt("b", 0)
	f.wantHas("b", body.CondUnconscious, true)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{body.CondUnconscious}}}})
	f.wantHas("b", body.CondUnconscious, true)
	f.wantCited(cite.BaseDeathSaveFrame)
	for condition, lies := range map[string]bool{body.CondParalyzed + "=" + body.VariantDisabled: true, body.CondUnconscious: true,
		body.CondParalyzed + "=stricken": false, "effect.mark=" + body.VariantDisabled: false, body.CondStunned + "=" + body.VariantDisabled: false} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("b", condition)
		if got := body.Has(f.Creature("b"), body.CondProne); got != lies {
			t.Errorf("%s: prone %v", condition, got)
		}
	}
}
