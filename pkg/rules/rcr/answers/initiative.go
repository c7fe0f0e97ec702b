package answers

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	thedice "github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// block is a range of initiative as the game master calls it.
type block struct {
	// Name as called.
	Name string
	// from is the lowest total in it.
	from int32
}

// Blocks are the ranges from the top. A total belongs to the first that
// contains it: 20 acts under 25-20, more than 25 under the first call, less
// than 0 under the last.
//
// rcr.initiative.range-call
var Blocks = []block{{"25-20", 20}, {"20-15", 15}, {"15-10", 10}, {"10-5", 5}, {"5-0", -1_000_000}}

// BlockOf is the position in blocks of a total.
func BlockOf(total int32) int {
	return slices.IndexFunc(Blocks, func(b block) bool { return total >= b.from })
}

// InitiativeOf is a creature's place in the order of a round.
func InitiativeOf(c *eventv1.Creature, round int32) *eventv1.Initiative {
	for _, i := range c.GetInitiative() {
		if i.Round == round {
			return i
		}
	}
	return nil
}

// RollInitiative rolls for a round and places the creatures in its order.
// Nobody sees a total but its owner until its range is called.
//
// rcr.initiative.every-round, rcr.initiative.roll-at-turn-end
func RollInitiative(r *rules.Resolution, round int32, ids ...string) {
	for i, total := range initiativeTotals(r, ids...) {
		place(r, ids[i], round, total)
	}
}

// initiativeTotals rolls initiative for the creatures in this order: first
// every choice of ability, then the dice.
//
// rcr.initiative.dex-or-int
func initiativeTotals(r *rules.Resolution, ids ...string) []int32 {
	decisions := map[string]*eventv1.Decision{}
	var labels []string
	best := make([]string, len(ids))
	for i, id := range ids {
		var d *eventv1.Decision
		if best[i], d = abilityDecision(r, r.Creature(id)); d != nil {
			label := "initiative/" + id
			decisions[label] = d
			labels = append(labels, label)
		}
	}
	answers := map[string]*eventv1.Answer{}
	if len(labels) > 0 {
		answers = r.AskAll(decisions, labels)
	}
	var totals []int32
	for i, id := range ids {
		c, ability := r.Creature(id), best[i]
		if a := answers["initiative/"+id]; a != nil {
			ability = a.Option
		}
		kinds := []string{body.ChInitiative}
		if r.On(body.SetInitiativeIsCheck) {
			kinds = thedice.CheckKinds(ability, body.ChInitiative)
		}
		audience := initiativeAudience(c)
		mods := []*eventv1.Modifier{body.Mod(body.AbilityMod(c, ability), ability, cite.InitiativeDexOrInt)}
		rolled := thedice.D20{Label: "initiative/" + id, Creature: c, Reason: "initiative of " + c.Name, Audience: audience,
			Modifiers: slices.Concat(mods, thedice.ChangeMods(r, "initiative/"+id, c, audience, kinds...),
				house.Mods(r, "initiative/"+id, c, audience, house.PointInitiative, effects.Env{State: r.State(), Actor: c})),
			Edges: slices.Concat(thedice.CheckEdges(r.State(), c, ability, "", "initiative"), thedice.SpendHeld(r, c, body.ForInitiative),
				house.Edges(r, c, house.PointInitiative, effects.Env{State: r.State(), Actor: c})),
			Rules: []string{cite.InitiativeEveryRound, cite.InitiativeDexOrInt}}.Roll(r)
		totals = append(totals, rolled.Total)
	}
	return totals
}

// place puts a creature into the order of a round: for all to see when its
// range was called already.
func place(r *rules.Resolution, id string, round, total int32) {
	audience := initiativeAudience(r.Creature(id))
	if round == r.State().Round && BlockOf(total) <= body.BlockNow(r.State()) {
		audience = event.Everyone()
	}
	r.Emit(audience, &eventv1.InitiativeSet{Creature: id, Round: round, Total: total}, cite.InitiativeRangeCall)
}

