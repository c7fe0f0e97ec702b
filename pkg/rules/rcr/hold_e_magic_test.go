package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: what a power takes of a turn is listed: the action, or nothing where
// it is free or a part of the multiattack begun.
func TestWhatPowersTakeOfATurn(t *testing.T) {
	roars := rcrSheet(func(s *eventv1.RcrSheet) {
		roar := func(name, cost string) *eventv1.RcrPower {
			return &eventv1.RcrPower{Name: name, Cost: cost, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 10}, Effects: []*eventv1.RcrEffect{{Condition: body.CondFrightened}}, RangeFeet: 60, Targets: 1}
		}
		s.Powers = []*eventv1.RcrPower{roar("roar", "action"), roar("howl", "free"), roar("growl", "bonus"), roar("bark", "")}
		s.Multiattack = []*eventv1.RcrMultiattack{{Name: "fury", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 1}, {Name: "roar", Count: 1}}}}
	})
	for begun, want := range map[bool]map[string]string{false: {"roar": body.CAction, "howl": "", "growl": body.CBonus, "bark": body.CAction}, true: {"roar": "", "howl": "", "growl": body.CBonus}} {
		f := newTable(t).add(fighter("a", "party", roars), fighter("b", "monsters")).start(nil, 20, 5)
		if begun {
			f.Must(act("a", "attack", "sword", "b"), 2)
			f.wantCount("a", body.CMulti+"roar", 1)
		}
		for name, counter := range want {
			o := offered(f.State, "a", "use-power", name)
			if !o.GetLegal() || len(o.Costs) != map[bool]int{true: 1}[counter != ""] || counter != "" && o.Costs[counter] != 1 {
				t.Errorf("begun %v, %s: %v", begun, name, o)
			}
		}
	}
}

// rcr.dice.inspiration-fudge, rcr.setting.fudge-any-roll: a die of inspiration makes a hit of a miss, but
// hits nobody who is elsewhere; it is not offered on a hit.
func TestInspirationOnAttacks(t *testing.T) {
	for name, c := range map[string]struct {
		face    int
		moved   bool
		asked   bool
		outcome string
	}{"a miss": {8, false, true, "hit"}, "a hit": {10, false, false, "hit"}, "at one who is elsewhere": {8, true, true, "miss"}} {
		f := newTable(t, body.SetFudgeAnyRoll+"=on")
		f.AddAt(0, 0, fighter("a", "party", inspired))
		f.AddAt(20, 0, fighter("b", "monsters"))
		f.start(nil, 20, 5)
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondHidden}}})
		f.Resolve(func(r *resolution) error {
			for _, b := range r.Creature("b").Begun {
				r.EndBegun("b", b.Kind, "test")
			}
			r.Begin("b", &eventv1.Begun{Kind: body.BegunHiding, Values: map[string]int32{"x": 20, "y": 0, "z": 0}})
			return nil
		})
		if c.moved {
			f.Place("b", 20, 20)
		}
		f.Must(act("a", "attack", "bow", "b"), []int{c.face, c.face, 4}[:3-map[bool]int{true: 1}[c.asked]]...) // it is not seen: disadvantage
		if len(f.Decisions) > 0 != c.asked {
			t.Fatalf("%s: asked %v", name, f.Decisions)
		}
		if c.asked {
			f.Answer("inspiration-fudge", "yes", []int{4, 4}[:1+map[bool]int{true: 1}[c.outcome == "hit"]]...)
		}
		if got := f.Attack().Outcome; got != c.outcome {
			t.Errorf("%s: %s, want %s", name, got, c.outcome)
		}
	}
}

// rcr.base.fifth-edition-fallback: a power that turns a hit aside is offered as long as there is a use
// of it.
func TestSpentParries(t *testing.T) {
	for left, asked := range map[int]bool{1: true, 0: false} {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "ward", Cost: "reaction", Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "day"},
				Effects: []*eventv1.RcrEffect{{Condition: "parrying", Once: true, Changes: map[string]int32{"armor-class": 2}}}}}
		}))).start(nil, 20, 5)
		f.Count("b", body.CLeft+"ward", left)
		f.Must(act("a", "attack", "sword", "b"), []int{12, 4}[:2-left]...)
		if got := len(f.Decisions) > 0; got != asked {
			t.Errorf("%d left: asked %v", left, got)
		}
	}
}

