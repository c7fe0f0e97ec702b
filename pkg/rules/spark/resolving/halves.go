package resolving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FirstHalf carries out what of a declaration belongs to the first half: the
// move, the weapon brought to hand, the beginning of a spell.
//
// spark.turn.movement-first
func (f *fray) FirstHalf(id string) {
	r, d := f.r, f.decl[id]
	if f.gone(id) || f.ended[id] || !f.begun(id) {
		return
	}
	if d.Bonus != nil && d.Bonus.Kind == "draw" {
		f.toHand(id, "drawn", cite.ActionBonus)
	}
	if d.Bonus != nil && d.Bonus.Kind == "gather" {
		f.gather(id, d.Bonus.Item, 1)
	}
	if d.Stand {
		for _, x := range r.Creature(id).Conditions {
			if x.Name == body.CondProne {
				r.RemoveCondition(id, x, "stands up", body.RuleProne)
			}
		}
	}
	if !f.held(id) {
		f.walk(id, d)
	}
	if d.Bonus != nil && d.Bonus.Kind == "pick-up" && !f.gone(id) && !f.ended[id] {
		f.pickUp(id, d)
	}
	if d.Kind == declaring.KindCast && !f.ruinedEarly[id] {
		f.announce(id, d)
	}
}

func (f *fray) toHand(id, cause, rule string) {
	item := f.decl[id].Bonus.Item
	f.r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: item, Place: Hand(body.WeaponOf(f.r.Creature(id), item)), Cause: cause}, rule)
}

// walk moves a creature along its path; each step away from an enemy may be
// answered before the next.
//
// spark.action.move, spark.reaction.opportunity-attack, spark.turn.reaction-attack-now
func (f *fray) walk(id string, d *declaring.Declaration) {
	r := f.r
	f.walked[id] = true
	if d.Stated.Provokes != nil && d.Feet > 0 {
		f.provoke(id, d.Stated.Provokes, "steps away", true)
	}
	from := r.Creature(id).Position
	if len(d.Path) == 0 || f.gone(id) || f.ended[id] {
		return
	}
	path := d.Path
	if from == nil {
		from, path = path[0], path[1:]
		r.Move(&eventv1.Moved{Creature: id, To: from, Mode: "walk"}, cite.ActionMove)
	}
	walked, slowed := int32(0), r.Content().Asks(effects.KindSpeed) && length(from, path) == d.Feet
	last, feet, left := from, int32(0), body.SpeedOf(r.Creature(id))
	move := func(to *eventv1.Position) {
		if feet > 0 {
			r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "walk", Feet: feet}, cite.ActionMove)
		}
		feet = 0
	}
	for _, to := range body.Steps(from, path) {
		if d.Stated.Provokes == nil {
			if behind := f.leaves(id, last, to); len(behind) > 0 {
				move(last)
				if f.provoke(id, behind, "steps away", false); f.gone(id) || f.undone[id] {
					return
				}
			}
		}
		// An injury of this half may have shortened the way; a stated speed beats none.
		if left -= grid.Steps(last, to); left < 0 && body.HasInjury(r.Creature(id), body.InjuryLegs) {
			break
		}
		if walked += grid.Steps(last, to); slowed && walked > body.SpeedOf(r.Creature(id)) {
			break // by what content laid on it since it declared
		}
		feet += grid.Steps(last, to)
		last = to
	}
	move(last)
}

// length of a path in feet.
func length(from *eventv1.Position, path []*eventv1.Position) int32 {
	feet := int32(0)
	for _, p := range path {
		feet += grid.Steps(from, p)
		from = p
	}
	return feet
}

// leaves lists the enemies whose reach a step leaves.
//
// spark.reaction.opportunity-attack
func (f *fray) leaves(id string, from, to *eventv1.Position) []string {
	c := f.r.Creature(id)
	var left []string
	for _, other := range f.living() {
		e := f.r.Creature(other)
		if !body.Hostile(e, c) || e.Position == nil {
			continue
		}
		if reach := declaring.ReachOf(f.r.State(), e); body.DistanceAt(e.Position, e, from, c) <= reach && body.DistanceAt(e.Position, e, to, c) > reach {
			left = append(left, other)
		}
	}
	return left
}

// reaching lists the weapons ready for a reaction that reach a creature: all of them
// where it is stated that it leaves their reach.
func (f *fray) reaching(id, target string, stated bool) []*eventv1.SparkWeapon {
	c := f.r.Creature(id)
	if stated {
		return declaring.Armed(f.r.State(), c)
	}
	return slices.DeleteFunc(declaring.Armed(f.r.State(), c), func(w *eventv1.SparkWeapon) bool {
		return beyondReach(c, f.r.Creature(target), w, declaring.Strike{}, declaring.Stated{})
	})
}

