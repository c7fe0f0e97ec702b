package magic

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Readiables lists what a creature could ready: an attack, a spell or power or
// magic item that takes the action, movement up to its speed, and the other
// actions of a fight.
//
// rcr.base.fifth-edition-fallback
func Readiables(s *eventv1.State, c *eventv1.Creature) []answers.Readiable {
	var out []answers.Readiable
	type refusal = func(s *eventv1.State, c *eventv1.Creature) error
	add := func(what, item string, why refusal) {
		out = append(out, answers.Readiable{What: what, Item: item, Refuse: why})
	}
	for _, a := range body.AttacksOf(c) {
		add(dice.ReadyAttack, a.Name, func(s *eventv1.State, c *eventv1.Creature) error { return strike.RefuseWeapon(false, s, c, a) })
	}
	for _, sp := range body.SheetOf(c).Spells {
		if sp.CastingTime == "" || sp.CastingTime == "action" {
			add(dice.ReadyCast, sp.Name, func(s *eventv1.State, c *eventv1.Creature) error { return refuseSpell(s, c, sp) })
		}
	}
	for _, p := range body.SheetOf(c).Powers {
		if p.Cost == "" || p.Cost == "action" {
			add("use-power", p.Name, func(s *eventv1.State, c *eventv1.Creature) error { return strike.RefusePower(s, c, p) })
		}
	}
	for _, it := range body.SheetOf(c).Items {
		if answers.ItemCost(it) == body.CAction {
			add("use-item", it.Name, func(s *eventv1.State, c *eventv1.Creature) error { return answers.RefuseItem(s, c, it) })
		}
	}
	for _, what := range []string{dice.ReadyMove, "crawl", "stand", "dash", "disengage", "dodge", "help", "help-check", "use-object", "grapple", "shove", "escape", "stabilise"} {
		add(what, "", nil)
	}
	if cost, _ := checks.UseOf("hide").CostOf(s); cost == body.CAction {
		add("hide", "", nil)
	}
	if cost, _ := checks.UseOf("search").CostOf(s); cost == body.CAction {
		for _, skill := range checks.UseOf("search").Skills {
			add("search", skill, nil)
		}
	}
	return out
}