// initiativeAudience is who may see a creature's roll before its range is
// called; that of a dying creature the game master alone. The total tells nothing
// of its death saves: it leaves aside the exhaustion that they brought (a
// reading), since the order of turns is for all to see.
//
// rcr.initiative.roll-at-turn-end, rcr.death.secret-saves
func initiativeAudience(c *eventv1.Creature) *eventv1.Audience {
	if body.Down(c) {
		return event.GM()
	}
	return event.Controllers(c.Id)
}

// abilityDecision is the better ability, and the choice of one, or nil when there is
// nothing to choose or nobody to ask.
//
// rcr.initiative.dex-or-int
func abilityDecision(r *rules.Resolution, c *eventv1.Creature) (best string, choice *eventv1.Decision) {
	best, same := betterAbility(r.State(), c)
	if same {
		return best, nil
	}
	ordered := c.StandingOrders[body.DecInitiative] != ""
	switch r.Value(body.SetInitiativeChoice) {
	case "best":
		return best, nil
	case "players":
		if len(c.Controllers) == 0 && !ordered {
			return best, nil
		}
	}
	return best, &eventv1.Decision{Name: body.DecInitiative, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id,
		Cause: "initiative of " + c.Name, Question: "Roll initiative with Dexterity or Intelligence?",
		Options:       []*eventv1.DecisionOption{{Id: "dexterity", Text: "Dexterity"}, {Id: "intelligence", Text: "Intelligence"}},
		DefaultOption: best, Rule: cite.InitiativeDexOrInt}
}

// outlook is what weighs on initiative rolled with an ability: dice that an
// effect adds to its checks count as half their sides.
func outlook(s *eventv1.State, c *eventv1.Creature, ability string) (thedice.Pool, int32) {
	n := body.AbilityMod(c, ability)
	for ch := range body.ChangesOf(c) {
		if !body.Defaults.On(s, body.SetInitiativeIsCheck) {
			break
		}
		if d, dice := body.DieOf(ch.Key, body.ChCheck+"."+ability); dice {
			n += ch.Value * int32(body.Atoi(d[1:])+1) / 2
		} else if ch.Key == body.ChCheck+"."+ability {
			n += ch.Value
		}
	}
	return thedice.Weigh(thedice.CheckEdges(s, c, ability, "", "initiative")), n
}

// betterAbility is the ability with less against it, then the higher modifier,
// then Dexterity; same tells whether it makes no difference.
func betterAbility(s *eventv1.State, c *eventv1.Creature) (ability string, same bool) {
	p, m := outlook(s, c, "dexterity")
	q, n := outlook(s, c, "intelligence")
	if q > p || q == p && n > m {
		return "intelligence", false
	}
	return "dexterity", p == q && m == n
}

// CallBlocks calls the ranges down to a block: the totals in each become
// public, highest first, and effects that last until the end of a block passed
// are over.
//
// rcr.initiative.range-call, rcr.initiative.duration-by-block
func CallBlocks(r *rules.Resolution, down int) {
	for i := body.BlockNow(r.State()) + 1; i <= down; i++ {
		body.EndBlock(r, i-1)
		r.Set("", body.CBlock, int64(i)+1, "the block is called", cite.InitiativeRangeCall)
		if !checks.SurpriseRound(r.State()) {
			r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: Blocks[i].Name}, cite.InitiativeRangeCall)
		}
		round := r.State().Round
		for _, id := range inBlock(r, round, i) {
			place := InitiativeOf(r.Creature(id), round)
			r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: round, Total: place.Total, Tiebreak: place.Tiebreak},
				cite.InitiativeRangeCall)
		}
	}
}

func inBlock(r *rules.Resolution, round int32, b int) []string {
	s := r.State()
	var ids []string
	for _, id := range r.CreatureIDs() {
		if i := InitiativeOf(s.Creatures[id], round); i != nil && BlockOf(i.Total) == b && !body.Dead(s.Creatures[id]) {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		return int(InitiativeOf(s.Creatures[b], round).Total - InitiativeOf(s.Creatures[a], round).Total)
	})
	return ids
}