// answer is a way to answer a provocation.
type answer struct {
	// id and text of its option.
	id, text string
	// strike that it makes.
	strike declaring.Strike
}

// opportunities are the ways to answer a provocation, as long as the weapon reaches. A
// weapon of several kinds is offered once for each: the class of a critical fail is
// named with the attack. That a cracked one is used is said in so many words.
//
// spark.reaction.opportunity-attack, spark.fumble.weapon-class, spark.fumble.weapon-cracked
func (f *fray) opportunities(id, mover string, stated bool) []answer {
	var list []answer
	for _, w := range f.reaching(id, mover, stated) {
		for i, class := range w.FumbleClasses {
			a := answer{id: w.Name, text: "Attack with " + w.Name, strike: declaring.Strike{Weapon: w.Name, Target: mover, Reaches: stated}}
			if i > 0 {
				a.id, a.text, a.strike.Class = a.id+":"+class, a.text+", class "+class, class
			}
			if body.IsCracked(f.r.Creature(id), w.Name) {
				a.id, a.text, a.strike.Risk = a.id+":"+declaring.UseCracked, a.text+": it is cracked, and using it breaks it for good", true
			}
			list = append(list, a)
		}
	}
	return list
}

// opportunityOptions are those ways as they are asked for.
func (f *fray) opportunityOptions(id, mover string, stated bool) []*eventv1.DecisionOption {
	options := []*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}
	for _, a := range f.opportunities(id, mover, stated) {
		options = append(options, &eventv1.DecisionOption{Id: a.id, Text: a.text, Rule: cite.ReactionOpportunityAttack})
	}
	return options
}

// reacts tells whether a creature has a reaction now. A bump ruins those too:
// both kinds are attacks or magic of this round.
//
// spark.fumble.bump-nearest, spark.reaction.one-per-round, spark.reaction.concentration-bars, spark.action.multi-round-lock
func (f *fray) reacts(id, action string) bool {
	c := f.r.Creature(id)
	if bar, _ := body.Conditions.Barring(c, condition.BarsReacting); bar != nil {
		return false
	}
	return !f.gone(id) && !f.ruined[id] && f.affords(id, action) && !body.Locked(f.r.State(), c)
}

// provoke offers enemies an attack on a mover and carries out those taken; stated tells
// that it is said, not measured, whose reach it leaves.
//
// spark.reaction.opportunity-attack, spark.turn.reaction-attack-now, spark.fumble.trip-two-rounds
func (f *fray) provoke(mover string, enemies []string, why string, stated bool) {
	const rule = cite.ReactionOpportunityAttack
	r, s := f.r, f.r.State()
	together := f.throwing
	f.throwing = false // it is thrown and settled at once, whatever else is under way
	may := func(id string) bool {
		e := r.Creature(id)
		return f.reacts(id, body.DecOpportunity) && !body.Barred(s, e) && body.Hostile(e, r.Creature(mover))
	}
	decisions, labels := map[string]*eventv1.Decision{}, []string{}
	for _, id := range enemies {
		label := "provoked/" + mover + "/" + id
		if !may(id) || len(f.reaching(id, mover, stated)) == 0 || decisions[label] != nil {
			continue
		}
		name := r.Creature(mover).Name
		decisions[label] = &eventv1.Decision{Name: body.DecOpportunity, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: name + " " + why,
			Question: r.Creature(id).Name + " may attack " + name, DefaultOption: "no", Rule: rule, Against: []string{mover}, Options: f.opportunityOptions(id, mover, stated)}
		labels = append(labels, label)
	}
	if len(labels) > 0 && f.quiet(mover) {
		labels = nil
	}
	answers := r.AskAll(decisions, labels)
	for _, label := range labels {
		id := decisions[label].Creature
		ways := f.opportunities(id, mover, stated)
		taken := slices.IndexFunc(ways, func(a answer) bool { return a.id == answers[label].Option })
		if taken < 0 || !may(id) || f.gone(mover) {
			continue
		}
		st := ways[taken].strike
		f.react(id, body.DecOpportunity, "opportunity attack")
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: body.DecOpportunity, Targets: []string{mover}, Item: st.Weapon}, rule)
		if sl := f.strike(id, st, label, false, declaring.Stated{}); sl != nil {
			f.apply(sl)
		}
	}
	f.throwing = together
}

