package celesia

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// celesia.attack.into-melee, celesia.attack.engaged-definition, celesia.attack.into-melee-distance,
// celesia.attack.into-melee-size: a shot into a melee is at disadvantage when an ally engages the
// target and any ally is nearer to the aimed part than 10 feet.
func TestShotsIntoAMelee(t *testing.T) {
	long := weapon(&eventv1.CelesiaWeapon{Name: "w", Kind: "melee", Dice: "1d8", Hands: 1, Reach: true})
	bow := weapon(&eventv1.CelesiaWeapon{Name: "spit", Kind: "natural-ranged", Dice: "1d6", RangeFeet: 60, Limb: "mouth"})
	for name, c := range map[string]struct {
		ally   []func(*eventv1.Sheet)
		target []func(*eventv1.Sheet)
		at     [2]int32
		do     func(f *table)
		facts  []any
		dice   int
	}{
		"an armed ally beside":                     {nil, nil, [2]int32{45, 0}, nil, nil, 2},
		"10 feet off with a long weapon":           {[]func(*eventv1.Sheet){long}, nil, [2]int32{50, 0}, nil, nil, 1},
		"10 feet off, the target has the long one": {nil, []func(*eventv1.Sheet){long}, [2]int32{50, 0}, nil, nil, 1},
		"a bare ally beside an armed target":       {[]func(*eventv1.Sheet){unarmed()}, []func(*eventv1.Sheet){defends(60)}, [2]int32{45, 0}, nil, nil, 2},
		"a bare ally beside a bare target":         {[]func(*eventv1.Sheet){unarmed()}, []func(*eventv1.Sheet){unarmed()}, [2]int32{45, 0}, nil, nil, 1},
		"a helpless ally":                          {nil, nil, [2]int32{45, 0}, laid("c", body.CondParalyzed), nil, 1},
		"a pinned ally":                            {nil, nil, [2]int32{45, 0}, laid("c", body.CondPinned), nil, 1},
		"a pinned target":                          {nil, nil, [2]int32{45, 0}, laid("b", body.CondPinned), nil, 1},
		"a helpless target":                        {nil, nil, [2]int32{45, 0}, laid("b", body.CondParalyzed), nil, 1},
		"a stunned ally beside a bare target":      {nil, []func(*eventv1.Sheet){unarmed()}, [2]int32{45, 0}, laid("c", body.CondStunned), nil, 1},
		"a stunned target, the ally armed":         {nil, nil, [2]int32{45, 0}, laid("b", body.CondStunned), nil, 2},
		"a bare ally, the target stunned":          {[]func(*eventv1.Sheet){unarmed()}, nil, [2]int32{45, 0}, laid("b", body.CondStunned), nil, 1},
		"a dead ally":                              {nil, nil, [2]int32{45, 0}, func(f *table) { f.Hurt("c", -40) }, nil, 1},
		"an ally three sizes smaller":              {[]func(*eventv1.Sheet){sized("fine")}, []func(*eventv1.Sheet){sized("small")}, [2]int32{45, 0}, nil, nil, 1},
		"an ally two sizes smaller":                {[]func(*eventv1.Sheet){sized("diminutive")}, []func(*eventv1.Sheet){sized("small")}, [2]int32{45, 0}, nil, nil, 2},
		"a part 10 feet from everyone":             {nil, nil, [2]int32{45, 0}, nil, []any{"part_feet", 10}, 1},
		"a part 9 feet off":                        {nil, nil, [2]int32{45, 0}, nil, []any{"part_feet", 9}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {40, 0}, c.at}, fighter("a", "party", bow), fighter("b", "foes", c.target...), fighter("c", "party", c.ally...))
			if c.do != nil {
				c.do(f)
			}
			f.Roller = func(int) int { return 2 }
			f.Must(act("a", "attack", "spit", "b", withFacts(c.facts...)))
			disadvantage := slices.ContainsFunc(f.Roll("to-hit").Edges, func(e *eventv1.Edge) bool { return e.Rule == cite.AttackIntoMelee })
			if disadvantage != (c.dice == 2) {
				t.Errorf("disadvantage %t, want %t: %v", disadvantage, c.dice == 2, f.Roll("to-hit").Edges)
			}
		})
	}
}

