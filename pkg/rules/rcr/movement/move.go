package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// turnMarks and turnRelations end with the turn.
var (
	TurnMarks     = []string{body.MSteady, body.MAttacked, body.MAttackedHand, body.MStarted, body.MScathed, magic.MCast, body.MOffHand, body.MStowed, body.MHeading, body.MBrawled, body.MUrged, body.MStruck, body.MFelled, body.MRanDown}
	TurnRelations = []string{body.RelStarted, body.RelEntered, body.RelThrough}
)

// times is how often the speed may be spent this turn.
//
// rcr.surprise.one-action
func times(s *eventv1.State, c *eventv1.Creature) int32 {
	n := int32(c.Counters[body.CDashes])
	if !checks.BareAction(s, c) {
		n++
	}
	return n
}

// MovementLeft is what a creature may still spend by a mode, in feet. From the
// speed of another mode comes off what was spent already, as in the fifth
// edition.
func MovementLeft(s *eventv1.State, c *eventv1.Creature, mode string) int32 {
	base := body.BaseSpeed(s, c)
	if base == 0 {
		return 0
	}
	if own := body.SpeedIn(s, c.Id, mode); own > 0 && own != base {
		return max(0, own*times(s, c)-int32(c.Counters[body.CMoved]))
	}
	return int32(c.Counters[body.CMovement])
}

// RefuseTravel says why a creature cannot move by walking or crawling.
func RefuseTravel(s *eventv1.State, c *eventv1.Creature, crawling bool) error {
	switch {
	case crawling && !body.Has(c, body.CondProne):
		return body.Refuse("NOT_PRONE", cite.ConditionProneCrawl, "%s is not prone", c.Name)
	case !crawling && body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.ConditionProneCrawl, "%s is prone: crawl, or stand up first", c.Name)
	}
	if err := answers.RefuseSpeed(s, c); err != nil {
		return err
	}
	if most(s, c, crawling) < 1 {
		rule := cite.BaseFifthEditionFallback
		if checks.BareAction(s, c) {
			rule = cite.SurpriseOneAction
		}
		return body.Refuse("NO_MOVEMENT", rule, "%s has no movement left", c.Name)
	}
	return nil
}

// most is how many feet a creature can go on open ground by its best mode.
func most(s *eventv1.State, c *eventv1.Creature, crawling bool) int32 {
	best := int32(0)
	for _, mode := range answers.ModesOf(s, c, crawling) {
		best = max(best, MovementLeft(s, c, mode)/(1+answers.Surcharge(s, c, mode, crawling)))
	}
	return best
}

// leg is one piece of a way.
type leg struct {
	// to is where it ends; nil when nobody has positions.
	to *eventv1.Position
	// feet of it; slow feet of it are difficult or dangerous, dangerous feet
	// dangerous.
	feet, slow, dangerous int32
	// light: difficult ground costs nothing more; leapt feet at the end of it are leapt
	// over the ground.
	light bool
	leapt int32
	// tight feet of it are squeezed through.
	tight int32
}

// Cost of a leg in feet of movement, and the part of it in dangerous terrain.
//
// rcr.base.movement-cost-additive, rcr.movement.dangerous-as-difficult
//
// rcr.base.squeezing, rcr.feat.mobile-difficult-terrain
func (l leg) Cost(extra int32) (all, dangerous int32) {
	trodden := l.feet - l.leapt
	if l.light {
		return l.feet*(1+extra) + l.tight, min(l.dangerous, trodden) * (1 + extra)
	}
	return l.feet*(1+extra) + min(l.slow, trodden) + l.tight, min(l.dangerous, trodden) * (2 + extra)
}

// way is a movement as it was asked for.
type way struct {
	Mode     string
	crawling bool
	Legs     []leg
	Notes    []string
	// jump is long or high where the way ends with a leap; empty where it does not.
	jump string
}

