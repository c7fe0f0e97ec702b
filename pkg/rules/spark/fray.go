package spark

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// fray is the plan of a running round. It is made anew by each run and holds
// only what does not outlast the round.
type fray struct {
	r *rules.Resolution
	// order of declaring; those casting since an earlier round come first.
	order []string
	// decl is what each has declared.
	decl map[string]*declaration
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
}

// counter is an announced counterspell.
type counter struct {
	by, caster, tree string
	mana             int32
}

func newFray(r *rules.Resolution) *fray {
	f := &fray{r: r, decl: map[string]*declaration{}, ruined: map[string]bool{}, ruinedEarly: map[string]bool{}, cut: map[string]bool{},
		ended: map[string]bool{}, undone: map[string]bool{}, goneThen: map[string]bool{}, granted: map[string]bool{}, used: map[string]bool{}, walked: map[string]bool{},
		fell: map[string]bool{}, done: map[string]bool{}}
	for _, id := range living(r.State()) {
		c := r.Creature(id)
		d := decode(c.Marks[mDeclared])
		if d == nil && locked(r.State(), c) {
			d = decode(c.Marks[mCasting])
		}
		if d != nil {
			d.forget(func(other string) bool { return left(r.Creature(other)) })
			f.decl[id] = d
			f.order = append(f.order, id)
		}
	}
	slices.SortStableFunc(f.order, func(a, b string) int { return cmp.Compare(r.Count(a, cOrder), r.Count(b, cOrder)) })
	return f
}

// begun tells whether a creature declared its deed in this round.
func (f *fray) begun(id string) bool { return f.r.Count(id, cOrder) > 0 }

// reveal opens all declarations together and spends what they cost.
//
// spark.turn.declare, spark.action.multi-round-lock
func (f *fray) reveal() {
	r := f.r
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: phaseMove}, cite.TurnTwoHalves)
	for _, id := range f.order {
		if !f.begun(id) {
			continue
		}
		d, c := f.decl[id], r.Creature(id)
		mark := c.Marks[mDeclared]
		r.Emit(event.Everyone(), &eventv1.MarkSet{Subject: id, Mark: mDeclared, Value: mark}, cite.TurnDeclare)
		r.Emit(event.Everyone(), d.told(id), cite.TurnDeclare)
		r.Set(id, cPackage, 0, "declared", cite.ActionKinds)
		if d.Bonus != nil {
			r.Set(id, cBonus, 0, "declared", cite.ActionBonus)
		}
		if sp := spellOf(c, d.Spell); sp != nil && sp.Rounds > 0 {
			r.Set(id, cLocked, int64(r.State().Round+sp.Rounds-1), "casting "+sp.Name, cite.ActionMultiRoundLock)
			r.Mark(id, mCasting, mark, cite.ActionMultiRoundLock)
		}
	}
}

// told is a declaration as everyone hears it.
func (d *declaration) told(id string) *eventv1.ActionTaken {
	a := &eventv1.ActionTaken{Creature: id, Action: d.Kind, Targets: slices.Clone(d.Targets), Item: d.Spell + d.Weapon}
	for i, st := range d.Strikes {
		a.Targets = append(a.Targets, st.Target)
		if i == 0 {
			a.Item = st.Weapon
		}
	}
	if d.Thing != nil {
		a.Item = d.Thing.Name
	}
	if d.Text != "" {
		a.Notes = append(a.Notes, d.Text)
	}
	if d.Bonus != nil {
		a.Notes = append(a.Notes, "bonus action: "+d.Bonus.Kind+" "+d.Bonus.Item)
	}
	return a
}

// endLock ends a spell that took rounds, or whose caster was put out.
//
// spark.action.multi-round-lock, spark.turn.killed-first-fails
func (f *fray) endLock(id string) {
	c := f.r.Creature(id)
	if c.Marks[mCasting] != "" && (f.gone(id) || c.Counters[cLocked] <= int64(f.r.State().Round)) {
		f.r.Mark(id, mCasting, "", cite.ActionMultiRoundLock)
		f.r.Set(id, cLocked, 0, "the casting is over", cite.ActionMultiRoundLock)
	}
}

// deed has harm done and notes who is put out by it.
func (f *fray) deed(h *eventv1.Harm) {
	f.r.Deed("harm/"+h.Target, h)
	if out(f.r.Creature(h.Target)) {
		f.fell[h.Target] = true
	}
}

func (f *fray) hurt(target, source, cause, kind string, amount int32, critical bool) {
	f.deed(&eventv1.Harm{Deed: deedDamage, Target: target, Source: source, Cause: cause, Critical: critical,
		Parts: []*eventv1.DamagePart{{Type: kind, Rolled: amount}}})
}

// throwAll throws the d20s of the attack half.
//
// spark.turn.all-roll-together
func (f *fray) throwAll() {
	if f.r.On(ruleAlt) {
		f.then = event.Clone(f.r.State())
		for _, id := range rules.SortedKeys(f.then.Creatures) {
			f.goneThen[id] = f.gone(id)
		}
	}
	f.throwing = true
	for _, id := range f.order {
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
	if d == nil || !f.begun(id) || d.Feet == 0 && len(d.Path) == 0 {
		return false
	}
	return d.Held || f.raced(id)
}

// raced tells whether a declared deed races that of a creature.
func (f *fray) raced(id string) bool {
	for _, by := range f.order {
		if o := f.decl[by]; by != id && o.Kind == kindDeed && o.Rival == id && f.begun(by) {
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
	if d := f.decl[sl.by]; d.Rival != "" && f.done[d.Rival] {
		return true
	}
	for _, by := range f.order {
		if o := f.decl[by]; (sl.move || f.held(sl.by)) && o.Kind == kindDeed && o.Rival == sl.by && f.done[by] {
			return true
		}
	}
	return false
}

// gone tells whether a creature is out or was so earlier in this round.
//
// spark.turn.killed-first-fails
func (f *fray) gone(id string) bool { return f.fell[id] || out(f.r.Creature(id)) }