// celesia.attack.reckless-offense-natural-1: a natural 1 strikes one who is beside the target and
// threatens it, as stated, else as measured; never the target, who attacks, or the dead.
func TestWhomARecklessBlowStrikes(t *testing.T) {
	for name, c := range map[string]struct {
		side  string
		arms  []func(*eventv1.Sheet)
		at    [2]int32
		do    func(f *table)
		facts []any
		want  string
	}{
		"an ally beside the target":        {"party", nil, [2]int32{5, 5}, nil, nil, "c hit"},
		"a friend of the target":           {"foes", nil, [2]int32{5, 5}, nil, nil, "b miss"},
		"a third side":                     {"beasts", nil, [2]int32{5, 5}, nil, nil, "c hit"},
		"10 feet off":                      {"party", nil, [2]int32{5, 10}, nil, nil, "b miss"},
		"stunned":                          {"party", nil, [2]int32{5, 5}, laid("c", body.CondStunned), nil, "b miss"},
		"with bare hands":                  {"party", []func(*eventv1.Sheet){unarmed()}, [2]int32{5, 5}, nil, nil, "b miss"},
		"dead":                             {"party", nil, [2]int32{5, 5}, func(f *table) { f.Hurt("c", -40) }, nil, "b miss"},
		"dead, and stated":                 {"party", nil, [2]int32{5, 5}, func(f *table) { f.Hurt("c", -40) }, []any{"bystanders", []string{"c"}}, "b miss"},
		"stated, far off":                  {"party", nil, [2]int32{5, 40}, nil, []any{"bystanders", []string{"c"}}, "c hit"},
		"stated, a friend of the target":   {"foes", nil, [2]int32{5, 5}, nil, []any{"bystanders", []string{"c"}}, "c hit"},
		"said to be nobody":                {"party", nil, [2]int32{5, 5}, nil, []any{"bystanders", []string{}}, "b miss"},
		"said to be those who are not":     {"party", nil, [2]int32{5, 5}, nil, []any{"bystanders", []string{"a", "b"}}, "b miss"},
		"beside the attacker alone":        {"party", nil, [2]int32{-5, 0}, nil, nil, "b miss"},
		"beside with a weapon out of hand": {"party", []func(*eventv1.Sheet){section(func(s *eventv1.CelesiaSheet) { s.Weapons[0].Hand = "stowed" })}, [2]int32{5, 5}, nil, nil, "b miss"},
	} {
		t.Run(name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, c.at}, fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", c.side, c.arms...))
			if c.do != nil {
				c.do(f)
			}
			f.Roller = func(sides int) int { return 1 }
			f.Log = nil
			f.Must(act("a", "attack", "sword", "b", with(mending.OptionReckless), withFacts(c.facts...)))
			var last string
			for _, e := range f.Log {
				if a := e.GetAttack(); a != nil {
					last = a.Target + " " + a.Outcome
				}
			}
			if last != c.want {
				t.Errorf("%s, want %s", last, c.want)
			}
		})
	}
	t.Run("without a map", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "party")).set(15, 10, 5)
		f.Must(act("a", "attack", "sword", "b", with(mending.OptionReckless)), 1)
		f.wantStruck("b miss")
	})
}

