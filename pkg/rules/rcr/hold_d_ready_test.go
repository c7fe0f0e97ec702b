package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: what was readied is listed with the words that it takes,
// its cost and its multiattack apart: those are settled already.
func TestWordsOfWhatWasReadied(t *testing.T) {
	for name, c := range map[string]struct {
		what, item string
		has        []string
		not        []string
	}{
		"an attack":    {"attack", "sword", []string{"knock_out"}, []string{"multiattack", "effect", "object", "cost"}},
		"a shove":      {"shove", "", []string{"effect"}, []string{"object", "multiattack", "cost"}},
		"an object":    {"use-object", "", []string{"object"}, []string{"effect", "cost"}},
		"a dash":       {"dash", "", nil, []string{"effect", "object", "cost"}},
		"to disengage": {"disengage", "", nil, []string{"effect", "object", "cost"}},
		"hiding":       {"hide", "", nil, []string{"effect", "object", "cost"}},
	} {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.Multiattack = []*eventv1.RcrMultiattack{{Name: "all", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 2}}}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		if err := f.Try(act("a", "ready", c.item, "", readying(c.what))); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f.End("a", 20)
		var o *eventv1.Option
		for _, x := range (System{}).Options(queryOf(f, "a")) {
			if x.Action == "use-ready" {
				o = x
			}
		}
		if !o.GetLegal() {
			t.Errorf("%s: listed %v", name, o)
		}
		for _, word := range c.has {
			if valuesOf(o, word) == nil {
				t.Errorf("%s: without %s", name, word)
			}
		}
		for _, word := range c.not {
			if valuesOf(o, word) != nil {
				t.Errorf("%s: with %s", name, word)
			}
		}
	}
}

// rcr.base.fifth-edition-fallback: what was readied with a thing that the sheet has no more
// cannot be done; while it is there, it can.
func TestReadiedWithWhatIsGone(t *testing.T) {
	wand := func(s *eventv1.RcrSheet) {
		s.Items = []*eventv1.RcrItem{{Name: "potion", Charges: 2, Activation: "action", Rarity: "common", Healing: "2"}}
	}
	for name, c := range map[string]struct {
		change func(*eventv1.RcrSheet)
		reason string
	}{"there": {wand, ""}, "gone": {func(*eventv1.RcrSheet) {}, "NOT_READY"}} {
		f := newTable(t).add(fighter("a", "party", rcrSheet(wand)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Hurt("a", 10)
		f.Must(act("a", "ready", "potion", "", readying("use-item")))
		f.End("a", 20)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Sheet: fighter("a", "party", rcrSheet(c.change))}}})
		f.falls(10)
		wantReasonOf(t, name, f.Try(act("a", "use-ready", "", "")), c.reason)
	}
}

// rcr.base.fifth-edition-fallback: with a spell that was readied goes the concentration that
// holds it, and no other.
func TestWhatAReadiedSpellTakesWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		other bool
		want  string
	}{"its own": {false, ""}, "another": {true, "bless"}} {
		f := casters(t)
		f.Must(act("a", "ready", "ball", "", readying("cast")))
		if c.other { // by the game master's word
			f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondConcentrating}}}})
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Id: body.CondConcentrating, Name: body.CondConcentrating, Variant: "bless"}}})
		}
		if what, _ := dice.Readied(f.Creature("a")); what != dice.ReadyCast {
			t.Fatalf("%s: %q is readied", name, what)
		}
		f.End("a", 20)
		f.End("b", 1)
		f.End("z", 1)
		f.WantActive("a")
		if got := body.Concentration(f.Creature("a")); got != c.want || rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil {
			t.Errorf("%s: concentration on %q, want %q", name, got, c.want)
		}
	}
}

// rcr.opportunity.enter-and-leave: what is done as a reaction counts by itself: whose reach
// the turn's own movement began in, or entered, is as it was afterwards.
func TestMovesBesideTheTurn(t *testing.T) {
	build := func(t *testing.T, x int32) *table {
		f := newTable(t)
		f.place(fighter("a", "party"), x, 0)
		f.place(fighter("b", "monsters"), 20, 5)
		return f.start(nil, 20, 5)
	}
	t.Run("a reach entered before", func(t *testing.T) {
		f := build(t, 0)
		f.Must(act("a", "move", "", "", along(15, 0)))
		f.Must(act("a", "ready", "", "", readying("move")))
		f.Must(act("a", "use-ready", "", "", along(20, 0)))
		f.wantAsked()
		if rules.RelationTo(f.Creature("a"), body.RelEntered, "b") == nil {
			t.Errorf("%v", f.Creature("a").Relations)
		}
		f.Must(act("a", "move", "", "", along(30, 0)))
		f.wantAsked("b")
		f.Answer(body.DecOpportunity, "no")
	})
	t.Run("a reach begun in", func(t *testing.T) {
		f := build(t, 15)
		f.Must(act("a", "move", "", "", along(20, 0)))
		if rules.RelationTo(f.Creature("a"), body.RelStarted, "b") == nil {
			t.Fatalf("%v", f.Creature("a").Relations)
		}
		f.Afflict("b", body.CondProne)
		f.Must(act("a", "ready", "", "", readying("move")))
		f.Must(act("a", "use-ready", "", "", along(25, 0)))
		if rules.RelationTo(f.Creature("a"), body.RelStarted, "b") == nil || rules.RelationTo(f.Creature("a"), body.RelEntered, "b") != nil {
			t.Errorf("%v", f.Creature("a").Relations)
		}
		f.Must(act("a", "move", "", "", along(35, 0)))
		f.wantAsked()
	})
	t.Run("other ties stay as they are", func(t *testing.T) {
		f := build(t, 0)
		f.Afflict("b", "grappled@a")
		f.Place("b", 5, 0)
		before := len(f.Creature("a").Relations)
		f.Must(act("a", "ready", "", "", readying("move")))
		f.Must(act("a", "use-ready", "", "", along(-5, 0), withParameters("drag", []string{"b"})))
		if got := len(f.Creature("a").Relations); got != before {
			t.Errorf("%d ties, were %d: %v", got, before, f.Creature("a").Relations)
		}
	})
}

// rcr.base.fifth-edition-fallback: a power that was readied is a deed of the reaction: no
// multiattack that it is part of begins for the rest of the turn.
func TestReadiedPartsOfAMultiattack(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "gaze", Cost: "action", Healing: "1"}}
		s.Multiattack = []*eventv1.RcrMultiattack{{Name: "all", Parts: []*eventv1.RcrMultiattackPart{{Name: "sword", Count: 1}, {Name: "gaze", Count: 2}}}}
	})), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "ready", "gaze", "", readying("use-power")))
	f.Must(act("a", "use-ready", "", ""))
	f.wantCount("a", body.CReaction, 0)
	f.wantCount("a", body.CAction, 0)
	for name, n := range f.Creature("a").Counters {
		if len(name) > len(body.CMulti) && name[:len(body.CMulti)] == body.CMulti && n != 0 {
			t.Errorf("%s is %d", name, n)
		}
	}
	wantReasonOf(t, "a blow of it", f.Try(act("a", "attack", "sword", "b")), "NO_ACTION")
	wantReasonOf(t, "more of it", f.Try(act("a", "use-power", "gaze", "")), "NO_ACTION")
}
