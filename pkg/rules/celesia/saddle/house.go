package saddle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hands are what content has done by this system.
var hands *house.Hands

func init() { // not in the declaration: what it does may set off more
	hands = &house.Hands{Out: body.Dead, Damage: houseDamage, Save: houseSave, Heal: houseHeal, Temporary: houseTemporary, Lay: houseLay,
		Counter: func(resource string) string { return body.CLeft + resource },
		Hooks: map[string]house.Hook{"push": housePush, "disarm": houseDisarm, "provoke": houseProvoke, "lose-acts": houseLoseActs,
			"cripple": houseCripple, "bleed": houseBleed}}
}

// Hooks are the names of the functions that content may refer to.
func Hooks() []string { return rules.SortedKeys(hands.Hooks) }

// hookValues are the values that the hooks take.
var hookValues = house.Values{
	"push": {"feet": {Least: 5, Most: 500}}, "disarm": {"item": {}}, "lose-acts": {"acts": {Least: 1, Most: 6}},
	"cripple": {"row": {}, "plus": {Least: -19, Most: 19}}, "bleed": {"points": {Least: 1, Most: 100}},
}

// CheckHook says what is wrong with the values that content gives a hook.
func CheckHook(name string, values map[string]string) error { return hookValues.Check(name, values) }

// Happen carries out what content sets off, and what follows from it for conditions
// and speeds.
func Happen(r *rules.Resolution, label string, c *eventv1.Creature, trigger string, env effects.Env) {
	if r.Content() == nil {
		return // nothing happens, so that nobody's conditions need to be settled
	}
	hands.Happen(r, label, c, trigger, env)
	for _, id := range r.CreatureIDs() {
		body.SettleImplied(r, id)
	}
}

// struck lets happen what content says of an attack that hit or missed.
func struck(r *rules.Resolution, a body.Attack, hit bool, point string, rolled rules.Rolled) {
	c := r.Creature(a.By)
	env := checks.Thrown(checks.BlowEnv(r, a, c, r.Creature(a.Target)), point, rolled)
	if !hit {
		Happen(r, a.Label, c, effects.TriggerMiss, env)
		return
	}
	Happen(r, a.Label, c, effects.TriggerHit, env)
	if env.Roll.Critical {
		Happen(r, a.Label, r.Creature(a.By), effects.TriggerCritical, env)
	}
}

// saved lets happen what content says of a saving throw, for who made it.
func saved(r *rules.Resolution, label string, c, source *eventv1.Creature, save string, made bool) {
	trigger := effects.TriggerSaveFailed
	if made {
		trigger = effects.TriggerSavePassed
	}
	Happen(r, label, c, trigger, effects.Env{Actor: source, Target: c, Roll: effects.Roll{Point: house.PointSave + "/" + save, Success: made}})
}

// wounds are what harm takes from a body, so that it can be told what it took.
type wounds struct {
	points int64
	dead   bool
}

// wounded is how a body stands: the fewer points the worse.
func wounded(c *eventv1.Creature) wounds {
	return wounds{points: int64(c.GetHp()) + int64(c.GetHpTemp()) - c.GetCounters()[body.CNonlethal] - c.GetCounters()[body.CBurn], dead: body.Dead(c)}
}

// suffered lets happen what content says of harm that was done: for who was hurt,
// and for who killed.
func suffered(r *rules.Resolution, label string, h *eventv1.Harm, was wounds) {
	c, source := r.Creature(h.Target), r.Creature(h.Source)
	now := wounded(c)
	env := effects.Env{Actor: source, Target: c, Damage: int32(was.points - now.points)}
	if len(h.Parts) > 0 {
		env.DamageType = h.Parts[0].Type
	}
	if h.Deed != mending.DeedTemporary && env.Damage > 0 {
		Happen(r, label, c, effects.TriggerHurt, env)
	}
	if !was.dead && now.dead {
		Happen(r, label, source, effects.TriggerKill, env)
	}
}

// space is what areas of content ask of this system.
var space = house.Space{Side: body.Footprint, Out: body.Dead}

// concerned are the creatures that a deed must know of beside its target and its
// source: all, where the auras of content might reach.
func concerned(r *rules.Resolution) []string {
	if !r.Content().Asks(effects.KindAura) {
		return nil
	}
	return r.CreatureIDs()
}

// hushed is a provocation as content has it: an action may provoke nobody.
func hushed(r *rules.Resolution, p checks.Provocation) checks.Provocation {
	if !p.Provokes || !r.Content().Asks(effects.KindNoProvoke) {
		return p
	}
	for _, who := range []string{p.By, body.RiderOf(r.Creature(p.By))} {
		c := r.Creature(who)
		if c == nil {
			continue
		}
		by, none := house.NoProvoke(r.Content(), r.State(), c, p.Take.GetAction())
		if !none {
			continue
		}
		if slices.ContainsFunc(answers.Order(r.State()), func(id string) bool { return strike.ReactionsTo(r.State(), r.Creature(id), p) != nil }) {
			r.Note(event.Everyone(), p.By, "it provokes nobody: "+by.Title, house.Cited(by)...)
		}
		p.Provokes = false
		break
	}
	return p
}