// celesia.attack.cleave: of those beside the one who was hit, as measured, or those alone who are
// stated to be.
func TestWhomACleaveReaches(t *testing.T) {
	for name, c := range map[string]struct {
		facts []any
		want  []string
	}{
		"as measured":          {nil, []string{"c", "no"}},
		"stated":               {[]any{"beside", []string{"d"}}, []string{"d", "no"}},
		"both stated":          {[]any{"beside", []string{"c", "d"}}, []string{"c", "d", "no"}},
		"the ally stated":      {[]any{"beside", []string{"a", "c"}}, []string{"c", "no"}},
		"nobody":               {[]any{"beside", []string{}}, nil},
		"the one who was hit":  {[]any{"beside", []string{"b"}}, nil},
		"one who is not there": {[]any{"beside", []string{"c"}}, []string{"c", "no"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := row(t, attacks(5))
			f.Must(act("a", "attack", "w", "b", withFacts(c.facts...)), 15, 3)
			var got []string
			for _, d := range f.Decisions {
				for _, o := range d.Options {
					if o.Id != "otherwise" {
						got = append(got, o.Id)
					}
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("offered %v, want %v", got, c.want)
			}
		})
	}
}

// celesia.dice.adv-charging: the charger's advantage is of melee attacks, bull rushes and overruns
// at the one charged, and of nothing else.
func TestAdvantageOfACharge(t *testing.T) {
	sling := section(func(c *eventv1.CelesiaSheet) {
		c.Weapons = append(c.Weapons, &eventv1.CelesiaWeapon{Name: "spit", Kind: "natural-ranged", Dice: "1d4", RangeFeet: 30, Limb: "mouth"})
	})
	for name, c := range map[string]struct {
		cmd   *eventv1.Command
		label string
		want  bool
	}{
		"a blow":           {act("a", "attack", "sword", "b"), "to-hit", true},
		"a blow elsewhere": {act("a", "attack", "sword", "c"), "to-hit", false},
		"a shot":           {act("a", "attack", "spit", "b", withFacts("into_melee", false)), "to-hit", false},
		"a bull rush":      {act("a", "bull-rush", "", "b"), "bull-rush", true},
		"an overrun":       {act("a", "overrun", "", "b"), "overrun", true},
		"a trip":           {act("a", "trip", "", "b"), "trip", false},
	} {
		t.Run(name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", sling), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
			f.Afflict("a", body.CondCharging+"@b")
			f.Roller = func(int) int { return 2 }
			f.Must(c.cmd)
			for len(f.Decisions) > 0 {
				f.Choose("no")
			}
			rolls := f.Rolls(c.label)
			if len(rolls) == 0 {
				t.Fatal("nothing was rolled")
			}
			got := slices.ContainsFunc(rolls[0].Edges, func(e *eventv1.Edge) bool { return e.Rule == cite.DiceAdvCharging })
			if got != c.want {
				t.Errorf("advantage %t: %v", got, rolls[0].Edges)
			}
		})
	}
}

// celesia.dice.adv-target-flanked: flanked is one source, whether it is stated or a condition, or
// both; and what the caller states is told as stated.
func TestFlankedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		condition, stated bool
		want              int
	}{"neither": {false, false, 0}, "stated": {false, true, 1}, "a condition": {true, false, 1}, "both": {true, true, 1}} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes", unarmed()))
		if c.condition {
			f.Afflict("b", body.CondFlanked)
		}
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", "attack", "sword", "b", withFacts("flanked", c.stated)))
		n := 0
		for _, e := range f.Roll("to-hit").Edges {
			if e.Rule == cite.DiceAdvTargetFlanked {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d sources, want %d", name, n, c.want)
		}
	}
}

// celesia.dice.dis-grapple-invisible: only a grapple of one who is held already is hampered by not
// seeing it.
func TestGrapplingTheUnseen(t *testing.T) {
	for name, c := range map[string]struct {
		conditions []string
		action     string
		want       bool
	}{
		"a trip of one in a grapple":  {[]string{body.CondInvisible, body.CondGrappled + "@c"}, "trip", false},
		"a trip of one who is seen":   {[]string{body.CondGrappled + "@c"}, "trip", false},
		"a trip of one who is unseen": {[]string{body.CondInvisible}, "trip", false},
	} {
		f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {10, 0}}, fighter("a", "party"), fighter("b", "foes", unarmed()), fighter("c", "party"))
		f.Afflict("b", c.conditions...)
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", c.action, "", "b"))
		if got := slices.ContainsFunc(f.Rolls(c.action)[0].Edges, func(e *eventv1.Edge) bool { return e.Rule == cite.DiceDisGrappleInvisible }); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// celesia.action.feint-effect: made in one's own turn a feint lasts to the end of the next, made as a