// waiting lists who still has a turn in the round, in no order but by id.
func waiting(r *rules.Resolution) []string {
	s := r.State()
	var ids []string
	for _, id := range r.CreatureIDs() {
		c := s.Creatures[id]
		if !body.Dead(c) && InitiativeOf(c, s.Round) != nil && !hasHadTurn(c, s.Round) {
			ids = append(ids, id)
		}
	}
	return ids
}

// NextUp is the creature that acts next; empty when the round is over. Its
// range is called. Ties are broken only now, so that nobody learns more than
// the tie.
func NextUp(r *rules.Resolution) string {
	s := r.State()
	var tied []string
	var top *eventv1.Initiative
	for _, id := range waiting(r) {
		i := InitiativeOf(s.Creatures[id], s.Round)
		switch {
		case top == nil || i.Total > top.Total:
			top, tied = i, []string{id}
		case i.Total == top.Total: // whoever won a tie has had its turn
			tied = append(tied, id)
		}
	}
	if len(tied) == 0 {
		return ""
	}
	CallBlocks(r, BlockOf(top.Total))
	if len(tied) == 1 {
		return tied[0]
	}
	return breakTie(r, tied, top)
}

// breakTie has the game master say who of the tied goes first, or the player when
// all of the tied are one player's. Several players settle it among themselves, and
// the game master says what they came to: none of them decides for another.
//
// rcr.initiative.range-call
func breakTie(r *rules.Resolution, tied []string, at *eventv1.Initiative) string {
	first := tied[0]
	if r.Value(body.SetTieBreak) == "dexterity" {
		for _, id := range tied[1:] {
			if body.AbilityScore(r.Creature(id), "dexterity") > body.AbilityScore(r.Creature(first), "dexterity") {
				first = id
			}
		}
	} else {
		first = r.Ask("tie-break/"+strings.Join(tied, "+"), tieDecision(r, tied)).Option
	}
	r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: first, Round: at.Round, Total: at.Total, Tiebreak: at.Tiebreak + 1},
		cite.InitiativeRangeCall)
	return first
}

func tieDecision(r *rules.Resolution, tied []string) *eventv1.Decision {
	d := &eventv1.Decision{Name: body.DecTieBreak, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Question: "Who goes first?",
		Cause: "a tie of initiative", DefaultOption: tied[0], Rule: cite.InitiativeRangeCall, Creature: tied[0]}
	theirs := slices.Clone(r.Creature(tied[0]).Controllers)
	for _, id := range tied {
		c := r.Creature(id)
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: id, Text: c.Name})
		theirs = slices.DeleteFunc(theirs, func(name string) bool { return !slices.Contains(c.Controllers, name) })
	}
	if len(theirs) == 0 {
		d.Creature, d.GmOnly = "", true
	}
	return d
}

// RerollHealed gives a creature that healing woke a new place in this round.
// Higher than the turn now running it is the next turn, as no other total left
// is higher; turns never nest. A turn already had this round does not matter,
// and what was rolled for the next round is rolled again when the new turn ends.
//
// rcr.initiative.healed-reroll
func RerollHealed(r *rules.Resolution, id string) {
	s, c := r.State(), r.Creature(id)
	if s.Status != eventv1.State_STATUS_STARTED || body.Dead(c) || body.Down(c) || body.Has(c, body.CondUnconscious) ||
		slices.Contains(s.Active, id) || checks.SurpriseRound(s) && Surprised(c) {
		return
	}
	for _, round := range []int32{s.Round, s.Round + 1} {
		if InitiativeOf(c, round) != nil {
			r.Emit(event.Everyone(), &eventv1.InitiativeCleared{Creature: id, Round: round}, cite.InitiativeHealedReroll)
		}
	}
	r.Set(id, body.CTurn, -1, "healed", cite.InitiativeHealedReroll)
	RollInitiative(r, s.Round, id)
}
