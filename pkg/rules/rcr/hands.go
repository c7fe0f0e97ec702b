package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Triggers of opportunity attacks of hands at work.
const (
	onStow     trigger = "stows a weapon"
	onInteract trigger = "has the hands busy with an object"
	onReload   trigger = "reloads"
)

// handActions are what hands do besides attacking.
func handActions() []*action {
	return []*action{
		{id: "draw", title: "Draw or pick up a weapon", do: doDraw,
			options: weaponOptions(func(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) (bool, error) {
				return !held(c, a.Name), refuseDraw(s, c, a, "")
			})},
		{id: "stow", title: "Stow a weapon", do: doStow,
			options: weaponOptions(func(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) (bool, error) {
				return held(c, a.Name), refuseStow(s, c, a)
			})},
		{id: "drop", title: "Drop a weapon", options: dropOptions, do: doDrop},
		{id: "interact", title: "Interact with an object", options: interactOptions, do: doInteract},
		{id: "use-object", title: "Use an object", options: useObjectOptions, do: doUseObject},
		{id: "reload", title: "Reload", options: reloadOptions, do: doReload},
	}
}

// held tells whether a thing is in a hand.
func held(c *eventv1.Creature, item string) bool {
	return slices.Contains([]string{"main", "off", "both"}, c.GetItems()[item].GetPlace())
}

// interactionCost is the counter that an object interaction spends: the free
// one of the turn, else the action.
//
// rcr.surprise.one-action
func interactionCost(c *eventv1.Creature) (counter string, err error) {
	if c.Counters[cInteraction] > 0 {
		return cInteraction, nil
	}
	return cAction, needAction(c)
}

// busy carries out an act of the hands: it is paid, the enemies get their
// window, and it takes effect if its doer still can.
//
// rcr.base.opportunity-frame
func busy(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, cost string, why trigger, rule string, effect func()) error {
	stated := statedIDs(take.Facts, "threatened_by")
	if cost != "" {
		spend(r, c.Id, cost, take.Action)
	}
	notes := statedNotes(take)
	if what := spoken.Word(take.Parameters, "object"); what != "" {
		notes = append(notes, what)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: notes})
	if rule != "" {
		offerOpportunity(r, c.Id, why, rule, threateners(r, c.Id, stated), take)
		if incapacitated(r.Creature(c.Id)) {
			r.Note(event.Everyone(), c.Id, take.Action+": it does not come to that", cite.BaseOpportunityFrame)
			return nil
		}
	}
	effect()
	return nil
}

// moveItem puts a thing somewhere else. What is put away only its owner knows
// of; that it left the hand all see.
func moveItem(r *rules.Resolution, c *eventv1.Creature, item, place, cause string) {
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: item, Place: place, Values: r.Creature(c.Id).Items[item].GetValues(), Cause: cause})
}

// weaponOptions lists weapons; the function says whether one belongs in the
// list and what forbids it.
func weaponOptions(of func(*eventv1.State, *eventv1.Creature, *eventv1.RcrAttack) (bool, error)) func(*eventv1.State, *eventv1.Creature) []*eventv1.Option {
	return func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
		var out []*eventv1.Option
		for _, a := range sheetOf(c).Attacks {
			if a.Natural || a.Spell || c.Items[a.Name] == nil {
				continue
			}
			listed, err := of(s, c, a)
			if !listed {
				continue
			}
			counter, _ := interactionCost(c)
			o := option(a.Name, err, map[string]int32{counter: 1})
			if !held(c, a.Name) && !property(a, "two-handed") && len(freeHands(s, c, a)) > 0 {
				o.Parameters = []*eventv1.Parameter{choiceOf("hand", "The hand that takes it; the first that is free if not given", false, freeHands(s, c, a)...)}
			}
			out = append(out, o)
		}
		return out
	}
}

// weaponTaken finds the weapon of a command.
func weaponTaken(c *eventv1.Creature, take *eventv1.TakeAction) (*eventv1.RcrAttack, error) {
	a := attackOf(c, take.Item)
	if a == nil || a.Natural || a.Spell || c.Items[a.Name] == nil {
		return nil, noSuch("take.item", take.Item, "weapon of "+c.Name, rules.SortedKeys(c.Items))
	}
	return a, nil
}

