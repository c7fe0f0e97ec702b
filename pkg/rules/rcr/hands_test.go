package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// armed gives a creature weapons of every sort.
func armed(s *eventv1.Sheet) {
	s.GetRcr().Attacks = append(s.GetRcr().Attacks,
		&eventv1.RcrAttack{Name: "dagger", ReachFeet: 5, Properties: []string{"one-handed", "light"}, Hand: "off"},
		&eventv1.RcrAttack{Name: "maul", ReachFeet: 5, Properties: []string{"two-handed"}, Hand: "stowed"},
		&eventv1.RcrAttack{Name: "longsword", ReachFeet: 5, Properties: []string{"versatile"}, Hand: "stowed"},
		&eventv1.RcrAttack{Name: "crossbow", RangeFeet: 80, Properties: []string{"reload", "one-handed"}, Hand: "off"},
		&eventv1.RcrAttack{Name: "quick crossbow", RangeFeet: 80, Properties: []string{"reload", "one-handed"}, Hand: "off", ReloadFree: true})
}

func (f *table) wantPlace(id, item, want string) {
	f.T.Helper()
	if got := f.Creature(id).Items[item].GetPlace(); got != want {
		f.T.Fatalf("%s is %q, want %q", item, got, want)
	}
}

// unload empties a weapon by an event, as a shot would.
func (f *table) unload(id, item string) {
	f.T.Helper()
	f.Resolve(func(r *resolution) error {
		r.Emit(dice.Everyone, &eventv1.ItemChanged{Creature: id, Item: item, Place: r.Creature(id).Items[item].Place, Values: map[string]int32{"loaded": 0}})
		return nil
	})
}

// rcr.opportunity.stow-weapon, rcr.opportunity.object-interaction, rcr.opportunity.reload
func TestHandsProvoke(t *testing.T) {
	cases := []struct {
		name, action, item string
		at                 int32
		settings           []string
		conditions         []string
		asked              bool
	}{
		{"rcr.opportunity.stow-weapon: main hand", "stow", "sword", 5, nil, nil, true},
		{"rcr.opportunity.stow-weapon: off hand", "stow", "dagger", 5, nil, nil, false},
		{"rcr.opportunity.stow-weapon: dropping is no stowing", "drop", "sword", 5, nil, nil, false},
		{"rcr.opportunity.object-interaction: a door", "interact", "", 5, nil, nil, true},
		{"rcr.opportunity.object-interaction: out of reach", "interact", "", 10, nil, nil, false},
		{"rcr.opportunity.object-interaction: Use an Object", "use-object", "", 5, nil, nil, true},
		{"rcr.opportunity.object-interaction: drawing", "draw", "longsword", 5, nil, nil, true},
		{"rcr.opportunity.object-interaction: drawing, by the switch", "draw", "longsword", 5, []string{body.SetDrawProvokes + "=off"}, nil, false},
		{cite.OpportunityReload, "reload", "crossbow", 5, nil, nil, true},
		{"rcr.opportunity.reload: free", "reload", "quick crossbow", 5, nil, nil, false},
		{"rcr.condition.shackled-reload: free no more", "reload", "quick crossbow", 5, nil, []string{body.CondShackled}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...)
			f.place(fighter("a", "party", armed), 0, 0)
			f.place(fighter("b", "monsters"), c.at, 0)
			f.start(nil, 20, 5)
			f.Afflict("a", c.conditions...)
			switch c.action {
			case "draw":
				f.Must(act("a", "drop", "sword", ""))
			case "reload":
				f.unload("a", c.item)
			}
			f.Must(act("a", c.action, c.item, ""))
			if (len(f.Decisions) == 1) != c.asked {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.asked {
				f.Answer(body.DecOpportunity, "no")
			}
			switch c.action {
			case "draw":
				f.wantPlace("a", c.item, "main")
			case "stow":
				f.wantPlace("a", c.item, "stowed")
			case "drop":
				f.wantPlace("a", c.item, "dropped")
			case "reload":
				if f.Creature("a").Items[c.item].Values["loaded"] != 1 {
					t.Fatal("not loaded")
				}
			}
		})
	}
	t.Run("rcr.base.opportunity-frame: struck down, the weapon is not put away: it falls", func(t *testing.T) {
		f := field(t, 5, 0, func(a, _ *eventv1.Sheet) { armed(a) })
		f.Hurt("a", 1)
		f.Must(act("a", "stow", "sword", ""))
		f.Roller = func(sides int) int { return sides }
		f.Answer(body.DecOpportunity, "sword")
		f.wantPlace("a", "sword", "dropped")
	})
	t.Run("rcr.base.opportunity-frame: Disengage covers movement only", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Must(act("a", "disengage", "", ""))
		f.Must(act("a", "stow", "sword", ""))
		f.wantAsked("b")
	})
	t.Run("rcr.opportunity.reload: a shot provokes nothing", func(t *testing.T) {
		f := field(t, 5, 0)
		f.Must(act("a", "attack", "bow", "b"), 10, 5)
		f.wantAsked()
	})
}

// rcr.condition.shackled-weapons, rcr.condition.shackled-reload
func TestHands(t *testing.T) {
	bound := func() *table {
		f := newTable(t).add(fighter("a", "party", armed), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondShackled)
		for _, item := range []string{"sword", "dagger", "crossbow", "quick crossbow"} {
			f.Must(act("a", "drop", item, ""))
		}
		return f
	}
	t.Run(cite.ConditionShackledWeapons, func(t *testing.T) {
		f := bound()
		wantRefused(t, f.Try(act("a", "draw", "maul", "")), cite.ConditionShackledWeapons)
		f.Must(act("a", "draw", "longsword", ""))
	})
	t.Run("two hands for the maul", func(t *testing.T) {
		f := bound()
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondShackled}}}})
		f.Must(act("a", "draw", "maul", ""))
		f.wantPlace("a", "maul", "both")
		wantRefused(t, f.Try(act("a", "draw", "longsword", "")), cite.BaseFifthEditionFallback)
	})
	t.Run(cite.ConditionShackledReload, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", armed), fighter("b", "monsters")).start(nil, 20, 5)
		f.unload("a", "crossbow")
		f.Afflict("a", body.CondShackled)
		f.Must(act("a", "reload", "crossbow", ""))
		f.wantCount("a", body.CAction, 0)
		f.unload("a", "quick crossbow")
		wantRefused(t, f.Try(act("a", "reload", "quick crossbow", "")), cite.ConditionShackledReload)
	})
	t.Run("the free interaction, then the action, then nothing", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", armed), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "interact", "", ""))
		f.Must(act("a", "stow", "sword", ""))
		f.wantCount("a", body.CAction, 0)
		wantRefused(t, f.Try(act("a", "stow", "dagger", "")), cite.BaseFifthEditionFallback)
	})
}
