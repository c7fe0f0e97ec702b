package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rolledBy are the rules behind the roll of a label of the last command.
func (f *table) rolledBy(suffix string) []string {
	for _, e := range f.Events {
		if roll := e.GetRoll(); roll != nil && strings.HasSuffix(roll.Label, suffix) {
			return e.Rules
		}
	}
	return nil
}

// rcr.action.skill-free-knowledge, rcr.action.skill-action-exertion: a check for a purpose is made
// with a skill that the list gives it, and with one that there is.
func TestSkillsOfPurposes(t *testing.T) {
	for name, c := range map[string]struct {
		skill, use string
		field      string
	}{
		"one of the list":                {"nature", "knowledge", ""},
		"one of another list":            {"athletics", "knowledge", "take.item"},
		"any, where there is no list":    {"athletics", "exertion", ""},
		"none, where there is no list":   {"juggling", "exertion", "take.item"},
		"a sense, as part of a movement": {"perception", "movement", "take.item"},
	} {
		f := duel(t)
		err := f.Try(act("a", "check", c.skill, "", withParameters("use", c.use)), 10)
		if c.field == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.field != "" {
			wantField(t, err, c.field, "")
		}
	}
}

// rcr.action.skill-free-knowledge: it is questions asked of one's knowledge that are asked once; a
// question too long to be kept is refused, or it could be asked for ever.
func TestQuestionsOfOtherPurposes(t *testing.T) {
	f := duel(t)
	for range 2 {
		f.Count("a", body.CAction, 1)
		f.Must(act("a", "check", "deception", "", withParameters("use", "influence", "question", "will it rain")), 10)
	}
	for _, use := range []string{"knowledge", "influence"} {
		skill := map[string]string{"knowledge": "nature", "influence": "deception"}[use]
		f.Count("a", body.CAction, 1)
		wantField(t, f.Try(act("a", "check", skill, "", withParameters("use", use, "question", strings.Repeat("q", rules.MaxIDLength+1)))), "take.parameters.question", "at most")
	}
}

// rcr.condition.blinded-sight: a check as part of a movement that goes by sight is one of sight.
func TestSightOfMovement(t *testing.T) {
	for sense, rolled := range map[string]int{"": 1, "hearing": 1, "sight": 0} {
		f := duel(t)
		f.Afflict("a", body.CondBlinded)
		pairs, faces := []any{"use", "movement", "dc", 10}, []int{10, 10}[:rolled]
		if sense != "" {
			pairs = append(pairs, "sense", sense)
		}
		f.Must(act("a", "check", "acrobatics", "", withParameters(pairs...)), faces...)
		if got := len(f.Rolls("acrobatics")); got != rolled {
			t.Errorf("by %q: %d rolls, want %d", sense, got, rolled)
		}
	}
}

// rcr.action.skill-action-hide: hiding costs what the table says, the bonus action by a trait for
// it, and nothing else.
func TestWhatHidingCosts(t *testing.T) {
	cunning := trait("cunning action")
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		cost   string
		spent  string // empty for refused
	}{
		"as usual":                      {trait(), "", body.CAction},
		"as usual, said":                {trait(), body.CAction, body.CAction},
		"as usual, said by the cunning": {cunning, body.CAction, body.CAction},
		"the bonus action":              {trait(), body.CBonus, ""},
		"the bonus action by a trait":   {cunning, body.CBonus, body.CBonus},
		"nothing":                       {trait(), "free", ""},
		"nothing, by the cunning":       {cunning, "free", ""},
	} {
		f := newTable(t).add(fighter("a", "party", c.change), fighter("b", "monsters")).start(nil, 20, 5)
		cmd := act("a", "hide", "", "")
		if c.cost != "" {
			cmd = act("a", "hide", "", "", withParameters("cost", c.cost))
		}
		if c.spent == "" {
			wantField(t, f.Try(cmd), "take.parameters.cost", "")
			continue
		}
		f.Must(cmd, 10)
		for _, counter := range []string{body.CAction, body.CBonus} {
			if left := f.Creature("a").Counters[counter]; (left == 0) != (counter == c.spent) {
				t.Errorf("%s: %d of %s left", name, left, counter)
			}
		}
	}
}

