package mounts

import (
	"slices"
	"sort"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// begunOrder is the action that a mount was last ordered to take, begunHeading
	// the way that it was last ordered to go: x, y and z are -1, 0 or 1.
	begunOrder   = "ordered"
	begunHeading = "heading"
)

// menu is what a controlled mount may be ordered by its traits; movement, Dash,
// Disengage and Dodge may be ordered of any.
//
// rcr.mount.action-menu, rcr.mount.traits, rcr.mount.brave-overrun,
// rcr.mount.fierce-attack, rcr.mount.stalwart-help
var menu = []struct {
	trait, rule string
	actions     []string
}{
	{"", cite.MountActionMenu, []string{"dash", "disengage", "dodge"}},
	{"", cite.MountFlightSameRules, []string{"recover"}}, // a flyer keeps what the air asks of it (a reading)
	{body.MountBrave, cite.MountBraveOverrun, []string{"overrun"}},
	{body.MountFierce, cite.MountFierceAttack, []string{"attack", "grapple", "shove"}},
	{body.MountStalwart, cite.MountStalwartHelp, []string{"help", "help-check"}},
}

// own are the actions of a mount about its own part: nobody orders them.
var own = []string{"carry-on", "refuse-control", "accept-control", "release"}

// flights are the actions that a mount flees by.
var flights = []string{"dash", "disengage"}

// Refuse says why somebody who rides, or a mount with somebody on it, may not take an
// action now, turn and cost apart.
func Refuse(at *play.At) error {
	c, a := at.Actor, at.Action
	if body.Seat(c) != nil && goes(a) {
		return body.Refuse("MOUNTED", cite.MountRiderSquare, "%s is on a mount, which moves", c.Name)
	}
	rider := body.UnderRein(at.State, c)
	switch {
	case rider != nil:
		return refuseOrder(at, rider)
	case body.Has(c, condBolting) && !flees(a):
		return body.Refuse("BOLTING", boltingRule(c), "%s flees", c.Name)
	}
	return nil
}

// AnyRide tells whether anybody rides, or a mount is about to flee.
func AnyRide(s *eventv1.State) bool {
	// order-free: any one is enough
	for _, c := range s.GetCreatures() {
		if body.Seat(c) != nil || body.Has(c, condBolting) {
			return true
		}
	}
	return false
}

// RefusePassenger says that an action is asked of a mount by one who has no say.
//
// rcr.mount.passenger
func RefusePassenger(s *eventv1.State, c *eventv1.Creature) error {
	if slices.Contains(s.GetActive(), c.GetId()) || body.ControllerOf(s, c.GetId()) != nil {
		return nil
	}
	for _, id := range body.RidersOf(s, c.GetId()) {
		if slices.Contains(s.Active, id) {
			return body.Refuse("PASSENGER", cite.MountPassenger, "%s rides as a passenger: %s acts for itself", s.Creatures[id].Name, c.Name)
		}
	}
	return nil
}

// goes are the actions by which a creature moves of itself.
func goes(a *play.Action) bool {
	return a.Is(movement.TraitMoves) ||
		slices.Contains([]string{"tumble", "overrun", "blind-walk"}, a.ID)
}

func flees(a *play.Action) bool {
	return a.Is(movement.TraitMoves) || slices.Contains(flights, a.ID) || slices.Contains(own, a.ID)
}

// boltingRule is the rule by which a mount flees.
func boltingRule(c *eventv1.Creature) string {
	if body.Condition(c, condBolting).GetVariant() == variantRiderless {
		return cite.MountFierceDismounted
	}
	return cite.MountBuckFlee
}

// refuseOrder says why a mount cannot be ordered that: it is nothing that its traits
// give, it bolts, or the rider has no way to direct it.
func refuseOrder(at *play.At, rider *eventv1.Creature) error {
	m, a := at.Actor, at.Action
	if slices.Contains(own, a.ID) {
		return nil
	}
	if body.Has(m, condBolting) {
		return body.Refuse("BOLTING", cite.MountBuckFlee, "%s is about to flee: calm it first", m.Name)
	}
	if !a.Is(movement.TraitMoves) {
		if err := refuseMenu(m, a); err != nil {
			return err
		}
		if a.Cost(at, body.CBonus) > 0 {
			return body.Refuse("ONE_ACTION", cite.MountActionMenu, "%s has one action when it is controlled", m.Name)
		}
	}
	return refuseReins(at.State, rider, m)
}

