package movement

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Triggers of opportunity attacks in words.
const (
	onEnterSpace checks.Trigger = "enters its space"
	onLeave      checks.Trigger = "leaves its reach"
	onCrawl      checks.Trigger = "crawls within its reach"
	onStand      checks.Trigger = "stands up within its reach"
)

// Walk is a movement being carried out.
type Walk struct {
	R     *rules.Resolution
	id    string
	Way   *way
	Extra int32
	// leaves, enters, spaces and threats are stated; nil means measured.
	leaves, enters, spaces, threats []string
	// take is the command, for what it states about those who strike at it.
	take *eventv1.TakeAction
	// Drags are those who are dragged along; times is what that makes of the cost.
	Drags []string
	Times int32
	// asked are those who had their window for crawling.
	asked []string
	// feet, cost and dangerous are gone but not yet written down.
	feet, cost, dangerous int32
	at                    *eventv1.Position
	// Air is what flight makes of it; nil on the ground.
	Air Air
	// Spared: moving provokes nothing; SparedEntry: entering spaces does not.
	Spared, SparedEntry bool
	// Crossing is told of each leg of a walk on the ground; may be nil.
	Crossing func(r *rules.Resolution, mover string, from, to *eventv1.Position, spaces []string)
	half     int32
	flown    int
	// arrived: nothing has kept it from the end of its way on the ground.
	arrived bool
	// heading and straight are the last straight run, for chargers.
	heading  string
	straight int32
}

// NewWalk makes a movement of a creature along a way, where each foot costs extra
// feet more; whom the command states to be provoked is noted on the way.
func NewWalk(c *eventv1.Creature, w *way, take *eventv1.TakeAction, extra int32) *Walk {
	k := &Walk{id: c.Id, take: take, Way: w, Extra: extra, Times: 1, at: c.Position}
	for _, f := range []struct {
		key  string
		list *[]string
	}{{"leaves_reach_of", &k.leaves}, {"enters_reach_of", &k.enters}, {"enters_space_of", &k.spaces}, {"threatened_by", &k.threats}} {
		list := checks.StatedIDs(take.Facts, f.key)
		if *f.list = list; len(list) > 0 {
			w.Notes = append(w.Notes, f.key+" "+strings.Join(list, ", ")+" (stated)")
		}
	}
	return k
}

// Run goes leg by leg. What provokes is asked before the leg is gone, where
// the mover stands then; a mover that can go on no more stays there.
func (k *Walk) Run() {
	magic.NoteStart(k.R, k.id)
	if k.Air != nil {
		k.glide()
		return
	}
	k.heading, k.straight = k.R.Creature(k.id).GetMarks()[body.MHeading], int32(k.R.Count(k.id, body.CStraight))
	k.arrived = true
	for i, l := range k.Way.Legs {
		if !k.provoke(i, l) {
			k.R.Note(checks.SeenMoving(k.R.Creature(k.id)), k.id, k.R.Creature(k.id).Name+" goes no further", cite.BaseOpportunityFrame)
			k.arrived = false
			break
		}
		cost, dangerous := l.Cost(k.Extra)
		cost, dangerous = cost*k.Times, dangerous*k.Times
		if cost > MovementLeft(k.R.State(), k.R.Creature(k.id), k.Way.Mode)-k.cost {
			k.R.Note(checks.SeenMoving(k.R.Creature(k.id)), k.id, k.R.Creature(k.id).Name+" has no movement left to go on", cite.BaseMovementCostAdditive)
			k.arrived = false
			break
		}
		k.feet, k.cost, k.dangerous = k.feet+l.feet, k.cost+cost, k.dangerous+dangerous
		k.entered(i, l)
		from := k.at
		k.aims(l)
		if l.to != nil {
			k.at = l.to
		}
		if k.Crossing != nil {
			k.Crossing(k.R, k.id, from, l.to, k.spacesAt(i))
		}
	}
	k.settle()
	if k.arrived {
		underwater.Arrive(k.R, k.id, k.take.GetFacts())
	}
}

// spacesAt are those whose space a leg is stated to enter.
func (k *Walk) spacesAt(i int) []string {
	if i > 0 {
		return nil
	}
	return k.spaces
}