// rcr.action.skill-action-hide, rcr.injury.row1-shock: without a roll, advantage on the checks is 5
// more and disadvantage 5 less, whatever goes against the total of whoever hides.
func TestPassiveScoresOfSeekers(t *testing.T) {
	for name, c := range map[string]struct {
		changes map[string]int32
		own, dc int32
	}{
		"plain":                    {nil, 0, 12},
		"by the sheet":             {nil, 17, 17},
		"advantage":                {map[string]int32{body.ChAdvantage + "check.wisdom": 1}, 0, 17},
		"advantage, by the sheet":  {map[string]int32{body.ChAdvantage + "check": 1}, 13, 18},
		"disadvantage":             {map[string]int32{body.ChDisadvantage + "check": 1}, 0, 7},
		"advantage on other kinds": {map[string]int32{body.ChAdvantage + "check.strength": 1}, 0, 12},
	} {
		for _, over := range []int32{-1, 0} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", skilled("perception", 2), rcrSheet(func(s *eventv1.RcrSheet) { s.PassivePerception = c.own }))).start(nil, 20, 5)
			f.boon("b", "omen", c.changes)
			f.Must(act("a", "hide", "", ""), int(c.dc+over))
			if got := body.Has(f.Creature("a"), body.CondHidden); got != (over == 0) {
				t.Errorf("%s, %d: hidden %v", name, c.dc+over, got)
			}
		}
	}
}

// rcr.condition.grappled-somatic: what a grappled caster must reach is the passive Athletics of the
// holder, which its passive Perception is not, or the escape DC; a hold of nobody's has its own
// alone.
func TestWhatHoldsACaster(t *testing.T) {
	keen := rcrSheet(func(s *eventv1.RcrSheet) { s.PassivePerception = 25 })
	for name, c := range map[string]struct {
		hold *eventv1.Condition
		b    func(*eventv1.Sheet)
		dc   int32
	}{
		"a keen holder":          {&eventv1.Condition{Name: body.CondGrappled, Source: "b"}, keen, 11},
		"a strong holder":        {&eventv1.Condition{Name: body.CondGrappled, Source: "b"}, skilled("athletics", 9), 19},
		"nobody's":               {&eventv1.Condition{Name: body.CondGrappled}, keen, 0},
		"nobody's with a number": {&eventv1.Condition{Name: body.CondGrappled, Values: map[string]int32{"escape_dc": 14}}, keen, 14},
		"no hold":                {&eventv1.Condition{Name: body.CondRestrained, Source: "b"}, keen, 0},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", c.b)).start(nil, 20, 5)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{c.hold}})
		if got := checks.GrappleCastingDC(f.State, f.Creature("a")); got != c.dc {
			t.Errorf("%s: %d, want %d", name, got, c.dc)
		}
	}
}

// rcr.feat.legerdemain-tools-bonus-action: a check with thieves' tools that takes the action takes
// the bonus action, as long as that is there; one that takes it anyway is none of the feat's.
func TestLegerdemainCosts(t *testing.T) {
	const byFeat = cite.FeatLegerdemainToolsBonusAction
	tools := rcrSheet(func(s *eventv1.RcrSheet) { s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Bonus: 4}} })
	for name, c := range map[string]struct {
		setting, skill, use string
		bonus               bool
		spent, rule         string
	}{
		"exertion":                      {"", "thieves' tools", "exertion", true, body.CBonus, byFeat},
		"exertion, the bonus gone":      {"", "thieves' tools", "exertion", false, body.CAction, cite.BaseFifthEditionFallback},
		"exertion of another kind":      {"", "athletics", "exertion", true, body.CAction, cite.BaseFifthEditionFallback},
		"the variant's own bonus":       {cite.ActionSkillDefaultBonus, "thieves' tools", "other", true, body.CBonus, cite.ActionSkillDefaultBonus},
		"exertion, played with a list":  {cite.ActionSkillActionExertion, "thieves' tools", "exertion", true, body.CBonus, byFeat},
		"another kind, played by lists": {cite.ActionSkillActionExertion, "athletics", "exertion", true, body.CAction, cite.ActionSkillActionExertion},
	} {
		var settings []string
		if c.setting != "" {
			settings = append(settings, c.setting+"=on")
		}
		f := newTable(t, settings...).add(fighter("a", "party", tools, feat(body.FeatLegerdemain)), fighter("b", "monsters")).start(nil, 20, 5)
		if !c.bonus {
			f.Count("a", body.CBonus, 0)
		}
		before := f.Creature("a").Counters[c.spent]
		f.Must(act("a", "check", c.skill, "", withParameters("use", c.use)), 10)
		if left := f.Creature("a").Counters[c.spent]; left != before-1 || !slices.Contains(f.rolledBy("check/"+c.skill), c.rule) {
			t.Errorf("%s: %d of %s left, by %v", name, left, c.spent, f.rolledBy("check/"+c.skill))
		}
	}
}