// handsTaken counts the hands that are full: by weapons (one in both hands can
// be held with one for a while), by a full shield, by those held in a grapple.
func handsTaken(s *eventv1.State, c *eventv1.Creature) int {
	main, off, n := false, sheetOf(c).Shield == eventv1.RcrSheet_SHIELD_SHIELD, 0
	// order-free: hands are only ever filled
	for _, it := range c.GetItems() {
		main = main || it.Place == "main" || it.Place == "both"
		off = off || it.Place == "off"
	}
	for _, full := range []bool{main, off} {
		if full {
			n++
		}
	}
	for _, id := range grappling(s, c) {
		if grappledBy(s.Creatures[id], c.Id).Cause == "grapple" {
			n++
		}
	}
	return n
}

// freeHand finds the place for a weapon: both hands, or the one wanted, or the
// first that is free; empty when there is none. A full shield takes the off hand.
func freeHand(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, wanted string) string {
	main, off := true, sheetOf(c).Shield != eventv1.RcrSheet_SHIELD_SHIELD
	// order-free: hands are only ever taken
	for _, it := range c.Items {
		main = main && it.Place != "main" && it.Place != "both"
		off = off && it.Place != "off" && it.Place != "both"
	}
	taken := handsTaken(s, c)
	switch {
	case taken > 1:
	case property(a, "two-handed"):
		if main && off && taken == 0 {
			return "both"
		}
	case main && wanted != "off":
		return "main"
	case off && wanted != "main":
		return "off"
	}
	return ""
}

// freeHands are the hands that could take a one-handed weapon.
func freeHands(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) []string {
	return slices.DeleteFunc([]string{"main", "off"}, func(hand string) bool { return freeHand(s, c, a, hand) != hand })
}

// refuseDraw says why a weapon cannot be taken in hand. Bound hands wield only
// what has the property one-handed or versatile.
//
// rcr.condition.shackled-weapons
func refuseDraw(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack, hand string) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case held(c, a.Name):
		return refuse("IN_HAND", frame, "%s is in hand", a.Name)
	case c.Items[a.Name].Place == "gone":
		return refuse("GONE", frame, "%s is gone", a.Name)
	case has(c, condShackled) && !property(a, "one-handed") && !property(a, "versatile"):
		return refuse("SHACKLED", cite.ConditionShackledWeapons, "bound hands cannot wield %s", a.Name)
	case freeHand(s, c, a, hand) == "":
		return refuse("NO_FREE_HAND", frame, "there is no hand free for %s", a.Name)
	}
	_, err := interactionCost(c)
	return err
}

// doDraw takes a weapon in hand, drawn or from the ground.
//
// rcr.opportunity.object-interaction
func doDraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, err := weaponTaken(c, take)
	if err != nil {
		return err
	}
	hand := spoken.Word(take.Parameters, "hand")
	if err := refuseDraw(r.State(), c, a, hand); err != nil {
		return err
	}
	rule := cite.OpportunityObjectInteraction
	if c.Items[a.Name].Place == "stowed" && !r.On(setDrawProvokes) {
		rule = ""
	}
	cost, _ := interactionCost(c)
	return busy(r, c, take, cost, onInteract, rule, func() { moveItem(r, c, a.Name, freeHand(r.State(), c, a, hand), "drawn") })
}

func refuseStow(_ *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	if !held(c, a.Name) {
		return refuse("NOT_IN_HAND", cite.BaseFifthEditionFallback, "%s is not in hand", a.Name)
	}
	_, err := interactionCost(c)
	return err
}

// doStow puts a weapon away. That of the off hand goes without provoking: the
// exception beats the general rule on interactions.
//
// rcr.opportunity.stow-weapon
func doStow(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, err := weaponTaken(c, take)
	if err != nil {
		return err
	}
	if err := refuseStow(r.State(), c, a); err != nil {
		return err
	}
	rule := cite.OpportunityStowWeapon
	if c.Items[a.Name].Place == "off" {
		rule = ""
	}
	cost, _ := interactionCost(c)
	return busy(r, c, take, cost, onStow, rule, func() { moveItem(r, c, a.Name, "stowed", "stowed") })
}

func dropOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, a := range sheetOf(c).Attacks {
		if held(c, a.Name) {
			out = append(out, option(a.Name, nil, nil))
		}
	}
	return out
}

// doDrop lets a weapon fall: that is neither stowing nor an interaction.
//
// rcr.opportunity.stow-weapon
func doDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, err := weaponTaken(c, take)
	if err != nil {
		return err
	}
	if !held(c, a.Name) {
		return refuse("NOT_IN_HAND", cite.BaseFifthEditionFallback, "%s is not in hand", a.Name)
	}
	return busy(r, c, take, "", "", "", func() { moveItem(r, c, a.Name, "dropped", "dropped") })
}

func objectParameter() []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "object", Type: "string", Text: "What it is about, such as a door"}}
}

func interactOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	counter, err := interactionCost(c)
	o := option("", err, map[string]int32{counter: 1})
	o.Parameters = objectParameter()
	return []*eventv1.Option{o}
}

// doInteract opens a door, picks something up, hands something over.
//
// rcr.opportunity.object-interaction
func doInteract(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	counter, err := interactionCost(c)
	if err != nil {
		return err
	}
	return busyWithObject(r, c, take, counter)
}

func busyWithObject(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, cost string) error {
	what := spoken.Word(take.Parameters, "object")
	if what == "" {
		what = "an object"
	}
	return busy(r, c, take, cost, onInteract, cite.OpportunityObjectInteraction, func() {
		r.Note(event.Everyone(), c.Id, "done: "+what, cite.OpportunityObjectInteraction)
	})
}

func useObjectOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", needAction(c), map[string]int32{cAction: 1})
	o.Parameters = objectParameter()
	return []*eventv1.Option{o}
}

// doUseObject is the action Use an Object; it keeps the hands as busy.
//
// rcr.opportunity.object-interaction
func doUseObject(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := needAction(c); err != nil {
		return err
	}
	return busyWithObject(r, c, take, cAction)
}

// reloadCost is what a reload costs: nothing when it is free, an interaction
// otherwise (a reading: the property's own text is in another supplement), the
// action with bound hands, free or not.
//
// rcr.condition.shackled-reload
func reloadCost(c *eventv1.Creature, a *eventv1.RcrAttack) (counter string, err error) {
	switch {
	case has(c, condShackled):
		if err := needAction(c); err != nil {
			return cAction, refuse("NO_ACTION", cite.ConditionShackledReload, "bound hands need an action to reload")
		}
		return cAction, nil
	case a.ReloadFree:
		return "", nil
	}
	return interactionCost(c)
}

func refuseReload(c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case !property(a, "reload"):
		return refuse("NO_RELOAD", frame, "%s needs no reloading", a.Name)
	case !held(c, a.Name):
		return refuse("NOT_IN_HAND", frame, "%s is not in hand", a.Name)
	case c.Items[a.Name].Values["loaded"] > 0:
		return refuse("LOADED", frame, "%s is loaded", a.Name)
	}
	_, err := reloadCost(c, a)
	return err
}

func reloadOptions(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, a := range sheetOf(c).Attacks {
		if !property(a, "reload") || c.Items[a.Name] == nil {
			continue
		}
		costs := map[string]int32{}
		if counter, _ := reloadCost(c, a); counter != "" {
			costs[counter] = 1
		}
		out = append(out, option(a.Name, refuseReload(c, a), costs))
	}
	return out
}

// doReload loads a weapon with the property Reload. It provokes unless the
// reload is free; with bound hands it never is.
//
// rcr.opportunity.reload, rcr.condition.shackled-reload
func doReload(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, err := weaponTaken(c, take)
	if err != nil {
		return err
	}
	if err := refuseReload(c, a); err != nil {
		return err
	}
	rule := cite.OpportunityReload
	if a.ReloadFree && !has(c, condShackled) {
		rule = ""
	}
	cost, _ := reloadCost(c, a)
	return busy(r, c, take, cost, onReload, rule, func() {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: r.Creature(c.Id).Items[a.Name].GetPlace(),
			Values: map[string]int32{"loaded": 1}, Cause: "reloaded"})
	})
}