// settle writes down the feet gone so far.
func (k *Walk) settle() {
	if k.feet == 0 {
		return
	}
	mode := k.Way.Mode
	if k.Way.crawling {
		mode = "crawl"
	}
	k.R.Move(&eventv1.Moved{Creature: k.id, To: k.at, Mode: mode, Feet: k.feet}, cite.BaseMovementCostAdditive)
	body.Carry(k.R, k.id)
	if k.Air != nil {
		k.Air.Gone(k.R, k.flown, k.half)
		k.feet, k.half = 0, 0
		return
	}
	spendMovement(k.R, k.id, k.cost, mode)
	underwater.Swims(k.R, k.id, mode)
	k.R.Set(k.id, body.CDangerous, k.R.Count(k.id, body.CDangerous)+int64(k.dangerous), mode, cite.MovementDangerousAsDifficult)
	k.feet, k.cost, k.dangerous = 0, 0, 0
	if body.RunsUp(k.R.Creature(k.id)) {
		k.R.Set(k.id, body.CStraight, int64(k.straight), mode, cite.FeatChargerStraightBonus)
		k.R.Mark(k.id, body.MHeading, k.heading, cite.FeatChargerStraightBonus)
	}
}

// spendMovement takes feet of movement off what is left of the turn's.
func spendMovement(r *rules.Resolution, id string, feet int32, why string, ruleIDs ...string) {
	r.Set(id, body.CMovement, max(0, r.Count(id, body.CMovement)-int64(feet)), why, ruleIDs...)
	r.Set(id, body.CMoved, r.Count(id, body.CMoved)+int64(feet), why, ruleIDs...)
}

// provoke gives every enemy that the next leg provokes its window and tells
// whether the mover goes on.
func (k *Walk) provoke(i int, l leg) bool {
	c := k.R.Creature(k.id)
	if k.Spared {
		return true // rcr.feat.aerial-ace-no-provoke
	}
	away := body.Has(c, body.CondDisengaged) // rcr.base.opportunity-frame
	asked := map[string]bool{}
	offer := func(why checks.Trigger, rule string, ids []string) bool {
		// One crawl is one act: whoever had its window for it has no second one
		// for being crawled away from.
		ids = slices.DeleteFunc(ids, func(id string) bool {
			if away && !body.Feat(k.R.State(), k.R.Creature(id), body.FeatSentinel, cite.FeatSentinelDisengage) {
				return true // rcr.feat.sentinel-disengage
			}
			return asked[id] || why != onCrawl && slices.Contains(k.asked, id) || !answers.MayOpportunity(k.R.State(), id, k.id)
		})
		if len(ids) == 0 {
			return true
		}
		for _, id := range ids {
			asked[id] = true
		}
		k.settle()
		prone := body.Has(k.R.Creature(k.id), body.CondProne)
		led := body.ControllerOf(k.R.State(), k.id) != nil
		OfferOpportunity(k.R, k.id, why, rule, ids, k.take)
		// A mount that has thrown its rider is led no further.
		return canGoOn(k.R, k.id) && body.Has(k.R.Creature(k.id), body.CondProne) == prone && led == (body.ControllerOf(k.R.State(), k.id) != nil)
	}
	if !k.SparedEntry && !offer(onEnterSpace, cite.OpportunityEnterSpace, k.spacesEntered(i, l)) {
		return false
	}
	back, out := k.left(i, l)
	if !offer(onLeave, cite.OpportunityEnterAndLeave, back) {
		return false
	}
	if body.Has(c, body.CondProne) || body.Has(c, body.CondBlinded) {
		if !offer(onLeave, cite.OpportunityStartInReachLeave, out) {
			return false
		}
	}
	return !k.Way.crawling || offer(onCrawl, cite.OpportunityCrawl, k.crawledBy(i))
}

// canGoOn tells whether a creature can still do what it was about to.
//
// rcr.base.opportunity-frame
func canGoOn(r *rules.Resolution, id string) bool {
	c := r.Creature(id)
	return !body.Incapacitated(c) && body.BaseSpeed(r.State(), c) > 0
}

func (k *Walk) reachAt(enemy *eventv1.Creature, at *eventv1.Position) (within, known bool) {
	if enemy.Position == nil || at == nil {
		return false, false
	}
	feet := body.Between(enemy, enemy.Position, k.R.Creature(k.id), at)
	return feet <= body.ReachOf(enemy), true
}