func refuseMenu(m *eventv1.Creature, a *play.Action) error {
	for _, row := range menu {
		switch {
		case !slices.Contains(row.actions, a.ID):
		case row.trait == "" || body.HasMountTrait(m, row.trait):
			return nil
		default:
			return body.Refuse("NO_TRAIT", row.rule, "%s is not %s", m.Name, row.trait)
		}
	}
	return body.Refuse("NOT_ON_MENU", cite.MountActionMenu, "a controlled mount does not %s", strings.ToLower(a.Title))
}

// refuseReins says why a rider cannot direct its mount: it needs a hand free for it,
// unless the saddle is a military one, the two have a bond or share a language, or
// the hand of a strapped shield has the reins.
//
// rcr.mount.free-hand, rcr.mount.hands-free-control, rcr.mount.military-hands-free,
// rcr.mount.shield-strapped, rcr.mount.reins-dropped
func refuseReins(s *eventv1.State, rider, m *eventv1.Creature) error {
	if body.Incapacitated(rider) {
		return body.Refuse("REINS_DROPPED", cite.MountReinsDropped, "%s directs nothing", rider.Name)
	}
	taken := body.HandsTaken(s, rider)
	// order-free: a weapon held with both hands leaves none
	for _, it := range rider.GetItems() {
		if it.Place == "both" {
			taken = 2
		}
	}
	if body.Has(rider, condReining) {
		taken--
	}
	if body.SaddleOn(m) == body.SaddleMilitary || understood(rider, m) || taken < 2 {
		return nil
	}
	return body.Refuse("REINS_DROPPED", cite.MountFreeHand, "%s has no hand free for the reins", rider.Name)
}

// understood tells whether a mount needs no reins to know what its rider wants.
//
// rcr.mount.hands-free-control
func understood(rider, m *eventv1.Creature) bool {
	a, b := body.SheetOf(rider), body.SheetOf(m)
	return slices.Contains(a.Bonds, m.Id) || slices.Contains(b.Bonds, rider.Id) ||
		slices.ContainsFunc(a.Languages, func(l string) bool { return body.Named(b.Languages, l) })
}

// Ordered notes what a controlled mount has done at its rider's word: orders of an
// earlier turn are over with the first of a new one. A Dash notes the speed of it.
//
// rcr.mount.reins-dropped, rcr.mount.dash-slow-save
func Ordered(r *rules.Resolution, at *play.At, from *eventv1.Position) {
	id := at.Actor.Id
	m := r.Creature(id)
	if at.Action.Anytime {
		return
	}
	if at.Action.ID == "dash" && len(body.RidersOf(r.State(), id)) > 0 {
		r.Set(id, body.CDashPace, int64(movement.StandingBase(r.State(), m))+1, "Dash", cite.MountDashSlowSave)
	}
	if body.UnderRein(r.State(), m) == nil || slices.Contains(own, at.Action.ID) {
		return
	}
	round := r.State().Round
	for _, kind := range []string{begunOrder, begunHeading} {
		if b := rules.BegunOf(m, kind); b != nil && b.Round != round {
			r.EndBegun(id, kind, "new orders", cite.MountReinsDropped)
		}
	}
	if at.Action.Is(movement.TraitMoves) {
		if b := headed(at.Take, from, m.Position); b != nil {
			b.Round = round
			r.Begin(id, b, cite.MountReinsDropped)
		}
		return
	}
	r.Begin(id, &eventv1.Begun{Kind: begunOrder, Action: at.Take, Round: round, Rule: cite.MountReinsDropped}, cite.MountReinsDropped)
}

// headed is the way that a mount was ordered to go; nil where it has not moved. On a
// map it is that of the last step, without one what the command calls it.
func headed(take *eventv1.TakeAction, from, to *eventv1.Position) *eventv1.Begun {
	b := &eventv1.Begun{Kind: begunHeading, Action: take, Rule: cite.MountReinsDropped, Words: spoken.Word(take.GetFacts(), "heading")}
	if len(take.GetPath()) == 0 {
		if _, said := spoken.Number(take.GetParameters(), "feet"); !said {
			return nil
		}
		return b
	}
	if n := len(take.Path); n > 1 {
		from = take.Path[n-2]
	}
	b.Values = map[string]int32{"x": grid.Sign(to.GetX() - from.GetX()), "y": grid.Sign(to.GetY() - from.GetY()), "z": grid.Sign(to.GetZ() - from.GetZ())}
	return b
}

