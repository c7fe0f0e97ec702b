package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.trait.blood-frenzy, rcr.trait.ambusher, rcr.trait.assassinate, rcr.trait.grappler,
// rcr.trait.two-headed, rcr.trait.brave, rcr.trait.fey-ancestry, rcr.trait.dark-devotion,
// rcr.trait.resilience, rcr.trait.sure-footed: what these traits speak for, and what not.
func TestTraitsThatGiveAnEdge(t *testing.T) {
	by := func(names ...string) []func(*eventv1.Sheet) { return []func(*eventv1.Sheet){trait(names...)} }
	blow := body.Asked{Attack: body.AttackKind{Melee: true, Distance: 5, Blow: &eventv1.RcrAttack{Name: "x", ReachFeet: 5}}}
	shot := body.Asked{Attack: body.AttackKind{Distance: 60, Blow: &eventv1.RcrAttack{Name: "x", RangeFeet: 80}}}
	against := func(names ...string) body.Asked { return body.Asked{Ability: "wisdom", Against: names} }
	hurt := func(s *eventv1.State) { *s.Creatures["b"].Hp-- }
	acted := func(s *eventv1.State) { s.Creatures["b"].Counters[body.CTurn] = 1 }
	held := func(by string) func(s *eventv1.State) {
		return func(s *eventv1.State) {
			s.Creatures["b"].Conditions = append(s.Creatures["b"].Conditions, &eventv1.Condition{Name: body.CondGrappled, Source: by})
		}
	}
	runEdges(t, map[string]edgeCase{
		"frenzy at the hurt":              {kind: body.RollAttack, asked: blow, a: by(body.TraitBloodFrenzy), do: hurt, edge: cite.TraitBloodFrenzy, given: true},
		"frenzy at the hale":              {kind: body.RollAttack, asked: blow, a: by(body.TraitBloodFrenzy), edge: cite.TraitBloodFrenzy},
		"frenzy from afar":                {kind: body.RollAttack, asked: shot, a: by(body.TraitBloodFrenzy), do: hurt, edge: cite.TraitBloodFrenzy},
		"no frenzy":                       {kind: body.RollAttack, asked: blow, do: hurt, edge: cite.TraitBloodFrenzy},
		"an ambush of the surprised":      {kind: body.RollAttack, asked: blow, a: by(body.TraitAmbusher), onB: []string{body.CondSurprised}, edge: cite.TraitAmbusher, given: true},
		"an ambush of the aware":          {kind: body.RollAttack, asked: blow, a: by(body.TraitAmbusher), edge: cite.TraitAmbusher},
		"no ambusher":                     {kind: body.RollAttack, asked: blow, onB: []string{body.CondSurprised}, edge: cite.TraitAmbusher},
		"an assassin first":               {kind: body.RollAttack, asked: blow, a: by(body.TraitAssassinate), edge: cite.TraitAssassinate, given: true},
		"an assassin too late":            {kind: body.RollAttack, asked: blow, a: by(body.TraitAssassinate), do: acted, edge: cite.TraitAssassinate},
		"no assassin":                     {kind: body.RollAttack, asked: blow, edge: cite.TraitAssassinate},
		"a grappler at whom it holds":     {kind: body.RollAttack, asked: blow, a: by(body.TraitGrappler), do: held("a"), edge: cite.TraitGrappler, given: true},
		"a grappler at another's":         {kind: body.RollAttack, asked: blow, a: by(body.TraitGrappler), do: held("c"), edge: cite.TraitGrappler},
		"a grappler at the free":          {kind: body.RollAttack, asked: blow, a: by(body.TraitGrappler), edge: cite.TraitGrappler},
		"no grappler":                     {kind: body.RollAttack, asked: blow, do: held("a"), edge: cite.TraitGrappler},
		"two heads look":                  {kind: body.RollCheckOf, asked: body.Asked{Skill: "perception"}, a: by(body.TraitTwoHeaded), edge: cite.TraitTwoHeaded, given: true},
		"two heads ponder":                {kind: body.RollCheckOf, asked: body.Asked{Skill: "insight"}, a: by(body.TraitTwoHeaded), edge: cite.TraitTwoHeaded},
		"one head looks":                  {kind: body.RollCheckOf, asked: body.Asked{Skill: "perception"}, edge: cite.TraitTwoHeaded},
		"two heads against stunning":      {kind: body.RollSaveOf, asked: against(body.CondStunned), a: by(body.TraitTwoHeaded), edge: cite.TraitTwoHeaded, given: true},
		"two heads against sleep":         {kind: body.RollSaveOf, asked: against(body.CondUnconscious), a: by(body.TraitTwoHeaded), edge: cite.TraitTwoHeaded, given: true},
		"two heads against poison":        {kind: body.RollSaveOf, asked: against(body.CondPoisoned), a: by(body.TraitTwoHeaded), edge: cite.TraitTwoHeaded},
		"two heads against nothing":       {kind: body.RollSaveOf, asked: against(), a: by(body.TraitTwoHeaded), edge: cite.TraitTwoHeaded},
		"the brave against fear":          {kind: body.RollSaveOf, asked: against(body.CondFrightened), a: by(body.TraitBrave), edge: cite.TraitBrave, given: true},
		"the brave against charm":         {kind: body.RollSaveOf, asked: against(body.CondCharmed), a: by(body.TraitBrave), edge: cite.TraitBrave},
		"the brave against one of two":    {kind: body.RollSaveOf, asked: against(body.CondProne, body.CondTerrified), a: by(body.TraitBrave), edge: cite.TraitBrave, given: true},
		"others against fear":             {kind: body.RollSaveOf, asked: against(body.CondFrightened), a: by(body.TraitFeyAncestry), edge: cite.TraitBrave},
		"the fey against charm":           {kind: body.RollSaveOf, asked: against(body.CondCharmed), a: by(body.TraitFeyAncestry), edge: cite.TraitFeyAncestry, given: true},
		"the fey against fear":            {kind: body.RollSaveOf, asked: against(body.CondFrightened), a: by(body.TraitFeyAncestry), edge: cite.TraitFeyAncestry},
		"the devoted against charm":       {kind: body.RollSaveOf, asked: against(body.CondCharmed), a: by(body.TraitDarkDevotion), edge: cite.TraitDarkDevotion, given: true},
		"the devoted against fear":        {kind: body.RollSaveOf, asked: against(body.CondFrightened), a: by(body.TraitDarkDevotion), edge: cite.TraitDarkDevotion, given: true},
		"the devoted against stunning":    {kind: body.RollSaveOf, asked: against(body.CondStunned), a: by(body.TraitDarkDevotion), edge: cite.TraitDarkDevotion},
		"the hardy against poison":        {kind: body.RollSaveOf, asked: body.Asked{Ability: "constitution", Types: []string{"Poison"}}, a: by("dwarven resilience"), edge: cite.TraitResilience, given: true},
		"the hardy against poisoning":     {kind: body.RollSaveOf, asked: against(body.CondPoisoned), a: by("stout resilience"), edge: cite.TraitResilience, given: true},
		"the hardy against fire":          {kind: body.RollSaveOf, asked: body.Asked{Ability: "constitution", Types: []string{"fire"}}, a: by("dwarven resilience"), edge: cite.TraitResilience},
		"others against poison":           {kind: body.RollSaveOf, asked: against(body.CondPoisoned), edge: cite.TraitResilience},
		"the sure-footed keep their feet": {kind: body.RollSaveOf, asked: body.Asked{Ability: "strength", Purpose: "stay-up"}, a: by(body.TraitSureFooted), edge: cite.TraitSureFooted, given: true},
		"the sure-footed by their wits":   {kind: body.RollSaveOf, asked: body.Asked{Ability: "wisdom", Purpose: "stay-up"}, a: by(body.TraitSureFooted), edge: cite.TraitSureFooted},
		"the sure-footed against a gust":  {kind: body.RollSaveOf, asked: body.Asked{Ability: "strength"}, a: by(body.TraitSureFooted), edge: cite.TraitSureFooted},
		"others keep their feet":          {kind: body.RollSaveOf, asked: body.Asked{Ability: "strength", Purpose: "stay-up"}, edge: cite.TraitSureFooted},
	})
}

