package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content does is asked for here, at the places where the
// book's own rules count, and carried out. Everything that took part is cited.

// Points of this system for content.
const (
	// PointSave is the one saving throw.
	PointSave = house.PointSave + "/paralysis"
	// PointGrapple is the contest of hit dice in a hold, PointRetreat that of breaking
	// away.
	PointGrapple = house.PointCheck + "/grapple"
	PointRetreat = house.PointCheck + "/retreat"
	// PointSpell is the damage of spells.
	PointSpell = house.PointDamage + "/spell"
)

// way is the part that a blow belongs to.
func (b *Blow) way() string {
	if b.Melee {
		return "/melee"
	}
	return "/ranged"
}

// Env is what a blow is to content.
func (b *Blow) Env(r *rules.Resolution) effects.Env {
	if r.Content() == nil {
		return effects.Env{}
	}
	distance := body.Distance(b.Attacker, b.Target)
	if distance < 0 && b.Melee {
		distance = body.MeleeFeet
	}
	return effects.Env{State: r.State(), Actor: b.Attacker, Target: b.Target, Distance: distance, Roll: effects.Roll{Point: house.PointAttack + b.way()},
		Weapon: effects.Weapon{Name: b.Weapon.Name, Use: b.Weapon.Use, Tags: b.tags()}}
}

// tags are the words on a blow that content can ask for.
func (b *Blow) tags() []string {
	w := b.Weapon
	out := []string{w.Kind, body.WeaponSize(w)}
	if w.Kind == "" {
		out[0] = "melee"
	}
	for _, t := range []struct {
		word string
		is   bool
	}{{"melee", b.Melee}, {"ranged", !b.Melee}, {"natural", body.Natural(w)}, {"magic", w.Magic}, {"silver", w.Silver}, {"blunt", w.Blunt},
		{"two-handed", w.Hands > 1}, {"untrained", w.Untrained}, {"improvised", w.Improvised}, {"charge", b.Charge}, {"set", b.Set},
		{"backstab", b.Backstab}, {"subdue", b.Subdue || b.pull}, {"parting", b.Parting}, {"grapple", b.NoDamage && w.Kind == "hand"}} {
		if t.is && !slices.Contains(out, t.word) {
			out = append(out, t.word)
		}
	}
	return out
}

// Against are the modifiers of content on an attack roll: those of the attacker, then
// those of the one attacked.
func (b *Blow) Against(r *rules.Resolution, env effects.Env) []*eventv1.Modifier {
	return house.Against(r, b.Label, b.Attacker, b.Target, b.way(), env)
}

// HouseEdges are the sources of advantage and disadvantage of content, likewise.
func (b *Blow) HouseEdges(r *rules.Resolution, env effects.Env) []*eventv1.Edge {
	return slices.Concat(house.Edges(r, b.Attacker, house.PointAttack+b.way(), env), house.Edges(r, b.Target, house.PointAttacked+b.way(), env))
}

// Again puts into a dice expression what content rolls again of an attack roll.
func (b *Blow) Again(r *rules.Resolution, env effects.Env, expression string) (expr string, behind []string) {
	return house.Again(r, b.Attacker, house.PointAttack+b.way(), env, expression)
}

// houseArmour is what content makes of the armour of a target, which other parts of the
// armour class are added to, and adds to its armour class.
func (b *Blow) houseArmour(made *effects.Book, s *eventv1.State, base int32) (own *eventv1.Modifier, added []*eventv1.Modifier) {
	if made == nil {
		return nil, nil
	}
	env := effects.Env{State: s, Actor: b.Attacker, Target: b.Target}
	if v := made.Value(b.Target, house.PointArmor, base, env); len(v.Cites) > 0 {
		own = body.Mod(v.Value, v.Cites[0].Title, v.Cites[0].Rule)
	}
	for _, m := range made.Modifiers(b.Target, house.PointArmor, env) {
		if m.Amount != 0 {
			added = append(added, body.Mod(m.Amount, m.Title, m.Rule))
		}
	}
	return own, added
}