// rcr.base.fifth-edition-fallback: a cost by the game master's word is refused by no rule about
// the purpose, but by what an action is.
func TestStatedCostsAreRefused(t *testing.T) {
	for setting, rule := range map[string]string{cite.ActionSkillActionTrack + "=on": cite.ActionSkillActionTrack, cite.ActionSkillActionTrack + "=off": cite.BaseFifthEditionFallback} {
		f := duel(t, setting)
		f.Count("a", body.CAction, 0)
		wantRefused(t, f.Try(act("a", "check", "survival", "", withParameters("use", "track"))), rule)
		wantRefused(t, f.Try(act("a", "check", "survival", "", withParameters("use", "track"), withFacts("cost", "action"))), cite.BaseFifthEditionFallback)
	}
}

// rcr.dice.pairwise-cancel, rcr.condition.restrained-dexterity: whoever resists takes the skill that
// promises more: the one rolled with the better dice, of two alike the one with the better bonus.
func TestTheBetterOfTwoSkills(t *testing.T) {
	for name, c := range map[string]struct {
		acrobatics, athletics int32
		restrained            bool
		skill                 string
	}{
		"the better bonus":               {8, 0, false, "acrobatics"},
		"the other":                      {0, 8, false, "athletics"},
		"two alike":                      {4, 4, false, "athletics"},
		"the better bonus, hampered":     {8, 0, true, "athletics"},
		"the lower bonus, hampered":      {0, 8, true, "athletics"},
		"the better bonus, as alike can": {5, 4, false, "acrobatics"},
	} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", skilled("acrobatics", c.acrobatics), skilled("athletics", c.athletics))).start(nil, 20, 5)
		if c.restrained {
			f.Afflict("b", body.CondRestrained)
		}
		f.Must(act("a", "grapple", "", "b"), 10, 10)
		if got := f.Roll("/b").Reason; got != c.skill+" check" {
			t.Errorf("%s: %s, want %s", name, got, c.skill)
		}
	}
}

// rcr.opportunity.object-interaction, rcr.setting.draw-provokes: what lies about is picked up, which
// provokes whether drawing does or not.
func TestPickingUpProvokes(t *testing.T) {
	for _, setting := range []string{"on", "off"} {
		for _, dropped := range []bool{true, false} {
			f := newTable(t, body.SetDrawProvokes+"="+setting)
			f.place(fighter("a", "party", armed), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.start(nil, 20, 5)
			if dropped {
				f.Must(act("a", "drop", "sword", ""))
				f.Must(act("a", "draw", "sword", ""))
			} else {
				f.Must(act("a", "drop", "sword", ""))
				f.Must(act("a", "draw", "longsword", ""))
			}
			if asked := len(f.Decisions) > 0; asked != (dropped || setting == "on") {
				t.Errorf("drawing provokes %s, dropped %v: asked %v", setting, dropped, asked)
			}
		}
	}
}

// rcr.base.fifth-edition-fallback: a weapon of two hands needs both, also of whoever holds somebody
// with one; what is not in hand is not put away.
func TestHandsForTwo(t *testing.T) {
	for _, holds := range []bool{true, false} {
		for item, free := range map[string]bool{"maul": !holds, "longsword": true} {
			f := newTable(t)
			f.place(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = nil }), armed), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.start(nil, 20, 5)
			f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"dagger": {Place: "stowed"}, "crossbow": {Place: "stowed"}, "quick crossbow": {Place: "stowed"}}})
			wantReasonOf(t, "stowed "+item, f.Peek(act("a", "stow", item, "")), "NOT_IN_HAND")
			if holds {
				f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondGrappled, Source: "a", Cause: "grapple"}}})
			}
			want := "NO_FREE_HAND"
			if free {
				want = ""
			}
			wantReasonOf(t, item, f.Peek(act("a", "draw", item, "")), want)
		}
	}
}

