package resolving

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fray is the plan of a running round. It is made anew by each run and holds
// only what does not outlast the round.
type fray struct {
	r *rules.Resolution
	// Order of declaring; those casting since an earlier round come first.
	Order []string
	// decl is what each has declared.
	decl map[string]*declaring.Declaration
	// ruined are those whose attacks and spells of this round are spoilt.
	ruined map[string]bool
	// ruinedEarly are those ruined in the first half already.
	ruinedEarly map[string]bool
	// cut are those whose own sequence was ended by a bump of their own.
	cut map[string]bool
	// ended are those whose turn has ended by a fall; undone, those for whom that
	// holds of what they have thrown for too.
	ended, undone map[string]bool
	// throwing while the d20s of the attack half are thrown; then is the state
	// before the first of them, and goneThen who was out by then. then is nil
	// where no d20 can bear on another.
	throwing bool
	then     *eventv1.State
	goneThen map[string]bool
	// stood is whose d20s are being thrown, if it stood when it began.
	stood string
	// granted and used: advantage for the next attack roll, in this half.
	granted, used map[string]bool
	// flying are the missiles of a creature's weapon that are shot or thrown in this half
	// and will be counted off at their slots.
	flying map[[2]string]int64
	// walked are those whose declared move is made.
	walked map[string]bool
	// fell are those that were put out in this round.
	fell map[string]bool
	// done are those whose contested deed is done.
	done map[string]bool
	// counters are the counterspells announced, in that order.
	counters []counter
	// slots of the attack half.
	slots []*slot
	// ids of all creatures, in order: none comes or goes while a round runs.
	ids []string
	// hands carry out what content sets off; made when the first of it comes.
	hands *house.Hands
}

// counter is an announced counterspell.
type counter struct {
	by, caster, tree string
	mana             int32
}

// NewFray plans the round from what those still in the fight have declared, or go on
// casting.
func NewFray(r *rules.Resolution) *fray {
	f := &fray{r: r, decl: map[string]*declaring.Declaration{}, ruined: map[string]bool{}, ruinedEarly: map[string]bool{}, cut: map[string]bool{},
		ended: map[string]bool{}, undone: map[string]bool{}, goneThen: map[string]bool{}, granted: map[string]bool{}, used: map[string]bool{}, walked: map[string]bool{},
		fell: map[string]bool{}, done: map[string]bool{}, flying: map[[2]string]int64{}, ids: r.CreatureIDs()}
	for _, id := range f.living() {
		c := r.Creature(id)
		d := declaring.DeclarationOf(r.Content(), c, body.BegunDeclared)
		if body.Locked(r.State(), c) { // and has declared nothing
			d = declaring.DeclarationOf(r.Content(), c, body.BegunCasting)
		}
		if d != nil {
			d.Forget(func(other string) bool { return body.Left(r.Creature(other)) })
			f.decl[id] = d
			f.Order = append(f.Order, id)
		}
	}
	slices.SortStableFunc(f.Order, func(a, b string) int { return cmp.Compare(r.Count(a, body.COrder), r.Count(b, body.COrder)) })
	return f
}

// living lists the creatures that are not out of the fight.
func (f *fray) living() []string {
	ids := make([]string, 0, len(f.ids))
	for _, id := range f.ids {
		if !body.Out(f.r.Creature(id)) {
			ids = append(ids, id)
		}
	}
	return ids
}

// begun tells whether a creature declared its deed in this round.
func (f *fray) begun(id string) bool { return f.r.Count(id, body.COrder) > 0 }

// Reveal opens all declarations together and spends what they cost.
//
// spark.turn.declare, spark.action.multi-round-lock
func (f *fray) Reveal() {
	r := f.r
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseMove}, cite.TurnTwoHalves)
	for _, id := range f.Order {
		if !f.begun(id) {
			continue
		}
		d, c := f.decl[id], r.Creature(id)
		b := rules.BegunOf(c, body.BegunDeclared)
		r.Begin(id, b, cite.TurnDeclare)
		r.Emit(event.Everyone(), d.Told(id), cite.TurnDeclare)
		body.Spend(r, id, body.CAction, declaring.Price(r.Content(), r.State(), c, d.Kind, body.CAction), "declared", cite.ActionKinds)
		if d.Bonus != nil {
			body.Spend(r, id, body.CBonus, 1, "declared", cite.ActionBonus)
		}
		if sp := body.SpellOf(c, d.Spell); sp != nil && sp.Rounds > 0 {
			r.Begin(id, &eventv1.Begun{Kind: body.BegunCasting, Action: b.Action, Words: sp.Name, Round: r.State().Round, Values: b.Values,
				Until: body.UntilRound(r.State().Round + sp.Rounds - 1), Rule: cite.ActionMultiRoundLock}, cite.ActionMultiRoundLock)
		}
	}
}

// EndLock ends a spell that took rounds, or whose caster was put out.
//
// spark.action.multi-round-lock, spark.turn.killed-first-fails
func (f *fray) EndLock(id string) {
	c := f.r.Creature(id)
	if f.gone(id) || body.CastsUntil(c) <= f.r.State().Round {
		f.r.EndBegun(id, body.BegunCasting, "the casting is over", cite.ActionMultiRoundLock)
	}
}

// deed has harm done and notes who is put out by it. It tells what was taken.
func (f *fray) deed(h *eventv1.Harm) int32 {
	stood := !body.Out(f.r.Creature(h.Target))
	taken := f.r.Harm("harm/"+h.Target, h, f.about()...).Taken
	out := body.Out(f.r.Creature(h.Target))
	if out {
		f.fell[h.Target] = true
	}
	if h.Deed == body.DeedDamage {
		f.harmed(h, taken, stood && out)
	}
	return taken
}

func (f *fray) hurt(target, source, cause string, parts []*eventv1.DamagePart, critical bool) int32 {
	return f.deed(&eventv1.Harm{Deed: body.DeedDamage, Target: target, Source: source, Cause: cause, Critical: critical, Parts: parts})
}

// ThrowAll throws the d20s of the attack half.
//
// spark.turn.all-roll-together
func (f *fray) ThrowAll() {
	if f.r.On(body.RuleAlt) {
		f.then = event.Clone(f.r.State())
		for _, id := range rules.SortedKeys(f.then.Creatures) {
			f.goneThen[id] = f.gone(id)
		}
	}
	f.throwing = true
	for _, id := range f.Order {
		f.throw(id)
	}
	f.throwing = false
}

// held tells whether a creature's move waits for the attack half: it says so
// itself, or somebody's deed races it.
//
// spark.initiative.other-deeds
func (f *fray) held(id string) bool {
	d := f.decl[id]
	return d != nil && d.Moves() && (d.Contested || f.raced(id))
}

// raced tells whether a declared deed races that of a creature.
func (f *fray) raced(id string) bool {
	for _, by := range f.Order {
		if f.decl[by].Rival == id {
			return true
		}
	}
	return false
}

// forestalled tells whether a contested deed or move comes too late: its rival,
// or for a move whoever raced it, was first.
//
// spark.initiative.other-deeds
func (f *fray) forestalled(sl *slot) bool {
	raced := func(by string) bool { return f.decl[by].Rival == sl.by && f.done[by] }
	return f.done[f.decl[sl.by].Rival] || f.held(sl.by) && slices.ContainsFunc(f.Order, raced)
}

// gone tells whether a creature is out or was so earlier in this round.
//
// spark.turn.killed-first-fails
func (f *fray) gone(id string) bool { return f.fell[id] || body.Out(f.r.Creature(id)) }