// PlanWay reads the way out of a command. Either a path, measured from where
// the creature stands, or a number of feet with what is stated about them.
func PlanWay(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, crawling bool) (*way, error) {
	w := &way{Mode: spoken.Word(take.Parameters, "mode"), crawling: crawling, Notes: body.StatedNotes(take)}
	if w.Mode == "" {
		w.Mode = usualMode(s, c, crawling)
	}
	if body.SaddleBars(c, w.Mode) {
		return nil, body.Refuse("SADDLE", cite.MountExoticMovement, "%s has a saddle that does not let it %s", c.Name, w.Mode)
	}
	if !slices.Contains(answers.ModesOf(s, c, crawling), w.Mode) {
		return nil, fault.Field("take.parameters.mode", "%s does not %s", c.Name, w.Mode)
	}
	feet, given := spoken.Number(take.Parameters, "feet")
	switch {
	case len(take.Path) > 0 && c.Position == nil:
		return nil, fault.Field("take.path", "%s stands nowhere: give the parameter feet", c.Name)
	case len(take.Path) > 0 && given:
		return nil, fault.Field("take.parameters.feet", "the path says how far")
	case len(take.Path) > 0:
		w.Legs = legsOf(c.Position, take.Path)
	case !given:
		return nil, fault.Field("take.parameters.feet", "a path or a number from 1 is needed")
	default:
		w.Legs = []leg{{feet: feet}}
	}
	if len(w.Legs) == 0 {
		return nil, fault.Field("take.path", "it leads nowhere")
	}
	if err := body.FirstError(w.ground(take), w.squeeze(take), w.leap(s, c, take)); err != nil {
		return nil, err
	}
	if c.Counters[body.CDashes] > 0 && body.Feat(s, c, body.FeatMobile, cite.FeatMobileDifficultTerrain) {
		for i := range w.Legs {
			w.Legs[i].light = true
		}
		w.Notes = append(w.Notes, "difficult ground costs nothing more: Mobile")
	}
	return w, refuseWay(s, c, w, take)
}

// usualMode is the first mode that a creature can still move by, walking before
// all others; under water it swims.
func usualMode(s *eventv1.State, c *eventv1.Creature, crawling bool) string {
	if !crawling && body.UnderWater(s, c, body.WaterSaid{}) && slices.Contains(answers.ModesOf(s, c, crawling), "swim") {
		return "swim"
	}
	if open := answers.OpenModes(s, c, crawling, func(mode string) int32 { return MovementLeft(s, c, mode) }); len(open) > 0 {
		return open[0]
	}
	return "walk"
}

// legsOf cuts a path into steps of at most 5 feet.
func legsOf(from *eventv1.Position, path []*eventv1.Position) []leg {
	var out []leg
	at := from
	for _, p := range path {
		for (at.X != p.X || at.Y != p.Y || at.Z != p.Z) && len(out) < 4000 {
			next := &eventv1.Position{X: toward(at.X, p.X), Y: toward(at.Y, p.Y), Z: toward(at.Z, p.Z)}
			out = append(out, leg{to: next, feet: grid.Steps(at, next)})
			at = next
		}
	}
	return out
}

// Steps are the places that a path leads through, at most 5 feet apart.
func Steps(from *eventv1.Position, path []*eventv1.Position) (out []*eventv1.Position) {
	for _, l := range legsOf(from, path) {
		out = append(out, l.to)
	}
	return out
}

func toward(from, to int32) int32 { return from + max(-5, min(5, to-from)) }

// ground lays the stated feet of difficult and dangerous ground on the way,
// from its start on. What is both counts once.
//
// rcr.base.movement-cost-additive
func (w *way) ground(take *eventv1.TakeAction) error {
	var stated [3]int32
	for i, key := range []string{"difficult", "dangerous", "overlap"} {
		n, ok := spoken.Number(take.Facts, key)
		if stated[i] = n; ok {
			w.Notes = append(w.Notes, key+" "+body.Itoa(n)+" feet (stated)")
		}
	}
	dangerous, plain := stated[1], max(0, stated[0]-stated[2])
	for i := range w.Legs {
		l := &w.Legs[i]
		l.dangerous = min(l.feet, dangerous)
		dangerous -= l.dangerous
		more := min(l.feet-l.dangerous, plain)
		plain -= more
		l.slow = l.dangerous + more
	}
	return nil
}