// pickUp fetches a weapon that flew off; whoever stands near may attack,
// nearest first.
//
// spark.fumble.weapon-flies
func (f *fray) pickUp(id string, d *declaring.Declaration) {
	item := d.Bonus.Item
	if f.held(id) || !f.atHand(id, item) {
		f.r.Note(event.Everyone(), id, item+" is not reached", cite.FumbleWeaponFlies)
		return
	}
	near := d.Stated.Provokes
	if near == nil {
		near = f.around(id, "")
	}
	f.provoke(id, near, "fetches "+item, d.Stated.Provokes != nil)
	if !f.gone(id) && !f.ended[id] && f.r.Creature(id).Items[item].GetPlace() == "dropped" {
		f.toHand(id, "picked up", cite.FumbleWeaponFlies)
	}
}

// atHand tells whether a weapon on the ground lies within 5 feet, as far as it is known.
func (f *fray) atHand(id, item string) bool {
	c := f.r.Creature(id)
	v := c.Items[item].GetValues()
	_, mapped := v["x"]
	return !mapped || c.Position == nil || grid.Steps(c.Position, &eventv1.Position{X: v["x"], Y: v["y"], Z: c.Position.Z}) <= 5
}

// around lists the enemies that reach a creature, nearest first and at equal
// distances a given one first.
func (f *fray) around(id, first string) []string {
	c := f.r.Creature(id)
	var near []string
	away := map[string]int32{}
	for _, other := range f.living() {
		e := f.r.Creature(other)
		feet, known := body.Distance(e, c)
		if !known || !body.Hostile(e, c) || feet > declaring.ReachOf(f.r.State(), e) {
			continue
		}
		away[other] = 2 * feet
		if other == first {
			away[other]--
		}
		near = append(near, other)
	}
	slices.SortStableFunc(near, func(a, b string) int { return int(away[a] - away[b]) })
	return near
}

// announce shows that a spell is begun and takes the counterspells announced
// against it.
//
// spark.turn.counterspell-announced-first-half, spark.reaction.counterspell,
// spark.spell.counterspell-eligibility, spark.spell.counterspell-declare-mana
func (f *fray) announce(caster string, d *declaring.Declaration) {
	const rule = cite.ReactionCounterspell
	r := f.r
	decisions, labels := map[string]*eventv1.Decision{}, []string{}
	for _, id := range f.living() {
		c := r.Creature(id)
		if !body.Hostile(c, r.Creature(caster)) || !f.reacts(id, body.DecCounterspell) || len(body.SheetOf(c).Sparks) == 0 || body.BestTree(c) == nil || c.Counters[body.CMana] < 1 {
			continue
		}
		label := "counterspell/" + caster + "/" + id
		decisions[label] = rules.About(rules.YesNo(body.DecCounterspell, id, r.Creature(caster).Name+" begins "+d.Spell, "Announce a counterspell?", "no", rule), caster)
		labels = append(labels, label)
	}
	if len(labels) == 0 {
		return
	}
	answers := r.AskAll(decisions, labels)
	for _, label := range labels {
		id := decisions[label].Creature
		if answers[label].Option != "yes" {
			continue
		}
		f.counters = append(f.counters, f.stake(id, caster, label))
		f.react(id, body.DecCounterspell, "counterspell")
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: id, Action: body.DecCounterspell, Targets: []string{caster}, Item: d.Spell}, rule)
	}
}

// stake asks how much mana a counterspell takes and of which tree it is.
//
// spark.spell.counterspell-declare-mana, spark.spell.counterspell-rank
func (f *fray) stake(id, caster, label string) counter {
	c := f.r.Creature(id)
	best := body.BestTree(c)
	k := counter{by: id, caster: caster, tree: best.Name}
	k.mana = f.r.Ask(label+"/mana", &eventv1.Decision{Name: body.DecMana, Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Creature: id,
		Cause: "the counterspell", Question: "How many mana points?", Minimum: 1, Maximum: int32(c.Counters[body.CMana]),
		Rule: cite.SpellCounterspellDeclareMana}).Number
	if trees := body.SheetOf(c).ManaTrees; len(trees) > 1 {
		q := &eventv1.Decision{Name: body.DecTree, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "the counterspell",
			Question: "Which mana tree?", DefaultOption: best.Name, Rule: cite.SpellCounterspellRank}
		for _, t := range trees {
			q.Options = append(q.Options, &eventv1.DecisionOption{Id: t.Name, Text: t.Name + " (rank " + body.Itoa(t.Rank) + ")"})
		}
		k.tree = f.r.Ask(label+"/tree", q).Option
	}
	return k
}