// readied action to the end of the one that comes.
func TestHowLongAFeintLasts(t *testing.T) {
	a := fighter("a", "party", skilled("bluff", 30))
	own := duel(t, a, fighter("b", "foes", unarmed()))
	own.Must(act("a", "feint", "", "b"), 10)
	if n := body.Condition(own.Creature("b"), body.CondFeinted).GetUntil().GetTurns(); n != 2 {
		t.Errorf("in its turn: %d turns", n)
	}
	f := duel(t, fighter("a", "party", skilled("bluff", 30)), fighter("b", "foes", unarmed()))
	f.Must(ready("feint", "", "", "move"))
	f.Must(act("b", "move", "", "", way(5, 5)))
	f.Answer(body.DecReaction+"/a", "readied", 10)
	if x := body.Condition(f.Creature("b"), body.CondFeinted); x.GetUntil().GetTurns() != 1 {
		t.Errorf("as a reaction: %v", x)
	}
	f.End("b")
	f.Must(act("a", "attack", "sword", "b"), 2)
	if body.Has(f.Creature("b"), body.CondFeinted) {
		t.Error("it is not used up")
	}
}

// celesia.initiative.tie-modifier: who comes in late with the result of another goes by the total
// modifier; behind the one who acts it waits for the next round.
func TestPlaceOfALateComer(t *testing.T) {
	for name, c := range map[string]struct {
		bonus int32
		face  int
		want  []string
		waits bool
	}{
		"a lower result":                 {0, 3, []string{"a", "b", "n"}, false},
		"between":                        {0, 10, []string{"a", "n", "b"}, false},
		"the result of b, more":          {2, 3, []string{"a", "n", "b"}, false},
		"the result of b, the same":      {0, 5, []string{"a", "b", "n"}, false},
		"the result of b, less":          {-2, 7, []string{"a", "b", "n"}, false},
		"the result of a, more":          {2, 13, []string{"n", "a", "b"}, true},
		"a higher one":                   {0, 18, []string{"n", "a", "b"}, true},
		"the result of a, no more":       {0, 15, []string{"a", "n", "b"}, false},
		"one above b, with less":         {-4, 10, []string{"a", "n", "b"}, false},
		"one below b, with much more":    {3, 1, []string{"a", "b", "n"}, false},
		"a result below, one die better": {1, 3, []string{"a", "b", "n"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "foes")).start(nil, 15, 5)
			f.Must(comesIn(fighter("n", "foes", section(func(s *eventv1.CelesiaSheet) { s.InitiativeBonus = c.bonus })), 40, 40), c.face)
			if got := answers.Order(f.State); !slices.Equal(got, c.want) {
				t.Errorf("order %v, want %v", got, c.want)
			}
			f.ends("a")
			if next := f.State.Active[0]; (next == "n") != (!c.waits && c.want[1] == "n") {
				t.Errorf("%s is next", next)
			}
		})
	}
}