// rcr.feat.dual-wielder-stow: the second of two weapons goes with the first where both are of one
// hand; another takes the action.
func TestStowingTheSecond(t *testing.T) {
	for second, free := range map[string]bool{"axe": true, "bastard sword": false} {
		for _, feats := range [][]*eventv1.RcrFeat{{{Name: body.FeatDualWielder}}, nil} {
			f := newTable(t).add(fighter("a", "party", chosen(feats...), weapons(weapon("sword", "main", "slashing", "one-handed"),
				weapon("axe", "off", "slashing", "one-handed"), weapon("bastard sword", "off", "slashing", "versatile"))), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "stow", "sword", ""))
			f.Must(act("a", "stow", second, ""))
			want := int64(0)
			if free && feats != nil {
				want = 1
			}
			if got := f.Creature("a").Counters[body.CAction]; got != want {
				t.Errorf("%s, %d feats: %d actions left, want %d", second, len(feats), got, want)
			}
		}
	}
}

// rcr.base.fifth-edition-fallback: whoever hides is elsewhere as soon as it has moved from where it
// was seen last, whichever way.
func TestElsewhere(t *testing.T) {
	for place, moved := range map[[3]int32]bool{{10, 10, 10}: false, {15, 10, 10}: true, {10, 15, 10}: true, {10, 10, 15}: true, {15, 15, 15}: true} {
		c := &eventv1.Creature{Position: &eventv1.Position{X: place[0], Y: place[1], Z: place[2]}, Conditions: []*eventv1.Condition{{Name: body.CondHidden}},
			Begun: []*eventv1.Begun{{Kind: body.BegunHiding, Values: map[string]int32{"x": 10, "y": 10, "z": 10}}}}
		if checks.Elsewhere(c) != moved {
			t.Errorf("at %v: elsewhere %v", place, !moved)
		}
		c.Conditions = nil
		if checks.Elsewhere(c) {
			t.Errorf("at %v, in sight: elsewhere", place)
		}
	}
}

// rcr.feat.tavern-brawler-property: what is no weapon has its property as long as it is held; out of
// the hand it loses it, put away or fallen.
func TestPropertiesLastAsLongAsHeld(t *testing.T) {
	bench := &eventv1.RcrAttack{Name: "bench", Hand: "main", ReachFeet: 5, Properties: []string{body.PropImprovised}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "bludgeoning"}}}
	reach := func(f *table) int32 { return checks.AttackOf(f.Creature("a"), "bench").ReachFeet }
	for name, let := range map[string]func(f *table){
		"stowed": func(f *table) { f.Must(act("a", "stow", "bench", "")) },
		"fallen with its holder": func(f *table) {
			f.Hurt("a", 0)
			f.wantPlace("a", "bench", "dropped")
			f.Hurt("a", 10)
		},
		"taken by the game master's word": func(f *table) {
			f.Put("a", &eventv1.Vitals{Items: map[string]*eventv1.ItemState{"bench": {Place: "dropped"}}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", feat(body.FeatTavernBrawler), weapons(bench))).start(nil, 20)
			f.Roller = func(int) int { return 10 }
			f.Must(act("a", "improvise", "bench", "", withParameters("property", "reach")))
			if reach(f) != 10 {
				t.Fatal(reach(f))
			}
			let(f)
			f.Count("a", body.CInteraction, 1, body.CAction, 1)
			f.Must(act("a", "draw", "bench", ""))
			if a := checks.AttackOf(f.Creature("a"), "bench"); reach(f) != 5 || !slices.Equal(a.Properties, []string{body.PropImprovised}) || f.Creature("a").Marks[body.MImprovised+"bench"] != "" {
				t.Errorf("it has %v and %d feet still", a.Properties, reach(f))
			}
			f.Must(act("a", "improvise", "bench", "", withParameters("property", "trip")))
			wantReasonOf(t, "a second", f.Peek(act("a", "improvise", "bench", "", withParameters("property", "reach"))), "HAS_PROPERTY")
		})
	}
}

// rcr.opportunity.object-interaction: what is drawn is a thing that is there; a weapon that the game
// master wrote on the sheet since is nowhere yet, and what grows on a body is no thing.
func TestWhatIsDrawn(t *testing.T) {
	f := duel(t)
	sheet := fighter("a", "party")
	sheet.GetRcr().Attacks = append(sheet.GetRcr().Attacks, weapon("axe", "off", "slashing", "one-handed"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: sheet}}})
	for _, item := range []string{"axe", "bow", body.UnarmedStrike} {
		_, there := f.Creature("a").Items[item]
		for _, action := range []string{"draw", "stow", "drop"} {
			if err := f.Peek(act("a", action, item, "")); !there {
				wantField(t, err, "take.item", item)
			}
		}
		if there {
			t.Errorf("%s is a thing", item)
		}
	}
}