// rcr.base.knock-out: a blow in melee knocks out as is said with it; where nothing is said it is
// asked about where the table plays it so, or where the attacker has a standing order; a shot
// knocks nobody out.
func TestWhoIsAskedToSpare(t *testing.T) {
	for name, c := range map[string]struct {
		melee          bool
		said           string
		order, setting string
		want           string
	}{
		"nothing is said":            {true, "", "", "", ""},
		"it is said":                 {true, "true", "", "", "true"},
		"it is said not to":          {true, "false", "kill", body.FactAsk, "false"},
		"the table asks":             {true, "", "", body.FactAsk, body.FactAsk},
		"an order":                   {true, "", "yes", "", body.FactAsk},
		"an order to ask":            {true, "", body.FactAsk, "", ""},
		"an order to ask, the table": {true, "", body.FactAsk, body.FactAsk, body.FactAsk},
		"a shot, it is said":         {false, "true", "", "", ""},
		"a shot, an order":           {false, "", "yes", body.FactAsk, ""},
	} {
		c2 := creatureOf(fighter("a", "party"), 0, 0)
		if c.order != "" {
			c2.StandingOrders = map[string]string{body.DecKnockOut: c.order}
		}
		s := &eventv1.State{Settings: map[string]string{}}
		if c.setting != "" {
			s.Settings[body.SetKnockOut] = c.setting
		}
		facts := map[string]string{}
		if c.said != "" {
			facts[body.FactKnockOut] = c.said
		}
		if got := body.Sparing(s, c2, c.melee, facts)[body.FactKnockOut]; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