// refuseWay says why a way cannot be gone: into the space of an enemy of about
// the same size without a tumble or an overrun, to an end in another's space, or
// nearer to what the creature fears.
//
// rcr.condition.terrified
func refuseWay(s *eventv1.State, c *eventv1.Creature, w *way, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	if near, _ := spoken.Words(take.Facts, "approaches"); len(near) > 0 {
		for _, id := range near {
			if feared(s, c, id) {
				return body.Refuse("AFRAID", dice.FearRule(c), "%s will not go nearer to %s", c.Name, id)
			}
		}
	}
	spaces, stated := spoken.Words(take.Facts, "enters_space_of")
	along, err := Dragged(s, c, take)
	if err != nil {
		return err
	}
	at := c.Position
	for i, l := range w.Legs {
		if l.to == nil {
			return nil
		}
		for _, id := range rules.SortedKeys(s.Creatures) {
			o := s.Creatures[id]
			if id == c.Id || o.Position == nil || body.Dead(o) || body.Has(o, body.CondHidden) || slices.Contains(along, id) || body.Seat(o) != nil {
				continue // who hides is in nobody's way: to be stopped would tell; who rides is where the mount is
			}
			before, after := grid.Distance(at, body.SpaceFeet(c), o.Position, body.SpaceFeet(o)), grid.Distance(l.to, body.SpaceFeet(c), o.Position, body.SpaceFeet(o))
			switch {
			case feared(s, c, id) && after < before:
				return body.Refuse("AFRAID", dice.FearRule(c), "%s will not go nearer to %s", c.Name, o.Name)
			case after > 0 || stated && slices.Contains(spaces, id):
			case i == len(w.Legs)-1 && body.UnderRein(s, c) == nil:
				return body.Refuse("SPACE_TAKEN", frame, "%s stands there", o.Name)
			case charges(s, c) && !body.Hostile(c, o):
				// rcr.feat.charger-pass-through: an ally's space costs nothing more
			case body.UnderRein(s, c) == nil && !mayPass(c, o) && !charges(s, c) && w.Mode != "fly": // a flyer collides: rcr.flight.collision-save
				return body.Refuse("SPACE_HELD", frame, "%s holds its space: tumble or overrun", o.Name)
			default:
				w.Legs[i].slow = w.Legs[i].feet // another's space is difficult ground
			}
		}
		at = l.to
	}
	return nil
}

// charges tells whether a charger dashes, which takes it through the spaces of others.
//
// rcr.feat.charger-pass-through
func charges(s *eventv1.State, c *eventv1.Creature) bool {
	return c.Counters[body.CDashes] > 0 && body.Feat(s, c, body.FeatCharger, cite.FeatChargerPassThrough)
}

// mayPass tells whether a creature may go through the space of another.
func mayPass(c, o *eventv1.Creature) bool {
	return !body.Hostile(c, o) || body.Incapacitated(o) || sizesApart(c, o) >= 2 || rules.RelationTo(c, body.RelThrough, o.Id) != nil
}

// sizesApart is the number of size categories between two creatures.
//
// rcr.opportunity.enter-space
func sizesApart(a, b *eventv1.Creature) int32 {
	return dice.Abs(rankOf(a) - rankOf(b))
}

// rankOf is the number of a creature's size category; an unknown one counts as medium.
func rankOf(c *eventv1.Creature) int32 {
	if i := slices.Index(thestrike.Sizes, c.GetSize()); i >= 0 {
		return int32(i)
	}
	return 2
}

// feared tells whether a creature fears another that it can see.
func feared(s *eventv1.State, c *eventv1.Creature, id string) bool {
	if !body.Afraid(s, c) {
		return false
	}
	return slices.ContainsFunc(c.Conditions, func(x *eventv1.Condition) bool {
		return (x.Name == body.CondFrightened || x.Name == body.CondTerrified) && x.Source == id
	})
}

// Overlapped is who stands in the space that a creature would have at a place, by
// the first id; empty for nobody. Those who ride are where their mounts are.
//
// rcr.mount.overlap-no-end
func Overlapped(s *eventv1.State, c *eventv1.Creature, at *eventv1.Position) string {
	if at == nil {
		return ""
	}
	for _, id := range rules.SortedKeys(s.Creatures) {
		o := s.Creatures[id]
		if id == c.Id || o.Position == nil || body.Dead(o) || body.Has(o, body.CondHidden) || body.Seat(o) != nil {
			continue
		}
		if grid.Distance(at, body.SpaceFeet(c), o.Position, body.SpaceFeet(o)) == 0 {
			return id
		}
	}
	return ""
}
