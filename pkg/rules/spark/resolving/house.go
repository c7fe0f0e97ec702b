package resolving

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// blow is an attack with a weapon or a spell: who makes it on whom with what, and as a
// table's own content sees it. Without content there is no more to see.
type blow struct {
	by, target, what string
	// way is the part of the points that it belongs to.
	way string
	env effects.Env
}

// armed is an attack with a weapon.
func (f *fray) armed(by, target string, w *eventv1.SparkWeapon, ranged bool, facts declaring.Stated) blow {
	b := blow{by: by, target: target, what: w.Name, way: body.WayOf(ranged)}
	if f.r.Content() != nil {
		b.env = effects.Env{State: f.r.State(), Actor: f.r.Creature(by), Target: f.r.Creature(target), Weapon: body.Arm(w, ranged), Distance: stated(facts)}
	}
	return b
}

// conjured is an attack, or other harm, by a spell.
func (f *fray) conjured(by, target string, sp *eventv1.SparkSpell, facts declaring.Stated) blow {
	b := blow{by: by, target: target, what: sp.Name, way: body.WaySpell}
	if f.r.Content() != nil {
		b.env = effects.Env{State: f.r.State(), Actor: f.r.Creature(by), Target: f.r.Creature(target), Weapon: body.ArmOfSpell(sp), Distance: stated(facts),
			Spell: sp.Name, SpellUse: sp.Use}
	}
	return b
}

// stated is how far the target is, where that is said; 0 where it is to be measured.
func stated(facts declaring.Stated) int32 {
	if facts.Distance == nil {
		return 0
	}
	return *facts.Distance
}

// aim is what content makes of an attack roll.
type aim struct {
	mods  []*eventv1.Modifier
	edges []*eventv1.Edge
	armor *eventv1.TargetNumber
	from  int32
	rules []string
}

// aim asks content about an attack roll of c on t, whose lowest critical face is
// from: what the attacker has, then what the target has against it.
//
// spark.attack.roll, spark.critical.auto-hit, spark.dice.advantage
func (f *fray) aim(b blow, label string, c, t *eventv1.Creature, from int32) aim {
	r, a := f.r, aim{from: from, armor: body.ArmorNumber(t)}
	own := r.Content()
	if own == nil {
		return a
	}
	env := b.env
	env.Actor, env.Target = c, t
	a.mods = append(house.Mods(r, label, c, nil, house.PointAttack+b.way, env), house.Mods(r, label+"/attacked", t, nil, house.PointAttacked+b.way, env)...)
	if r.On(body.RuleAdvantage) {
		a.edges = append(house.Edges(r, c, house.PointAttack+b.way, env), house.Edges(r, t, house.PointAttacked+b.way, env)...)
	}
	n, added := house.Number(r, label+"/armor", t, nil, house.PointArmor, a.armor.Value, env)
	a.armor.Value, a.armor.Modifiers = n, append(a.armor.Modifiers, added...)
	threat := own.CriticalFrom(c, from, env)
	a.from, a.rules = max(2, threat.Value), house.Cited(threat.Cites...)
	return a
}

// rollOf is a d20 that was thrown, as content sees it.
func rollOf(b blow, rolled rules.Rolled) effects.Roll {
	return effects.Roll{Point: house.PointAttack + b.way, Natural: rolled.Natural, Total: rolled.Total,
		Success: rolled.Outcome == "success" || rolled.Outcome == "critical", Critical: rolled.Outcome == "critical"}
}

// again puts into the dice of a damage what content rolls again of them.
func (f *fray) again(b blow, dice string) (string, []string) {
	if dice == "" {
		return "0", nil // nothing but what is added
	}
	return house.Again(f.r, f.r.Creature(b.by), house.PointDamage+b.way, b.env, dice)
}