// GainReactions gives a creature its reactions, with what content gives.
//
// celesia.turn.one-reaction
func GainReactions(r *rules.Resolution, id, cause, rule string) {
	c, behind := r.Creature(id), []string{rule}
	n := int64(ReactionsOf(c))
	for _, x := range r.Content().ExtraActions(c, effects.Env{State: r.State(), Actor: c}) {
		if x.Counter == body.CReactions {
			n, behind = n+int64(x.Amount), append(behind, house.Cited(x.Cite)...)
		}
	}
	r.Set(id, body.CReactions, max(0, n), cause, behind...)
}

// HouseTurn gives what content gives more of in the turn that begins: of the acts
// the best source counts, as of all effects, while those that take acts away all
// count.
//
// celesia.turn.extra-acts-no-stack
func HouseTurn(r *rules.Resolution, id string) {
	if !r.Content().Asks(effects.KindExtraAction) {
		return
	}
	c := r.Creature(id)
	var best, less int64
	var why, whyLess effects.Cite
	for _, x := range r.Content().ExtraActions(c, effects.Env{State: r.State(), Actor: c}) {
		switch n := int64(x.Amount); {
		case x.Counter != body.CActs:
		case n > best:
			best, why = n, x.Cite
		case n < 0:
			less, whyLess = less-n, x.Cite
		}
	}
	r.Set(id, body.CHouseActs, best, why.Title, house.Cited(why)...)
	r.Set(id, body.CHouseLess, less, whyLess.Title, house.Cited(whyLess)...)
}

// KeepPace brings what content does to speeds in line with everybody's state.
func KeepPace(r *rules.Resolution) {
	if !r.Content().Asks(effects.KindSpeed) {
		return
	}
	for _, id := range r.CreatureIDs() {
		house.Speeds(r, id, r.Creature(id).GetSheet().GetSpeeds())
	}
}

// InForce carries out what content sets off for every creature in the fight, in the
// order of their places.
func InForce(r *rules.Resolution, label, trigger string) {
	for _, id := range answers.Order(r.State()) {
		c := r.Creature(id)
		Happen(r, label+"/"+id, c, trigger, effects.Env{Actor: c, Target: c})
	}
}

// Own carries out what content sets off for one creature by itself.
func Own(r *rules.Resolution, label, id, trigger string) {
	c := r.Creature(id)
	Happen(r, label+"/"+id, c, trigger, effects.Env{Actor: c, Target: c})
}

func houseDamage(r *rules.Resolution, x house.Come) {
	rolled := r.Roll(rules.RollSpec{Label: x.Label + "/damage", Creature: x.Bearer, Expression: house.DiceAnd(x.Dice, x.Amount), Reason: x.Title,
		Rules: house.Cited(x.Cite)}).Total
	part := &eventv1.DamagePart{Type: x.Type, Rolled: max(0, rolled), Note: x.Title, Rule: x.Rule}
	if x.Halved {
		rules.Factor(part, 1, 2, 0, "saving throw made", x.Rule)
	}
	Deed(r, x.Label+"/harm", &eventv1.Harm{Deed: body.DeedDamage, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title,
		Parts: []*eventv1.DamagePart{part}})
}

func houseSave(r *rules.Resolution, x house.Come) bool {
	return strike.RollSaving(r, x.Label+"/save", x.Target, x.Source, x.Save, x.DC, x.Title, nil, x.Rule).Success()
}

func houseHeal(r *rules.Resolution, x house.Come) {
	Deed(r, x.Label, &eventv1.Harm{Deed: body.DeedHeal, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Rolled,
		Facts: map[string]string{"via": mending.ViaMagic}})
}

// houseTemporary gives temporary hit points; of several sources the most count.
func houseTemporary(r *rules.Resolution, x house.Come) {
	if x.Rolled <= x.Target.GetHpTemp() {
		return
	}
	Deed(r, x.Label, &eventv1.Harm{Deed: mending.DeedTemporary, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Rolled,
		Facts: map[string]string{mending.FactRule: x.Rule}})
}

// houseLay lays a condition for so many turns of who laid it, of its target when
// that one is dead. Laid again by the same it begins anew.
func houseLay(r *rules.Resolution, x house.Come) {
	by := x.Source
	if body.Dead(by) {
		by = x.Target
	}
	k := &eventv1.Condition{Name: x.Condition, Variant: x.Variant, Source: x.Bearer, Cause: x.Title, Rule: x.Rule}
	if x.Rounds > 0 {
		k.Until = checks.UntilStart(by.Id)
		k.Until.Turns = x.Rounds
	}
	if x.SaveEnds {
		k.Values = map[string]int32{SaveEnds + x.Save: x.DC}
	}
	for _, old := range x.Target.Conditions {
		if old.Name == k.Name && old.Variant == k.Variant && old.Source == k.Source && old.Cause == k.Cause {
			r.RemoveCondition(x.Target.Id, old, "again", x.Rule)
			break
		}
	}
	if body.Inflict(r, x.Target.Id, k) {
		AfterHarm(r, x.Target.Id)
	}
}