// rcr.feat.defensive-duelist-parry, rcr.feat.defensive-duelist-double: a duelist parries with a finesse
// weapon that it is trained in, of what is no weapon as a tavern brawler alone; twice in a turn with
// two weapons or several attacks, and not once it is out of action.
func TestWhatDuelistsParry(t *testing.T) {
	rapier := weapon("rapier", "main", "piercing", "finesse", "one-handed")
	poker := weapon("poker", "main", "piercing", "finesse", body.PropImprovised)
	untrained := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Training = append(s.Training, &eventv1.RcrTraining{Name: "rapier", Rank: body.RankUntrained})
	})
	for name, c := range map[string]struct {
		change  []func(*eventv1.Sheet)
		between func(f *table)
		parries int
	}{
		"a rapier":                        {[]func(*eventv1.Sheet){weapons(rapier)}, nil, 1},
		"a rapier that it has not learnt": {[]func(*eventv1.Sheet){weapons(rapier), untrained}, nil, 0},
		"the same of a tavern brawler":    {[]func(*eventv1.Sheet){weapons(rapier), untrained, feat(body.FeatTavernBrawler)}, nil, 0},
		"a poker":                         {[]func(*eventv1.Sheet){weapons(poker)}, nil, 0},
		"a poker of a tavern brawler":     {[]func(*eventv1.Sheet){weapons(poker), feat(body.FeatTavernBrawler)}, nil, 1},
		"a rapier and another weapon":     {[]func(*eventv1.Sheet){weapons(rapier, weapon("dagger", "off", "piercing", "light"))}, nil, 2},
		"a rapier, several attacks":       {[]func(*eventv1.Sheet){weapons(rapier), rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 })}, nil, 2},
		"a rapier, stunned after the first": {[]func(*eventv1.Sheet){weapons(rapier), rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 2 })},
			func(f *table) { f.Afflict("a", body.CondIncapacitated) }, 1},
	} {
		f := newTable(t).add(fighter("a", "party", append([]func(*eventv1.Sheet){feat(body.FeatDefensiveDuelist), ability("dexterity", 13)}, c.change...)...),
			fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 3 }))).start(nil, 5, 20)
		n := 0
		f.Roller = func(sides int) int { return min(sides, 12) }
		for range 3 {
			f.Must(act("b", "attack", "sword", "a"))
			if len(f.Decisions) > 0 {
				f.Answer(strike.DecDefend, "parry")
				n++
			}
			if c.between != nil {
				c.between(f)
			}
		}
		if n != c.parries {
			t.Errorf("%s: parried %d times, want %d", name, n, c.parries)
		}
	}
}

// rcr.feat.martial-adept-dc: the manoeuvres of a martial adept go by its weapon DC, other powers, and
// those that say a difficulty, by what they say.
func TestDifficultiesOfPowers(t *testing.T) {
	adept := chosen(&eventv1.RcrFeat{Name: body.FeatMartialAdept, Ability: "strength", Picks: []string{"trip attack", "menacing attack"}})
	strong := ability("strength", 16)
	for name, c := range map[string]struct {
		change func(*eventv1.Sheet)
		p      *eventv1.RcrPower
		dc     int32
		rule   string
	}{
		"a manoeuvre":            {adept, &eventv1.RcrPower{Name: "trip attack", Save: &eventv1.RcrSave{Ability: "strength"}}, 14, cite.FeatMartialAdeptDc},
		"another power":          {adept, &eventv1.RcrPower{Name: "roar", Save: &eventv1.RcrSave{Ability: "strength"}}, 0, ""},
		"one with a difficulty":  {adept, &eventv1.RcrPower{Name: "trip attack", Save: &eventv1.RcrSave{Ability: "strength", Dc: 11}}, 11, ""},
		"of one who is no adept": {trait(), &eventv1.RcrPower{Name: "trip attack", Save: &eventv1.RcrSave{Ability: "strength"}}, 0, ""},
	} {
		sheet := fighter("a", "party", strong)
		c.change(sheet)
		dc, rule := magic.PowerDC(&eventv1.State{}, creatureOf(sheet, 0, 0), c.p)
		if dc != c.dc || rule != c.rule {
			t.Errorf("%s: %d by %q, want %d by %q", name, dc, rule, c.dc, c.rule)
		}
	}
}