// houseHarm is what content adds to the damage of a blow: to its own part, of the
// type kind, and parts of other types.
func (f *fray) houseHarm(b blow, label, kind string) (adds []*eventv1.Modifier, further []*eventv1.DamagePart) {
	r := f.r
	if r.Content() == nil {
		return nil, nil
	}
	for i, m := range r.Content().Modifiers(r.Creature(b.by), house.PointDamage+b.way, b.env) {
		own := m.Type == "" || m.Type == kind || strings.HasPrefix(m.Dice, "-") || m.Dice == "" && m.Amount < 0
		at := label + "/house/" + body.Itoa(i+1)
		if own {
			n := m.Amount
			if m.Dice != "" {
				n += house.Dice(r, at, b.by, m, nil)
			}
			adds = append(adds, body.Mod(n, m.Title, m.Rule))
			continue
		}
		rolled := r.Roll(rules.RollSpec{Label: at, Creature: b.by, Expression: house.DiceAnd(m.Dice, m.Amount), Reason: m.Title + ", " + m.Type, Rules: house.Cited(m.Cite)})
		further = append(further, &eventv1.DamagePart{Type: m.Type, Rolled: max(0, rolled.Total), Rule: m.Rule})
	}
	return adds, further
}

// mana is what a spell costs, on the first of its declared targets.
//
// spark.spell.countered-mana-lost
func (f *fray) mana(id string, sp *eventv1.SparkSpell) int32 {
	var target *eventv1.Creature
	if d := f.decl[id]; len(d.Targets) > 0 {
		target = f.r.Creature(d.Targets[0])
	}
	return declaring.Mana(f.r.Content(), f.r.State(), f.r.Creature(id), sp, target)
}

// inArea are the targets of a spell whose entry has an area: all who stand in it.
func (f *fray) inArea(sl *slot, targets []string) []string {
	if sl.spell.Use == "" || sl.spell.Attack || len(targets) > 0 && f.misses(targets[0], sl.spell, sl.astray) {
		return targets
	}
	return house.Space{Side: body.SpaceFeet, Out: body.Out}.InArea(f.r.Content(), f.r.State(), f.r.Creature(sl.by), sl.spell.Use, targets)
}

// about are all who may have a part in what becomes of harm: whoever has an aura.
func (f *fray) about() []string {
	if f.r.Content().Asks(effects.KindAura) {
		return f.ids
	}
	return nil
}

// saves makes a saving throw in a fight; source forces it, and is empty where nobody
// does.
func (f *fray) saves(id, source, kind string, dc int32, label, reason string, ruleIDs ...string) bool {
	c, by := f.r.Creature(id), f.r.Creature(source)
	rolled := body.SaveAgainst(f.r, c, by, kind, dc, label, reason, ruleIDs...)
	f.saved(id, source, kind, label, rolled)
	return rolled.Success()
}

// saved lets happen what content sets off by a saving throw.
func (f *fray) saved(id, source, kind, label string, rolled rules.Rolled) {
	if f.r.Content() == nil {
		return
	}
	trigger := effects.TriggerSaveFailed
	if rolled.Success() {
		trigger = effects.TriggerSavePassed
	}
	f.happen(label, id, trigger, effects.Env{Actor: f.r.Creature(source), Target: f.r.Creature(id),
		Roll: effects.Roll{Point: house.PointSave + "/" + kind, Natural: rolled.Natural, Total: rolled.Total, Success: rolled.Success()}})
}

// struck lets happen what content sets off by an attack that was carried out; taken is
// the damage that it did.
func (f *fray) struck(label string, b blow, outcome string, roll effects.Roll, taken int32) {
	if f.r.Content() == nil {
		return
	}
	env := b.env
	env.Actor, env.Target, env.Roll, env.Damage = f.r.Creature(b.by), f.r.Creature(b.target), roll, taken
	if outcome == "miss" || outcome == "fumble" {
		f.happen(label, b.by, effects.TriggerMiss, env)
		return
	}
	f.happen(label, b.by, effects.TriggerHit, env)
	if outcome == "critical" {
		f.happen(label, b.by, effects.TriggerCritical, env)
	}
}

// cast lets happen what content adds to a spell, to each of those whom it finds.
func (f *fray) cast(sl *slot, targets []string) {
	if f.r.Content() == nil {
		return
	}
	for _, id := range targets {
		if f.misses(id, sl.spell, sl.astray) {
			continue
		}
		env := f.conjured(sl.by, id, sl.spell, sl.facts).env
		env.Weapon, env.Roll = effects.Weapon{}, sl.roll
		f.happen("cast/"+sl.by+"/"+id, sl.by, effects.TriggerCast, env)
	}
}

