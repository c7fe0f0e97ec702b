package resolving

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// slot is a deed of the attack half with its place in the order.
type slot struct {
	by string
	// order of declaring and place in the creature's own sequence.
	order, seq int
	// melee pass; otherwise the ranged pass.
	melee bool
	// total that it is ordered by.
	total int32
	// outcome of its d20: hit, critical, miss, fumble; empty for no attack.
	outcome string
	// strike with a weapon, with the weapon as it was when the d20 was thrown.
	strike *declaring.Strike
	weapon *eventv1.SparkWeapon
	wear   []*eventv1.Modifier
	halved bool
	// mods of its attack roll besides the weapon's: that of a charge.
	mods []*eventv1.Modifier
	// late: the reach is measured at the slot, after a contested move.
	late bool
	// audience of its d20: the outcome is told to no others.
	audience *eventv1.Audience
	// told names that d20 to the event of the attack.
	told *eventv1.RollRef
	// roll is its d20, and facts are those stated with it, as content sees them.
	roll  effects.Roll
	facts declaring.Stated
	// fumble whose damage is still to come.
	fumble *fumbled
	// astray are the targets of a spell that its range does not reach.
	astray []string
	// spell, deed, contested move, bonus action or other task.
	spell *eventv1.SparkSpell
	deed  bool
	move  bool
	bonus *body.Extra
	task  string
	label string
}

// throw throws the d20s of a creature's sequence and settles its fumbles.
//
// spark.dice.roll-order, spark.turn.all-roll-together, spark.turn.full-attack-slots
func (f *fray) throw(id string) {
	d := f.decl[id]
	if f.absent(id) {
		return
	}
	f.stood = ""
	if !f.gone(id) {
		f.stood = id
	}
	if f.ended[id] && len(d.Strikes) == 0 && (d.Bonus == nil || d.Bonus.Kind != "off-hand") {
		f.r.Note(event.Everyone(), id, "lost: its turn has ended", cite.FumbleAltSlipUp)
		return
	}
	var seq []*slot
	add := func(sl *slot) {
		if sl != nil {
			sl.order, sl.seq = len(f.slots), len(seq)
			seq = append(seq, sl)
		}
	}
	off, early := d.Bonus != nil && d.Bonus.Kind == "off-hand", f.ended[id]
	if off && d.Bonus.First {
		add(f.offHand(id, d))
	}
	if d.Bonus != nil && d.Bonus.Kind == "free" && !f.ended[id] {
		f.pullFree(id, d.Bonus.Item)
	}
	move := f.throwMove(id, d)
	add(move)
	for i, st := range d.Strikes {
		if sl := f.strike(id, st, "attack/"+id+"/"+body.Itoa(i+1), d.Kind != declaring.KindAttack, d.Stated); sl != nil {
			sl.deed = d.Kind == declaring.KindBullRush
			if sl.late = move != nil; sl.late && sl.melee {
				sl.total = min(sl.total, move.total) // it cannot come before the way there
			}
			add(sl)
		}
	}
	if !f.ended[id] {
		add(f.throwMain(id, d))
	} else if len(d.Strikes) == 0 && d.Kind != declaring.KindMove {
		f.r.Note(event.Everyone(), id, "lost: its turn has ended", cite.FumbleAltSlipUp)
	}
	if off && !d.Bonus.First {
		add(f.offHand(id, d))
	}
	if b := d.Bonus; b != nil && (b.Kind == "potion" || b.Kind == "activate" || b.Kind == "feat") {
		if f.ended[id] && (early || !b.First) {
			f.r.Note(event.Everyone(), id, b.Item+" is lost: its turn has ended", cite.FumbleAltSlipUp)
		} else {
			seq = f.placeBonus(id, b, seq)
		}
	}
	for i, sl := range seq {
		sl.seq = i
	}
	f.slots = append(f.slots, seq...)
}

// throwMain throws for the main deed of a declaration that is no attack; nil
// for the others.
func (f *fray) throwMain(id string, d *declaring.Declaration) *slot {
	switch d.Kind {
	case declaring.KindCast:
		return f.throwSpell(id, d)
	case declaring.KindDeed:
		sl := f.throwOther(id, d.Text)
		sl.deed = true
		return sl
	case declaring.KindBash, declaring.KindGather:
		sl := f.throwOther(id, d.Kind)
		sl.task = d.Kind
		return sl
	case declaring.KindRestring, declaring.KindRefit:
		return &slot{by: id, melee: true, task: d.Kind}
	}
	return nil
}

// throwMove throws for a move that somebody contests; nil for any other. That
// of a deed is thrown for with the deed.
//
// spark.initiative.other-deeds
func (f *fray) throwMove(id string, d *declaring.Declaration) *slot {
	if d.Kind == declaring.KindDeed || f.ended[id] || !f.held(id) {
		return nil
	}
	sl := f.throwOther(id, "contested move")
	sl.move = true
	return sl
}