// celesia.action.complex-frame, celesia.turn.action-classes: only one of two or three acts in a row
// is begun with a part of them.
func TestWhatIsBegunWithAPart(t *testing.T) {
	long := spell(&eventv1.CelesiaSpell{Name: "long", Casting: "1-round", Dice: "1d6", CasterLevel: 1, RangeFeet: 30})
	for name, c := range map[string]struct {
		cmd  func(n int) *eventv1.Command
		n    int
		deny bool
	}{
		"two acts with one":  {func(n int) *eventv1.Command { return act("a", "total-defense", "", "", withParameters("commit", n)) }, 1, false},
		"two acts with none": {func(n int) *eventv1.Command { return act("a", "total-defense", "", "", withParameters("commit", n)) }, 0, true},
		"two acts with two":  {func(n int) *eventv1.Command { return act("a", "total-defense", "", "", withParameters("commit", n)) }, 2, true},
		"one act with one":   {func(n int) *eventv1.Command { return act("a", "attack", "sword", "b", withParameters("commit", n)) }, 1, true},
		"a 1-round spell":    {func(n int) *eventv1.Command { return act("a", "cast", "long", "b", withParameters("commit", n)) }, 1, true},
		"an unseen coup": {func(n int) *eventv1.Command {
			return act("a", "coup-unseen", "sword", "c", withParameters("commit", n))
		}, 1, true},
		"a readied two-act deed": {func(n int) *eventv1.Command { return ready("total-defense", "", "", "move", "commit", n) }, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := crowd(t, [][2]int32{{0, 0}, {5, 0}, {0, 5}}, fighter("a", "party", long), fighter("b", "foes", unarmed()), fighter("c", "foes", unarmed()))
			f.Afflict("c", body.CondParalyzed, body.CondInvisible)
			f.Roller = func(int) int { return 2 }
			err := f.Try(c.cmd(c.n))
			if !c.deny {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantField(t, err, "take.parameters.commit")
		})
	}
}

// celesia.turn.action-classes: something begun of which nothing is known any more ends when it is
// finished, and costs nothing.
func TestUnknownActionUnderWay(t *testing.T) {
	f := duel(t, fighter("a", "party"), fighter("b", "foes"))
	f.Resolve(func(r *rules.Resolution) error {
		r.Begin("a", &eventv1.Begun{Kind: body.BegunUnderway, Action: &eventv1.TakeAction{Creature: "a", Action: "no-such-action"}, Done: 1, Needed: 2, Counter: body.CActs})
		return nil
	})
	f.Must(act("a", "finish-action", "", ""))
	if rules.BegunOf(f.Creature("a"), body.BegunUnderway) != nil {
		t.Error("it is under way still")
	}
}

// celesia.injury.disabled-strain: of what takes no act only the strenuous costs a point, and of what
// takes acts nothing more.
func TestStrenuousActs(t *testing.T) {
	for name, c := range map[string]struct {
		cmd  *eventv1.Command
		want int32
	}{
		"a free action":            {act("a", "drop-prone", "", ""), 0},
		"a strenuous one":          {act("a", "drop-prone", "", "", withFacts("strenuous", true)), -1},
		"an act":                   {act("a", "move", "", "", way(-5, 0)), -1},
		"said not to be strenuous": {act("a", "drop-prone", "", "", withFacts("strenuous", false)), 0},
		"a quickened spell":        {act("a", "cast", "quick", "b"), -1},
		"a swift one, of one act":  {act("a", "cast", "swift", "b"), -1},
	} {
		t.Run(name, func(t *testing.T) {
			f := duel(t, fighter("a", "party", section(func(s *eventv1.CelesiaSheet) {
				s.Spells = []*eventv1.CelesiaSpell{{Name: "quick", Casting: "standard", Quickened: true, Dice: "1d4", RangeFeet: 30}, {Name: "swift", Casting: "swift", Dice: "1d4", RangeFeet: 30}}
			})), fighter("b", "foes", unarmed()))
			f.Hurt("a", 0)
			f.Roller = func(int) int { return 1 }
			f.Must(c.cmd)
			f.WantHP("a", c.want)
		})
	}
}

// celesia.attack.coup-total-concealment: a target that is not named is asked for, whatever is said of
// its concealment.
func TestCoupOfNobody(t *testing.T) {
	for _, action := range []string{"coup-de-grace", "coup-unseen"} {
		f := duel(t, fighter("a", "party"), fighter("b", "foes"))
		err := f.Try(act("a", action, "sword", "", withFacts("concealment", strike.ConcealedTotally)))
		if err == nil {
			t.Errorf("%s of nobody is done", action)
		}
		wantReason(t, f.Try(act("a", action, "sword", "b", withFacts("concealment", strike.ConcealedTotally))), "NOT_HELPLESS", cite.AttackCoupEligibility)
	}
}
