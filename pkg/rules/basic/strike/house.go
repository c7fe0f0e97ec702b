package strike

import (
	"slices"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content does is asked for here, at the places where the
// book's own rules count, and carried out. Everything that took part is cited.

// Ways are the parts that attacks and their damage have as points.
var Ways = []string{"melee", "ranged", "touch"}

// way is the part that an attack belongs to.
func (b Blow) way() string {
	switch {
	case b.Touch:
		return "/touch"
	case b.Ranged:
		return "/ranged"
	}
	return "/melee"
}

// env is what an attack is to content.
func (b Blow) env(r *rules.Resolution, a, t *eventv1.Creature) effects.Env {
	if r.Content() == nil {
		return effects.Env{}
	}
	distance := int32(-1)
	if d, known := body.Gap(r.State(), a, t, b.Facts); known {
		distance = d
	}
	return effects.Env{State: r.State(), Actor: a, Target: t, Distance: distance, Roll: effects.Roll{Point: house.PointAttack + b.way()},
		Weapon: effects.Weapon{Name: b.Weapon.Name, Use: b.Weapon.Use, Tags: b.tags()}}
}

// tags are the words on an attack that content can ask for.
func (b Blow) tags() []string {
	w := b.Weapon
	out := []string{w.Kind}
	for _, t := range []struct {
		word string
		is   bool
	}{{"ranged", b.Ranged}, {"melee", !b.Ranged}, {"touch", b.Touch}, {"natural", w.Natural && w.Kind != "grenade"}, {"magic", w.Magic || w.MagicBonus != 0},
		{"silver", w.Silver}, {"two-handed", w.TwoHanded}, {"small", w.Small}, {"long-reach", w.LongReach}, {"brace", w.Brace},
		{"charge", b.Charge}, {"sneak", b.sneak}, {"flat", b.Subdual}, {"parting", b.Parting}} {
		if t.is && !slices.Contains(out, t.word) {
			out = append(out, t.word)
		}
	}
	return out
}

// against are the modifiers of content on an attack roll: those of the attacker, then
// those of the one attacked.
func (b Blow) against(r *rules.Resolution, a, t *eventv1.Creature, env effects.Env) []*eventv1.Modifier {
	return house.Against(r, b.Label, a, t, b.way(), env)
}

// houseDamage is what content adds to the damage of a hit: to what is rolled, or parts
// of a type of their own.
func (b Blow) houseDamage(r *rules.Resolution, a *eventv1.Creature, env effects.Env) (flat []*eventv1.Modifier, parts []*eventv1.DamagePart) {
	return house.Added(r, b.Label+"/damage", a, house.PointDamage+b.way(), env)
}

// setsOff carries out what content sets off by an attack.
func (b Blow) setsOff(r *rules.Resolution, rolled rules.Rolled, outcome string, env effects.Env) {
	if r.Content() == nil {
		return
	}
	env.Roll.Natural, env.Roll.Total, env.Roll.Success, env.Roll.Critical = rolled.Natural, rolled.Total, rolled.Success(), outcome == "critical"
	for _, x := range []struct {
		trigger string
		is      bool
	}{{effects.TriggerHit, rolled.Success()}, {effects.TriggerMiss, !rolled.Success()}, {effects.TriggerCritical, outcome == "critical"}} {
		if x.is {
			happen(r, b.Now, b.Label, b.Attacker, x.trigger, env)
		}
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
	if now || r.Count("", body.CTogether) == 0 {
		h = atOnce
	}
	if env.Actor != nil { // both may have changed since the attack began
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
	c := r.Creature(id)
	if body.Dead(c) {
		return
	}
	Happen(r, "turn/"+id, id, trigger, effects.Env{Actor: c, Target: c})
}

// Pace brings the speed that content gives a creature in line.
func Pace(r *rules.Resolution, id string) {
	if c := r.Creature(id); r.Content().Asks(effects.KindSpeed) {
		house.Speeds(r, id, c.GetSheet().GetSpeeds())
	}
}

// TableSituations is the table of situations, which content can change.
const TableSituations = "situations"

// SituationsText is its text.
func SituationsText() (csv string, found bool) {
	text, err := content.Book().Table(TableSituations)
	return text, err == nil
}
