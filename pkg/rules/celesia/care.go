package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// careActions heal and treat in a fight.
func careActions() []*action {
	return []*action{
		{id: "first-aid", title: "First aid", rule: cite.ActionFirstAid, acts: 2, provoke: always, trigger: "other", targeted: true,
			refuse: refuseFirstAid, do: doCare(deedFirstAid)},
		{id: "staunch", title: "Staunch bleeding", rule: cite.InjuryHandSevered, acts: 2, provoke: always, trigger: "other", targeted: true, self: true,
			refuse: refuseBeside, do: doCare(deedStaunch)},
		{id: "drink", title: "Drink a potion", rule: cite.ItemDrinkApply, acts: 2, provoke: always, trigger: "other",
			items: potionNames, refuse: refusePotion, do: doDrink},
		{id: "administer", title: "Administer a potion", rule: cite.ActionAdministerToUnconscious, acts: 3, provoke: always, trigger: "other",
			targeted: true, items: potionNames, refuse: refuseAdminister, do: doAdminister},
	}
}

func potionOf(c *eventv1.Creature, name string) *eventv1.CelesiaPotion {
	for _, p := range sheetOf(c).Potions {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func potionNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, p := range sheetOf(c).Potions {
		out = append(out, p.Name)
	}
	return out
}

// refuseBeside: whoever is treated must be beside the healer.
func refuseBeside(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	if feet, known := apart(take, c, t); known && feet > 5 {
		return outOfReach(cite.ActionFirstAid, t, feet)
	}
	return nil
}

func refuseFirstAid(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseBeside(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && !dying(t) {
		return refuse("NOT_DYING", cite.ActionFirstAid, "%s is not dying", t.Name)
	}
	return nil
}

// dying tells whether a creature bleeds out.
func dying(c *eventv1.Creature) bool { return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING }

func doCare(kind string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		deed(r, "care", &eventv1.Harm{Deed: kind, Target: target(take), Source: c.Id, Cause: "Heal"})
		return nil
	}
}

func refusePotion(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	switch p := potionOf(c, take.Item); {
	case p == nil:
		return nameless("take.item", "potion", c.GetName(), take.Item, potionNames(s, c))
	case c.Counters[cLeft+p.Name] < 1:
		return refuse("NONE_LEFT", cite.ItemDrinkApply, "no %s is left", p.Name)
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// refuseAdminister: the recipient has to be unconscious and beside the helper.
//
// celesia.action.administer-to-unconscious
func refuseAdminister(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refusePotion(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && !down(t) && !has(t, condUnconscious) {
		return refuse("CONSCIOUS", cite.ActionAdministerToUnconscious, "%s is conscious", t.Name)
	}
	return refuseBeside(s, c, take)
}

// doDrink: the effect comes when the action is completed.
//
// celesia.item.drink-apply
func doDrink(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	useUp(r, c, take.Item, c.Id)
	return nil
}

func doAdminister(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	useUp(r, c, take.Item, target(take))
	return nil
}

func useUp(r *rules.Resolution, c *eventv1.Creature, name, on string) {
	r.Set(c.Id, cLeft+name, r.Count(c.Id, cLeft+name)-1, "used")
	healWith(r, "potion", c.Id, on, name, potionOf(c, name).Healing)
}