func (f *fray) offHand(id string, d *declaring.Declaration) *slot {
	return f.strike(id, declaring.Strike{Weapon: d.Bonus.Item, Target: d.Bonus.Target, Class: d.Bonus.Class, Risk: d.Bonus.Risk}, "attack/"+id+"/off-hand", false, d.Stated)
}

// placeBonus gives a bonus action its place: at the creature's own slot before
// or after its main deed; without one it is thrown for.
//
// spark.action.bonus
func (f *fray) placeBonus(id string, b *body.Extra, seq []*slot) []*slot {
	if len(seq) == 0 {
		sl := f.throwOther(id, b.Kind+" "+b.Item)
		sl.bonus = b
		return []*slot{sl}
	}
	first, last := seq[0], seq[0]
	for _, sl := range seq[1:] {
		if before(sl, first) {
			first = sl
		}
		if before(last, sl) {
			last = sl
		}
	}
	if b.First {
		return append([]*slot{{by: id, order: first.order, melee: first.melee, total: first.total, bonus: b}}, seq...)
	}
	return append(seq, &slot{by: id, order: last.order, melee: last.melee, total: last.total, bonus: b})
}

// throwOther throws for a deed that is no attack. A natural 1 is only late.
//
// spark.initiative.other-deeds, spark.fumble.checks
func (f *fray) throwOther(id, what string) *slot {
	c := f.r.Creature(id)
	rolled := body.Tried(f.r, rules.RollSpec{Label: "order/" + id, Creature: id, Reason: c.Name + ": " + what,
		Modifiers: []*eventv1.Modifier{body.Mod(body.InitiativeOf(f.seen(id)), "initiative", cite.InitiativeOtherDeeds)}, Rules: []string{cite.InitiativeOtherDeeds}},
		house.PointInitiative, nil, nil)
	return &slot{by: id, melee: true, total: rolled.Total, label: "order/" + id, order: len(f.slots)}
}

// throwSpell throws for a spell: with its attack modifier where it makes an
// attack, else with initiative. Between its first and last round a spell needs
// no throw.
//
// spark.turn.spells-with-ranged, spark.turn.touch-spells-with-melee, spark.action.multi-round-lock
func (f *fray) throwSpell(id string, d *declaring.Declaration) *slot {
	c := f.r.Creature(id)
	sp := body.SpellOf(c, d.Spell)
	if sp == nil || !f.begun(id) && !f.ends(id) {
		return nil
	}
	if f.ruinedEarly[id] {
		return &slot{by: id, melee: sp.Delivery == "melee-touch", total: lostTotal, spell: sp} // lost in the first half: no d20
	}
	astray := f.beyond(id, d, sp)
	if !sp.Attack || !f.ends(id) || len(d.Targets) == 0 || f.misses(d.Targets[0], sp, astray) {
		sl := f.throwOther(id, sp.Name)
		sl.spell, sl.melee, sl.astray = sp, sp.Delivery == "melee-touch", astray
		return sl
	}
	melee := sp.Delivery == "melee-touch"
	label := "attack/" + id + "/" + sp.Name
	b := f.conjured(id, d.Targets[0], sp, d.Stated)
	rolled, outcome := f.toHit(b, label, sp.AttackModifier, sp.CriticalFrom, melee, nil, d.Stated)
	if outcome == "fumble" {
		outcome = "miss" // a spell has no weapon class: it only fails
	}
	return &slot{by: id, melee: melee, total: rolled.Total, outcome: outcome, audience: rolled.Audience, told: rolled.Told(rolled.Audience), spell: sp, astray: astray, label: label,
		roll: rollOf(b, rolled), facts: d.Stated}
}

// lostTotal is the place of a spell that was lost before its d20: the last.
const lostTotal = -1_000_000

// ends tells whether the spell that a creature casts takes effect in this round: one
// that takes rounds in the last of those that it was begun for.
//
// spark.action.multi-round-lock
func (f *fray) ends(id string) bool {
	return body.CastsUntil(f.r.Creature(id)) <= f.r.State().Round
}

// strike throws one attack of a sequence. It returns nil when the attack was
// lost before: the weapon is gone, the target out or out of reach.
//
// spark.turn.movement-first, spark.turn.declare, spark.attack.roll
func (f *fray) strike(id string, st declaring.Strike, label string, charging bool, facts declaring.Stated) *slot {
	r, c := f.r, f.r.Creature(id)
	w := body.WeaponOf(c, st.Weapon)
	why, rule := f.lostBefore(c, w, st, facts)
	if why != "" {
		r.Emit(event.Everyone(), &eventv1.Attack{Attacker: id, Target: st.Target, Weapon: st.Weapon, Outcome: "lost", Note: why}, rule)
		return nil
	}
	mods := body.TablesOf(r.Content()).Situations.Modifiers(&body.Roll{State: r.State(), Kind: body.RollAttack, Self: c, More: body.Moment{Charging: charging}})
	b := f.armed(id, st.Target, w, st.Ranged, facts)
	rolled, outcome := f.toHit(b, label, w.AttackModifier, w.CriticalFrom, !st.Ranged, mods, facts)
	sl := &slot{by: id, melee: !st.Ranged, total: rolled.Total, outcome: outcome, audience: rolled.Audience, told: rolled.Told(rolled.Audience), strike: &st, weapon: w, label: label, mods: mods,
		roll: rollOf(b, rolled), facts: facts,
		wear: body.WearOf(c, w.Name), halved: body.Injured(c, body.InjurySprain, body.LimbOf(w))}
	if outcome == "fumble" {
		sl.fumble = f.fumble(sl, facts)
	}
	if st.Ranged && sl.fumble.flies() {
		f.flying[[2]string{id, w.Name}]++
	}
	return sl
}