// SetsOff has what content sets off by a hit come after its damage.
func (w *Wound) SetsOff(b *Blow, env effects.Env, natural, total int32) {
	env.Roll.Natural, env.Roll.Total, env.Roll.Success, env.Roll.Critical = natural, total, true, w.Critical
	w.then = func(r *rules.Resolution, now bool) {
		happen(r, now, b.Label, w.Attacker, effects.TriggerHit, env)
		if w.Critical {
			happen(r, now, b.Label, w.Attacker, effects.TriggerCritical, env)
		}
	}
}

// Missed carries out what content sets off by a miss.
func Missed(r *rules.Resolution, b *Blow, env effects.Env) {
	happen(r, false, b.Label, b.Attacker.Id, effects.TriggerMiss, env)
}

// Then carries out what content sets off by the blow: with everything else of the slot
// when that is held back, or else at once.
func (w *Wound) Then(r *rules.Resolution, now bool) {
	if w.then != nil {
		then := w.then
		w.then = nil
		then(r, now)
	}
}

// Harmed carries out what content sets off by harm: for the one hurt, and by its death
// for whoever killed it.
func (w *Wound) Harmed(r *rules.Resolution, done *eventv1.HarmResult, died bool) {
	if r.Content() == nil || w.setOff {
		return
	}
	source, target := r.Creature(w.Attacker), r.Creature(w.Target)
	env := effects.Env{Actor: source, Target: target, Damage: done.Taken, Distance: body.Distance(source, target)}
	if w.Actual+w.Temporary == 0 {
		env.DamageType = w.Extra[0].Type
	}
	if weapon := body.FirstWeapon(source, func(x *eventv1.OriginalWeapon) bool { return source != nil && x.Name == w.Weapon }); weapon != nil {
		env.Weapon = effects.Weapon{Name: weapon.Name, Use: weapon.Use, Tags: (&Blow{Weapon: weapon, Melee: !body.Missile(weapon)}).tags()}
	}
	if done.Taken > 0 {
		Happen(r, "hurt/"+w.Target, w.Target, effects.TriggerHurt, env)
	}
	if died && source != nil {
		Happen(r, "kill/"+w.Attacker, w.Attacker, effects.TriggerKill, env)
	}
}

// Happen carries out what content sets off for a creature, at once.
func Happen(r *rules.Resolution, label, id, trigger string, env effects.Env) {
	happen(r, true, label, id, trigger, env)
}

func happen(r *rules.Resolution, now bool, label, id, trigger string, env effects.Env) {
	if r.Content() == nil {
		return
	}
	h := later
	if now || r.State().Marks[body.MTogether] == "" {
		h = atOnce
	}
	if env.Actor != nil { // both may have changed since the blow began
		env.Actor = r.Creature(env.Actor.Id)
	}
	if env.Target != nil {
		env.Target = r.Creature(env.Target.Id)
	}
	h.Happen(r, label, r.Creature(id), trigger, env)
	for _, c := range []string{id, env.Actor.GetId(), env.Target.GetId()} { // what was taken away may have slowed it
		Pace(r, c)
	}
}

// Turn carries out what content sets off for a creature by its own turn or round.
func Turn(r *rules.Resolution, id, trigger string) {
	if c := r.Creature(id); !body.Dead(c) {
		Happen(r, "turn/"+id, id, trigger, effects.Env{Actor: c, Target: c})
	}
}

// Pace brings the speed that content gives a creature in line.
func Pace(r *rules.Resolution, id string) {
	if c := r.Creature(id); c != nil && r.Content().Asks(effects.KindSpeed) {
		house.Speeds(r, id, c.GetSheet().GetSpeeds())
	}
}

// MoreAttacks gives a creature the attacks that content gives it for the round.
func MoreAttacks(r *rules.Resolution, id string) {
	if !r.Content().Asks(effects.KindExtraAction) {
		return
	}
	c, n := r.Creature(id), int64(0)
	var cites []effects.Cite
	for _, x := range r.Content().ExtraActions(c, effects.Env{State: r.State(), Actor: c}) {
		n, cites = n+int64(x.Amount), append(cites, x.Cite)
	}
	why := "content"
	if len(cites) > 0 {
		why = cites[0].Title
	}
	r.Set(id, body.CMore, max(0, n), why, house.Cited(cites...)...)
}
