package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Marks of one turn.
const (
	// mStarted names the enemies in whose reach the turn's movement began,
	// mEntered those whose reach was entered since. They are the game master's:
	// they would tell how far an enemy reaches.
	mStarted = "reach-started"
	mEntered = "reach-entered"
	// mThrough names those whose space a tumble or an overrun has opened.
	mThrough = "through"
	// mScathed is "yes" once dangerous terrain has hurt the creature this turn.
	mScathed = "scathed"
)

// Triggers of opportunity attacks in words.
const (
	onEnterSpace trigger = "enters its space"
	onLeave      trigger = "leaves its reach"
	onCrawl      trigger = "crawls within its reach"
	onStand      trigger = "stands up within its reach"
)

// marked reads a list of ids out of a mark.
func marked(c *eventv1.Creature, mark string) []string {
	return strings.FieldsFunc(c.GetMarks()[mark], func(r rune) bool { return r == ',' })
}

// markList writes a list of ids into a mark, for the game master alone.
func markList(r *rules.Resolution, id, mark string, list []string) {
	word := strings.Join(list, ",")
	if r.Creature(id).Marks[mark] != word {
		r.Emit(event.GM(), &eventv1.MarkSet{Subject: id, Mark: mark, Value: word})
	}
}

// walk is a movement being carried out.
type walk struct {
	r     *rules.Resolution
	id    string
	way   *way
	extra int32
	// leaves, enters, spaces and threats are stated; nil means measured.
	leaves, enters, spaces, threats []string
	// take is the command, for what it states about those who strike at it.
	take *eventv1.TakeAction
	// drags are those who are dragged along; times is what that makes of the cost.
	drags []string
	times int32
	// asked are those who had their window for crawling.
	asked []string
	// feet, cost and dangerous are gone but not yet written down.
	feet, cost, dangerous int32
	at                    *eventv1.Position
}

func newWalk(r *rules.Resolution, c *eventv1.Creature, w *way, take *eventv1.TakeAction, extra int32) *walk {
	k := &walk{r: r, id: c.Id, take: take, way: w, extra: extra, times: 1, at: c.Position}
	for _, f := range []struct {
		key  string
		list *[]string
	}{{"leaves_reach_of", &k.leaves}, {"enters_reach_of", &k.enters}, {"enters_space_of", &k.spaces}, {"threatened_by", &k.threats}} {
		list := statedIDs(take.Facts, f.key)
		if *f.list = list; len(list) > 0 {
			w.notes = append(w.notes, f.key+" "+strings.Join(list, ", ")+" (stated)")
		}
	}
	return k
}

// run goes leg by leg. What provokes is asked before the leg is gone, where
// the mover stands then; a mover that can go on no more stays there.
func (k *walk) run() {
	noteStart(k.r, k.id)
	for i, l := range k.way.legs {
		if !k.provoke(i, l) {
			k.r.Note(seenMoving(k.r.Creature(k.id)), k.id, k.r.Creature(k.id).Name+" goes no further", cite.BaseOpportunityFrame)
			break
		}
		cost, dangerous := l.cost(k.extra)
		cost, dangerous = cost*k.times, dangerous*k.times
		if cost > movementLeft(k.r.State(), k.r.Creature(k.id), k.way.mode)-k.cost {
			k.r.Note(seenMoving(k.r.Creature(k.id)), k.id, k.r.Creature(k.id).Name+" has no movement left to go on", cite.BaseMovementCostAdditive)
			break
		}
		k.feet, k.cost, k.dangerous = k.feet+l.feet, k.cost+cost, k.dangerous+dangerous
		k.entered(i, l)
		if l.to != nil {
			k.at = l.to
		}
	}
	k.settle()
}

// settle writes down the feet gone so far.
func (k *walk) settle() {
	if k.feet == 0 {
		return
	}
	mode := k.way.mode
	if k.way.crawling {
		mode = "crawl"
	}
	k.r.Move(&eventv1.Moved{Creature: k.id, To: k.at, Mode: mode, Feet: k.feet}, cite.BaseMovementCostAdditive)
	spendMovement(k.r, k.id, k.cost, mode)
	k.r.Set(k.id, cDangerous, k.r.Count(k.id, cDangerous)+int64(k.dangerous), mode, cite.MovementDangerousAsDifficult)
	k.feet, k.cost, k.dangerous = 0, 0, 0
}

// spendMovement takes feet of movement off what is left of the turn's.
func spendMovement(r *rules.Resolution, id string, feet int32, why string, ruleIDs ...string) {
	r.Set(id, cMovement, max(0, r.Count(id, cMovement)-int64(feet)), why, ruleIDs...)
	r.Set(id, cMoved, r.Count(id, cMoved)+int64(feet), why, ruleIDs...)
}