// harmed lets happen what content sets off by damage: with whom it was done to, and,
// when that put it out, with whoever did it.
//
// spark.dice.drop-to-zero
func (f *fray) harmed(h *eventv1.Harm, taken int32, out bool) {
	if f.r.Content() == nil || taken < 1 {
		return
	}
	env := effects.Env{Actor: f.r.Creature(h.Source), Target: f.r.Creature(h.Target), Damage: taken, DamageType: h.Parts[0].Type}
	f.happen("hurt/"+h.Target, h.Target, effects.TriggerHurt, env)
	if out && h.Source != h.Target {
		f.happen("kill/"+h.Source, h.Source, effects.TriggerKill, env)
	}
}

// happen lets happen what content sets off by a trigger for a creature; there is content.
func (f *fray) happen(label, id, trigger string, env effects.Env) {
	if f.hands == nil {
		f.hands = f.newHands()
	}
	f.hands.Happen(f.r, label, f.r.Creature(id), trigger, env)
}

// Happen lets happen what content sets off for a creature by the course of the fight:
// the beginning or the end of its turn, of a round, of its part in the fight.
func Happen(r *rules.Resolution, id, trigger string) {
	if r.Content() == nil {
		return
	}
	f := &fray{r: r, fell: map[string]bool{}, ids: r.CreatureIDs()}
	f.passes(id, trigger)
}

// passes is Happen within a running round.
func (f *fray) passes(id, trigger string) {
	c := f.r.Creature(id)
	f.happen(trigger+"/"+id, id, trigger, effects.Env{Actor: c, Target: c})
}

// EndTurns lets happen what content sets off at the end of everybody's turn, which is
// that of the round: all have the round together.
//
// spark.turn.two-halves
func (f *fray) EndTurns() {
	if f.r.Content() == nil {
		return
	}
	for _, id := range f.living() {
		f.passes(id, effects.TriggerTurnEnd)
	}
}

// quiet tells whether content keeps what a creature does in this round from provoking
// anybody, and says so.
//
// spark.reaction.opportunity-attack
func (f *fray) quiet(mover string) bool {
	own := f.r.Content()
	if !own.Asks(effects.KindNoProvoke) {
		return false
	}
	action := declaring.KindMove
	if d := f.decl[mover]; d != nil {
		action = d.Kind
	}
	by, none := house.NoProvoke(own, f.r.State(), f.r.Creature(mover), action)
	if none {
		f.r.Note(f.r.Audience(rules.FactBegun, action, mover), mover, "provokes nobody: "+by.Title, append(house.Cited(by), cite.ReactionOpportunityAttack)...)
	}
	return none
}

// affords tells whether a creature can pay for a reaction, and whether content lets
// it take it.
//
// spark.reaction.one-per-round
func (f *fray) affords(id, action string) bool {
	own, s, c := f.r.Content(), f.r.State(), f.r.Creature(id)
	if own == nil {
		return c.Counters[body.CReaction] > 0
	}
	if _, barred := own.Barred(c, action, effects.Env{State: s, Actor: c}); barred {
		return false
	}
	price := declaring.Price(own, s, c, action, body.CReaction)
	return c.Counters[body.CReaction] >= int64(price)
}

// react takes a reaction.
//
// spark.reaction.one-per-round
func (f *fray) react(id, action, why string) {
	price := declaring.Price(f.r.Content(), f.r.State(), f.r.Creature(id), action, body.CReaction)
	body.Spend(f.r, id, body.CReaction, price, why, cite.ReactionOnePerRound)
}

// heldBy are the weapons that a creature has in hand, in the order of its sheet.
func heldBy(c *eventv1.Creature) []*eventv1.SparkWeapon {
	return slices.DeleteFunc(slices.Clone(body.SheetOf(c).Weapons), func(w *eventv1.SparkWeapon) bool {
		place := c.Items[w.Name].GetPlace()
		return w.Natural || place != "main" && place != "off"
	})
}