// spacesEntered lists the enemies whose space a leg enters without the leave of
// a tumble or an overrun.
//
// rcr.opportunity.enter-space
func (k *Walk) spacesEntered(i int, l leg) []string {
	c := k.R.Creature(k.id)
	through := rules.RelatedTo(c, body.RelThrough)
	var out []string
	if k.spaces != nil {
		if i > 0 {
			return nil
		}
		for _, id := range k.spaces {
			if !slices.Contains(through, id) {
				out = append(out, id)
			}
		}
		return out
	}
	for _, id := range rules.SortedKeys(k.R.State().Creatures) {
		e := k.R.Creature(id)
		if id == k.id || e.Position == nil || l.to == nil || slices.Contains(through, id) {
			continue
		}
		if grid.Distance(l.to, body.SpaceFeet(c), e.Position, body.SpaceFeet(e)) == 0 && grid.Distance(k.at, body.SpaceFeet(c), e.Position, body.SpaceFeet(e)) > 0 {
			out = append(out, id)
		}
	}
	return out
}

// left lists the enemies whose reach a leg leaves: those it was entered of in
// this turn, and those in whose reach the turn began.
//
// rcr.opportunity.enter-and-leave, rcr.opportunity.start-in-reach-leave
func (k *Walk) left(i int, l leg) (back, away []string) {
	entered := rules.RelatedTo(k.R.Creature(k.id), body.RelEntered)
	add := func(id string) {
		if slices.Contains(entered, id) {
			back = append(back, id)
			return
		}
		away = append(away, id)
	}
	if k.leaves != nil {
		if i == 0 {
			entered = append(entered, k.enters...)
			for _, id := range k.leaves {
				add(id)
			}
		}
		return back, away
	}
	started := rules.RelatedTo(k.R.Creature(k.id), body.RelStarted)
	for _, id := range rules.SortedKeys(k.R.State().Creatures) {
		e := k.R.Creature(id)
		if !body.Hostile(e, k.R.Creature(k.id)) || l.to == nil {
			continue
		}
		was, _ := k.reachAt(e, k.at)
		will, _ := k.reachAt(e, l.to)
		if was && !will && (slices.Contains(entered, id) || slices.Contains(started, id)) {
			add(id)
		}
	}
	return back, away
}

// crawledBy lists the enemies in whose reach the mover crawls and that have not
// had a window for this crawl.
//
// rcr.opportunity.crawl
func (k *Walk) crawledBy(i int) []string {
	var out []string
	if k.threats != nil {
		if i == 0 {
			out = append(out, k.threats...)
			k.asked = append(k.asked, k.threats...)
		}
		return out
	}
	for _, id := range rules.SortedKeys(k.R.State().Creatures) {
		e := k.R.Creature(id)
		if id == k.id || slices.Contains(k.asked, id) {
			continue
		}
		if within, _ := k.reachAt(e, k.at); within {
			k.asked = append(k.asked, id)
			out = append(out, id)
		}
	}
	return out
}

// entered notes whose reach a leg has led into.
func (k *Walk) entered(i int, l leg) {
	add := func(id string) {
		if rules.RelationTo(k.R.Creature(k.id), body.RelEntered, id) == nil {
			k.R.Relate(k.id, &eventv1.Relation{Kind: body.RelEntered, To: id, Round: k.R.State().Round})
		}
	}
	if k.enters != nil {
		if i == 0 {
			for _, id := range k.enters {
				add(id)
			}
		}
	} else if l.to != nil {
		for _, id := range rules.SortedKeys(k.R.State().Creatures) {
			e := k.R.Creature(id)
			if !body.Hostile(e, k.R.Creature(k.id)) {
				continue
			}
			was, _ := k.reachAt(e, k.at)
			if will, known := k.reachAt(e, l.to); known && !was && will {
				add(id)
			}
		}
	}
}

// aims notes how far the way has led straight on.
//
// rcr.feat.charger-straight-bonus
func (k *Walk) aims(l leg) {
	way := ""
	for _, w := range compass {
		if l.to != nil && w.id != "stay" && k.at.Z == l.to.Z && w.x == 5*grid.Sign(l.to.X-k.at.X) && w.y == 5*grid.Sign(l.to.Y-k.at.Y) {
			way = w.id
		}
	}
	if way == "" || way != k.heading {
		k.straight = 0
	}
	if k.heading = way; way != "" {
		k.straight += l.feet
	}
}