// carryOn has a mount with nobody at the reins do as it was last ordered: the action
// once more, and on the same way as far as it can.
//
// rcr.mount.reins-dropped
func carryOn(r *rules.Resolution, id string) {
	if b := rules.BegunOf(r.Creature(id), begunOrder); b != nil {
		take := proto.Clone(b.Action).(*eventv1.TakeAction)
		switch done := again(r, take); {
		case !done:
			r.Note(event.Everyone(), id, r.Creature(id).Name+" cannot "+take.Action+" again", cite.MountReinsDropped)
		case take.Action == "dash":
			r.Set(id, body.CDashPace, int64(movement.StandingBase(r.State(), r.Creature(id)))+1, "Dash", cite.MountDashSlowSave)
		}
	}
	b := rules.BegunOf(r.Creature(id), begunHeading)
	if b == nil { // or it has thrown its rider, and is let go
		return
	}
	m := r.Creature(id)
	mode := spoken.Word(b.Action.GetParameters(), "mode")
	if m.Position == nil {
		again(r, onward(id, mode, reach(r.State(), m, modeOr(mode), b.Action), b.Action))
		return
	}
	for n := movement.MovementLeft(r.State(), m, modeOr(mode)) / 5; n > 0; n-- {
		to := &eventv1.Position{X: m.Position.X + 5*n*b.Values["x"], Y: m.Position.Y + 5*n*b.Values["y"], Z: m.Position.Z + 5*n*b.Values["z"]}
		take := onward(id, mode, 0, b.Action)
		take.Path = []*eventv1.Position{to}
		if movement.Overlapped(r.State(), m, to) == "" && again(r, take) {
			return
		}
	}
}

// reach is how far a mount gets with the movement that it has left on the way that it
// was ordered to go, where nobody has positions.
//
// rcr.mount.reins-dropped, rcr.flight.movement-budget
func reach(s *eventv1.State, m *eventv1.Creature, mode string, ordered *eventv1.TakeAction) int32 {
	if mode != "fly" {
		return movement.MovementLeft(s, m, mode) / (1 + answers.Surcharge(s, m, mode, false))
	}
	// The farthest that it can pay for is no farther than 2 feet for each foot.
	return int32(sort.Search(int(2*movement.MovementLeft(s, m, mode)+1), func(feet int) bool {
		return !flight.Affords(s, m, onward(m.Id, mode, int32(feet)+1, ordered))
	}))
}

// onward is a movement on the way that a mount was ordered to go: so many feet where
// nobody has positions, of which it climbs and descends the same share as before.
//
// rcr.mount.reins-dropped
func onward(id, mode string, feet int32, ordered *eventv1.TakeAction) *eventv1.TakeAction {
	words := map[string]any{}
	if mode != "" {
		words["mode"] = mode
	}
	if heading := spoken.Word(ordered.GetParameters(), "heading"); heading != "" {
		words["heading"] = heading
	}
	if was, _ := spoken.Number(ordered.GetParameters(), "feet"); feet > 0 {
		words["feet"] = feet
		for _, flightWord := range []string{"climb", "descend"} {
			if part, _ := spoken.Number(ordered.GetParameters(), flightWord); feet*part/max(1, was) > 0 {
				words[flightWord] = feet * part / was
			}
		}
	}
	said, _ := structpb.NewStruct(words) // words and whole numbers always make one
	return &eventv1.TakeAction{Creature: id, Action: "move", Parameters: said}
}

// again carries out an action of a mount that nothing but the reins refuses.
func again(r *rules.Resolution, take *eventv1.TakeAction) bool {
	at := body.Frame().At(r.State(), take)
	if at == nil {
		return false
	}
	at.Content = r.Content()
	if err := body.Frame().Fits(at); err != nil {
		return false
	}
	return at.Action.Do(r, at) == nil
}

// bolt has a mount go its own way with its rider, who has no say any more.
//
// rcr.mount.buck-flee
func bolt(r *rules.Resolution, rider string) {
	m := body.Seat(r.Creature(rider)).To
	become(r, rider, body.VariantPassenger, cite.MountBuckFlee)
	loosen(r, m)
}

// modeOr is a mode of movement, walking where none is said.
func modeOr(mode string) string {
	if mode == "" {
		return "walk"
	}
	return mode
}