// SaveEnds and a saving throw is the value of a condition that holds what the throw
// must reach, which ends it, at the end of a turn.
const SaveEnds = "save-ends."

// Shake lets a creature at the end of its turn throw off what a saving throw ends.
func Shake(r *rules.Resolution, id string) {
	if body.Dead(r.Creature(id)) {
		return
	}
	for i, x := range r.Creature(id).Conditions {
		for _, key := range rules.SortedKeys(x.Values) {
			save, ends := strings.CutPrefix(key, SaveEnds)
			if !ends {
				continue
			}
			label := "save-ends/" + id + "/" + strconv.Itoa(i+1)
			if strike.RollSaving(r, label, r.Creature(id), r.Creature(x.Source), save, x.Values[key], x.Cause+": throw off "+x.Name, nil, x.Rule).Success() {
				r.RemoveCondition(id, x, "thrown off", x.Rule)
			}
			break
		}
	}
	body.SettleImplied(r, id)
}

// housePush pushes the target straight away from who has the effect: feet (5 when
// not said), a wall or anybody in the way ends it. It provokes nobody.
func housePush(r *rules.Resolution, x house.Come) {
	t, feet := x.Target, x.Number("feet", 5)
	switch x.Source.GetId() {
	case "", t.Id:
		return
	}
	if x.Source.Position == nil || t.Position == nil {
		r.Move(&eventv1.Moved{Creature: t.Id, To: t.Position, Mode: "push", Feet: feet}, x.Rule)
		answers.Carried(r, t.Id)
		return
	}
	var way []*eventv1.Position
	by, at := answers.Away(x.Source, t), t.Position
	for n := int32(0); n < feet/5; n++ {
		at = answers.Shifted(at, by)
		if body.Blocked(r.State(), t, at, "") {
			break
		}
		way = append(way, at)
	}
	if len(way) > 0 {
		to := way[len(way)-1]
		r.Move(&eventv1.Moved{Creature: t.Id, To: to, Mode: "push", Feet: grid.Steps(t.Position, to)}, x.Rule)
		answers.Carried(r, t.Id)
		answers.TornApart(r, t.Id)
	}
}

// houseDisarm has the target drop what it holds: all of it, or the item named.
func houseDisarm(r *rules.Resolution, x house.Come) {
	for _, name := range body.InHands(x.Target) {
		if item := x.Hook.GetValues()["item"]; item == "" || item == name {
			body.DropThing(r, x.Target.Id, name, x.Title, x.Rule)
		}
	}
}

// houseProvoke makes the target provoke attacks of opportunity from its enemies.
func houseProvoke(r *rules.Resolution, x house.Come) {
	window(r, checks.Provocation{By: x.Target.Id, Kind: "other", Provokes: true, Take: &eventv1.TakeAction{Creature: x.Target.Id, Action: x.Hook.Name}})
}

// houseLoseActs takes acts (1 when not said) from the target's turn, or from its
// next one when it has none now.
func houseLoseActs(r *rules.Resolution, x house.Come) {
	name := "effect." + x.Hook.Name
	for _, old := range x.Target.Conditions {
		if old.Name == name && old.Rule == x.Rule {
			return // of one source it counts once
		}
	}
	r.AddCondition(x.Target.Id, &eventv1.Condition{Name: name, Source: x.Bearer, Cause: x.Title, Rule: x.Rule,
		Until: &eventv1.Until{When: "end-of-turn", Creature: x.Target.Id, Turns: 1}, Values: map[string]int32{"acts": -max(0, x.Number("acts", 1))}})
}

// houseCripple gives the target a crippling injury: that of row when one is named,
// else by a roll on the table, to which plus is added. It cancels no damage.
func houseCripple(r *rules.Resolution, x house.Come) {
	if row := x.Hook.GetValues()["row"]; row != "" || !body.Immune(x.Target, body.ImmuneCritical) {
		Deed(r, x.Label, &eventv1.Harm{Deed: body.DeedCripple, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Number("plus", 0),
			Facts: map[string]string{"row": row, mending.FactRule: x.Rule}})
	}
}

// houseBleed makes the target bleed so many points (1 when not said) at the start
// of each of its turns, on top of what it bleeds already.
func houseBleed(r *rules.Resolution, x house.Come) {
	if body.Immune(x.Target, body.ImmuneBleed) {
		r.Note(event.Everyone(), x.Target.Id, "it does not bleed", x.Rule)
		return
	}
	Deed(r, x.Label, &eventv1.Harm{Deed: body.DeedBleed, Target: x.Target.Id, Source: x.Bearer, Cause: x.Title, Amount: x.Number("points", 1),
		Facts: map[string]string{mending.FactRule: x.Rule}})
}