// rcr.rest.short-rest-wounds: a player is asked for hit dice as long as one serves: for hit points, or
// where no kit is at hand for wounds.
func TestWhenAHitDieServes(t *testing.T) {
	for name, c := range map[string]struct {
		hp     int32
		wounds int
		kit    bool
		asked  bool
	}{
		"hurt":                         {39, 0, false, true},
		"whole":                        {40, 0, false, false},
		"whole and wounded":            {40, 2, false, true},
		"whole and wounded, by a kit":  {40, 2, true, false},
		"hurt and wounded, by a kit":   {39, 2, true, true},
		"whole and unhurt, with a kit": {40, 0, true, false},
	} {
		f := medTable(t, bodied("a", 30, 40, dicePool(5, 8, 0)), c.hp, c.wounds)
		if err := f.TryTend(patientDeed("short-rest", "", []string{"a"}, "", "kit_available", c.kit)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		asked := slices.ContainsFunc(f.Decisions, func(d *eventv1.Decision) bool { return d.Name == body.DecHitDie })
		if asked != c.asked {
			t.Errorf("%s: asked %v", name, asked)
		}
	}
	f := medTable(t, bodied("a", 30, 40, dicePool(5, 8, 0)), 10, 0)
	wantReasonOf(t, "a hundred dice", f.TryTend(patientDeed("short-rest", "", []string{"a"}, "", "dice", 100)), "NO_HIT_DICE")
}

// rcr.underwater.suffocating-no-stabilize, rcr.base.fifth-edition-fallback: who is stable wakes after its
// hours, unless it has no air.
func TestTheStableWakeInAir(t *testing.T) {
	for _, airless := range []bool{false, true} {
		f := medTable(t, bodied("a", 30, 40), 5, 0)
		f.deed(hit("a", 5))
		f.deed(&eventv1.Harm{Deed: body.DeedStabilise, Target: "a", Cause: "test"})
		if airless {
			f.Afflict("a", body.CondSuffocating)
		}
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		f.Roller = func(int) int { return 1 }
		f.tend(patientDeed("pass-time", "", []string{"a"}, "", "hours", 2))
		want := map[bool]eventv1.LifeStatus{true: eventv1.LifeStatus_LIFE_STATUS_STABLE, false: eventv1.LifeStatus_LIFE_STATUS_ALIVE}[airless]
		f.WantLife("a", want)
	}
}

// rcr.base.fifth-edition-fallback: a reaction to a hit that cannot be done as it was answered, as a
// teleportation to nowhere said, turns nothing aside and costs nothing.
func TestReactionsThatCannotBe(t *testing.T) {
	for feet, turned := range map[int32]bool{0: true, 30: false} {
		f := newTable(t)
		f.AddAt(0, 0, fighter("a", "party"))
		f.AddAt(5, 0, fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "blink", Cost: "reaction", TeleportFeet: feet,
				Effects: []*eventv1.RcrEffect{{Condition: "parrying", Once: true, Changes: map[string]int32{"armor-class": 5}}}}}
		})))
		f.start(nil, 20, 5)
		f.Must(act("a", "attack", "sword", "b"), 12)
		f.Answer(strike.DecDefend, "react/blink", []int{4}[:map[bool]int{false: 1}[turned]]...)
		if got := f.Attack().Outcome; (got == "miss") != turned {
			t.Errorf("%d feet: %s", feet, got)
		}
		f.wantCount("b", body.CReaction, map[bool]int64{false: 1}[turned])
	}
}