// provoke gives every enemy that the next leg provokes its window and tells
// whether the mover goes on.
func (k *walk) provoke(i int, l leg) bool {
	c := k.r.Creature(k.id)
	if c.Marks[mDisengaged] != "" {
		return true // rcr.base.opportunity-frame
	}
	asked := map[string]bool{}
	offer := func(why trigger, rule string, ids []string) bool {
		// One crawl is one act: whoever had its window for it has no second one
		// for being crawled away from.
		ids = slices.DeleteFunc(ids, func(id string) bool {
			return asked[id] || why != onCrawl && slices.Contains(k.asked, id) || !mayOpportunity(k.r.State(), id, k.id)
		})
		if len(ids) == 0 {
			return true
		}
		for _, id := range ids {
			asked[id] = true
		}
		k.settle()
		prone := has(k.r.Creature(k.id), condProne)
		offerOpportunity(k.r, k.id, why, rule, ids, k.take)
		return canGoOn(k.r, k.id) && has(k.r.Creature(k.id), condProne) == prone
	}
	if !offer(onEnterSpace, cite.OpportunityEnterSpace, k.spacesEntered(i, l)) {
		return false
	}
	back, away := k.left(i, l)
	if !offer(onLeave, cite.OpportunityEnterAndLeave, back) {
		return false
	}
	if has(c, condProne) || has(c, condBlinded) {
		if !offer(onLeave, cite.OpportunityStartInReachLeave, away) {
			return false
		}
	}
	return !k.way.crawling || offer(onCrawl, cite.OpportunityCrawl, k.crawledBy(i))
}

// canGoOn tells whether a creature can still do what it was about to.
//
// rcr.base.opportunity-frame
func canGoOn(r *rules.Resolution, id string) bool {
	c := r.Creature(id)
	return !incapacitated(c) && baseSpeed(r.State(), c) > 0
}

func (k *walk) reachAt(enemy *eventv1.Creature, at *eventv1.Position) (within, known bool) {
	if enemy.Position == nil || at == nil {
		return false, false
	}
	feet := grid.Distance(enemy.Position, spaceFeet(enemy), at, spaceFeet(k.r.Creature(k.id)))
	return feet <= reachOf(enemy), true
}

// spacesEntered lists the enemies whose space a leg enters without the leave of
// a tumble or an overrun.
//
// rcr.opportunity.enter-space
func (k *walk) spacesEntered(i int, l leg) []string {
	c := k.r.Creature(k.id)
	through := marked(c, mThrough)
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
	for _, id := range rules.SortedKeys(k.r.State().Creatures) {
		e := k.r.Creature(id)
		if id == k.id || e.Position == nil || l.to == nil || slices.Contains(through, id) {
			continue
		}
		if grid.Distance(l.to, spaceFeet(c), e.Position, spaceFeet(e)) == 0 && grid.Distance(k.at, spaceFeet(c), e.Position, spaceFeet(e)) > 0 {
			out = append(out, id)
		}
	}
	return out
}

// left lists the enemies whose reach a leg leaves: those it was entered of in
// this turn, and those in whose reach the turn began.
//
// rcr.opportunity.enter-and-leave, rcr.opportunity.start-in-reach-leave
func (k *walk) left(i int, l leg) (back, away []string) {
	entered := marked(k.r.Creature(k.id), mEntered)
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
	started := marked(k.r.Creature(k.id), mStarted)
	for _, id := range rules.SortedKeys(k.r.State().Creatures) {
		e := k.r.Creature(id)
		if id == k.id || !hostile(e, k.r.Creature(k.id)) || l.to == nil {
			continue
		}
		was, _ := k.reachAt(e, k.at)
		will, known := k.reachAt(e, l.to)
		if known && was && !will && (slices.Contains(entered, id) || slices.Contains(started, id)) {
			add(id)
		}
	}
	return back, away
}

// crawledBy lists the enemies in whose reach the mover crawls and that have not
// had a window for this crawl.
//
// rcr.opportunity.crawl
func (k *walk) crawledBy(i int) []string {
	var out []string
	if k.threats != nil {
		if i == 0 {
			out = append(out, k.threats...)
			k.asked = append(k.asked, k.threats...)
		}
		return out
	}
	for _, id := range rules.SortedKeys(k.r.State().Creatures) {
		e := k.r.Creature(id)
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
func (k *walk) entered(i int, l leg) {
	list := marked(k.r.Creature(k.id), mEntered)
	before := len(list)
	add := func(id string) {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	if k.enters != nil {
		if i == 0 {
			for _, id := range k.enters {
				add(id)
			}
		}
	} else if l.to != nil {
		for _, id := range rules.SortedKeys(k.r.State().Creatures) {
			e := k.r.Creature(id)
			if id == k.id || !hostile(e, k.r.Creature(k.id)) {
				continue
			}
			was, _ := k.reachAt(e, k.at)
			if will, known := k.reachAt(e, l.to); known && !was && will {
				add(id)
			}
		}
	}
	if len(list) > before {
		markList(k.r, k.id, mEntered, list)
	}
}

// noteStart notes in whose reach a creature stands before it moves for the
// first time in its turn.
func noteStart(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Marks[mStarted] != "" {
		return
	}
	list := []string{"-"} // so that it is noted once even when there is nobody
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		e := r.Creature(other)
		if other != id && hostile(e, c) && withinReach(e, c) {
			list = append(list, other)
		}
	}
	markList(r, id, mStarted, list)
}