// lostBefore says why an attack is lost before its d20 is thrown; empty when it
// is not.
func (f *fray) lostBefore(c *eventv1.Creature, w *eventv1.SparkWeapon, st declaring.Strike, facts declaring.Stated) (why, rule string) {
	s, target := f.r.State(), f.seen(st.Target)
	switch {
	case w == nil:
		return "there is no such weapon any more", cite.TurnDeclare // by a new sheet
	case f.cut[c.Id]:
		return "the attacker bumped into somebody", cite.FumbleBumpNearest
	case f.stood == c.Id && f.gone(c.Id):
		return "put out before", cite.TurnKilledFirstFails // by the attacks on it as it fetched its weapon
	case f.throwing && f.ended[c.Id]:
		return "its turn has ended", cite.FumbleAltSlipUp
	case f.absent(st.Target), body.Out(target): // who was taken off the field is not among those of then
		return "the target is out", cite.TurnDeclare
	case f.ruinedEarly[c.Id]:
		return "bumped into in the first half", cite.FumbleBumpNearest
	}
	if err := body.RefuseWeapon(s, c, w, st.Ranged, st.Risk, nil); err != nil {
		return err.Error(), cite.TurnFullAttackSlots
	}
	if st.Ranged && w.Missiles != nil && c.Counters[body.CAmmunition+w.Name] <= f.flying[[2]string{c.Id, w.Name}] {
		return body.RefuseMissiles(c, w, nil).Error(), cite.TurnFullAttackSlots
	}
	if !f.held(c.Id) && beyondReach(f.seen(c.Id), target, w, st, facts) {
		return "out of reach", cite.TurnMovementFirst
	}
	return "", ""
}

// beyondReach tells whether a target is farther than a weapon reaches, as
// stated or as measured.
//
// spark.turn.movement-first
func beyondReach(c, target *eventv1.Creature, w *eventv1.SparkWeapon, st declaring.Strike, facts declaring.Stated) bool {
	reach := w.ReachFeet
	if st.Ranged {
		reach = body.Widest(w)
	}
	feet, _ := body.Distance(c, target) // 0 where nobody knows
	if facts.Distance != nil {
		feet = *facts.Distance
	}
	return feet > reach && !st.Reaches
}

// toHit throws the d20 of an attack.
//
// spark.attack.roll, spark.dice.meet-or-beat, spark.critical.auto-hit, spark.fumble.trigger, spark.dice.advantage
func (f *fray) toHit(b blow, label string, bonus, criticalFrom int32, melee bool, mods []*eventv1.Modifier, facts declaring.Stated) (rules.Rolled, string) {
	r, c, t := f.r, f.seen(b.by), f.seen(b.target)
	if criticalFrom == 0 {
		criticalFrom = 20
	}
	mods = append(rules.SheetParts(c.GetSheet(), rules.NumberAttack+b.what, bonus, b.what, cite.AttackRoll), mods...)
	for _, m := range facts.Mods {
		if m.Target == "" || m.Target == b.target {
			mods = append(mods, body.Mod(m.Value, m.Cause, cite.AttackRoll))
		}
	}
	edges := f.edges(c, t, melee, facts)
	aim := f.aim(b, label, c, t, criticalFrom)
	mods, edges = append(mods, aim.mods...), append(edges, aim.edges...)
	ac, criticalFrom := aim.armor.Value, aim.from
	expression, again := house.Again(r, c, house.PointAttack+b.way, b.env, body.Expression(edges))
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: b.by, Expression: expression, Reason: c.Name + " attacks " + t.Name + " with " + b.what,
		Modifiers: mods, Edges: edges, Target: aim.armor,
		Judge: func(natural, total int32) (string, int32) {
			switch {
			case natural == 1:
				return "fumble", 0
			case natural >= criticalFrom:
				return "critical", 0
			case total >= ac:
				return "success", 0
			}
			return "failure", 0
		}, Rules: append(append([]string{cite.AttackRoll}, aim.rules...), again...)})
	switch rolled.Outcome {
	case "success":
		return rolled, "hit"
	case "failure":
		return rolled, "miss"
	}
	return rolled, rolled.Outcome
}
