package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// poolRounds is how long oil on the ground burns, the round of lighting included.
	poolRounds = 10
	// poolFeet is how far a pool reaches from its middle. Reading: a 5-foot square.
	poolFeet = 2
)

// Ways to put out flames.
var methods = []string{"roll", "blanket", "water", "other"}

func fireActions() []*action {
	return []*action{
		{id: "smother", title: "Put out the flames", rule: cite.ItemOilExtinguish, kinds: []string{kindSmother}, costs: true,
			items: func(*eventv1.State, *eventv1.Creature) []string { return methods }, refuse: refuseSmother, do: doSmother},
		{id: "spill-oil", title: "Pour a flask of oil on the ground", rule: cite.ItemOilGroundFire, kinds: others, costs: true,
			items: oilFlasks, refuse: refuseSpill, parameters: spillParameters, do: doSpill},
		{id: "light-oil", title: "Set oil on the ground alight", rule: cite.ItemOilGroundFire, kinds: others, costs: true,
			items: pools, refuse: refuseLight, do: doLight},
	}
}

// fireproof creatures take nothing from burning oil.
//
// basic.item.oil-fire-immunity
func fireproof(c *eventv1.Creature) bool {
	return tagged(c, "fire-resistant") || tagged(c, "fire-based")
}

// catchFire makes a creature burn on in the following round.
//
// basic.item.oil-second-round, basic.item.oil-two-rounds
func catchFire(r *rules.Resolution, id, source string) {
	if c := r.Creature(id); c == nil || dead(c) || fireproof(c) {
		return
	}
	r.AddCondition(id, &eventv1.Condition{Name: condBurning, Source: source, Cause: "burning oil", Rule: cite.ItemOilSecondRound,
		Values: map[string]int32{"due": r.State().Round + 1}})
}

// burn lets the flames on a creature do their second round of harm and ends them.
// Holy water has nothing of the kind: basic.item.holy-water-one-round.
//
// basic.item.oil-second-round, basic.item.oil-two-rounds
func burn(r *rules.Resolution, id string) {
	const rule = cite.ItemOilSecondRound
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name != condBurning || x.Values["due"] > r.State().Round || dead(r.Creature(id)) {
			continue
		}
		r.RemoveCondition(id, x, "burnt out", cite.ItemOilTwoRounds)
		amount := r.Roll(rules.RollSpec{Label: "burning/" + id, Expression: directDice, Reason: "burning oil", Rules: []string{rule}}).Total
		harm{target: id, source: x.Source, cause: "burning oil", amount: amount, kind: fire}.apply(r)
	}
}

// flames settles what burns on and under those whose number comes, before they do
// anything; it tells whether somebody fell. Who spends the round on the flames is
// seen to later.
//
// basic.item.oil-second-round, basic.item.oil-ground-fire
func flames(r *rules.Resolution, group []string) bool {
	fell := false
	for _, id := range group {
		if r.Creature(id).Marks[mDeclared] != kindSmother {
			burn(r, id)
		}
		standInFire(r, id)
		fell = fell || !up(r.Creature(id))
	}
	return fell
}

func refuseSmother(_ *eventv1.State, c *eventv1.Creature, _ string) error {
	if !has(c, condBurning) {
		return refuse("NOT_BURNING", cite.ItemOilExtinguish, "%s does not burn", c.Name)
	}
	return nil
}

// doSmother spends the round on the flames. Rolling and smothering work, water does
// not; of the rest, and if it says so of these, the game master judges.
//
// basic.item.oil-extinguish
func doSmother(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.ItemOilExtinguish
	effective, stated := told(take.Facts, "effective")
	switch {
	case stated:
	case take.Item == "other":
		d := rules.YesNo(decEffective, c.Id, c.Name+" fights the flames", "Does it work?", decideNo, rule)
		d.GmOnly = true
		effective = r.Ask("effective/"+c.Id, d).GetOption() == decideYes
	default:
		effective = take.Item != "water"
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "smother", Item: take.Item}, rule)
	spend(r, c.Id, "smother", rule)
	if !effective {
		burn(r, c.Id)
		return nil
	}
	for _, x := range slices.Clone(r.Creature(c.Id).Conditions) {
		if x.Name == condBurning {
			r.RemoveCondition(c.Id, x, "put out", rule)
		}
	}
	return nil
}

// pools lists the pools of oil on the ground.
func pools(s *eventv1.State, _ *eventv1.Creature) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Tasks) {
		if s.Tasks[id].Kind == taskPool {
			out = append(out, id)
		}
	}
	return out
}

// alight tells whether a pool burns in a round.
//
// basic.item.oil-ground-fire
func alight(t *eventv1.Task, round int32) bool {
	lit := t.Values["lit"]
	return lit > 0 && round >= lit && round < lit+poolRounds
}

// middle is the middle of a pool; nil when it is nowhere on the map.
func middle(t *eventv1.Task) *eventv1.Position {
	if t.Values["placed"] == 0 {
		return nil
	}
	return &eventv1.Position{X: t.Values["x"], Y: t.Values["y"], Z: t.Values["z"]}
}

// inFire tells whether a point is in flames.
func inFire(s *eventv1.State, p *eventv1.Position) bool {
	return p != nil && slices.ContainsFunc(pools(s, nil), func(id string) bool {
		t := s.Tasks[id]
		at := middle(t)
		return alight(t, s.Round) && at != nil && grid.Steps(at, p) <= t.Values["feet"]
	})
}

// standInFire burns a creature that stands in flames: by its position, or where
// there is none by the game master's word, the condition "in-flames".
//
// basic.item.oil-ground-fire
func standInFire(r *rules.Resolution, id string) {
	c := r.Creature(id)
	said := has(c, condInFlames) && slices.ContainsFunc(pools(r.State(), c), func(p string) bool { return alight(r.State().Tasks[p], r.State().Round) })
	if said || inFire(r.State(), c.Position) {
		scorch(r, id)
	}
}

// scorch burns a creature that stands in flames or crosses them, once a round.
//
// basic.item.oil-ground-fire, basic.item.oil-fire-immunity
func scorch(r *rules.Resolution, id string) {
	const rule = cite.ItemOilGroundFire
	if c := r.Creature(id); dead(c) || fireproof(c) || c.Counters[cScorched] == int64(r.State().Round) {
		return
	}
	r.Set(id, cScorched, int64(r.State().Round), "burning oil", rule)
	amount := r.Roll(rules.RollSpec{Label: "ground-fire/" + id, Expression: splashDice, Reason: "oil burning on the ground", Rules: []string{rule}}).Total
	harm{target: id, cause: "oil burning on the ground", amount: amount, kind: fire}.apply(r)
}

// burntOut ends the pools that burn no more after a round.
func burntOut(r *rules.Resolution, round int32) {
	for _, id := range pools(r.State(), nil) {
		if lit := r.State().Tasks[id].Values["lit"]; lit > 0 && round >= lit+poolRounds-1 {
			r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "burnt out"}, cite.ItemOilGroundFire)
		}
	}
}

func oilFlasks(s *eventv1.State, c *eventv1.Creature) []string {
	return slices.DeleteFunc(grenades(s, c), func(name string) bool { return weaponOf(c, name).Contents != oil })
}

func spillParameters(_ *eventv1.State, c *eventv1.Creature, _ string) []*eventv1.Parameter {
	list := []*eventv1.Parameter{{Name: "lit", Type: "boolean", Text: "Whether it is set alight at once"},
		{Name: "feet", Type: "number", Text: "How far the pool reaches from its middle, in feet; 2 for a 5-foot square"}}
	if c.Position != nil {
		list = append(list, &eventv1.Parameter{Name: "at", Type: "path", Text: "Where, within 5 feet; at one's feet if not given"})
	}
	return list
}

func refuseSpill(_ *eventv1.State, c *eventv1.Creature, item string) error {
	w := weaponOf(c, item)
	if err := refuseHand(c, w); err != nil {
		return err
	}
	return refuseNoFlask(c, w)
}

func refuseNoFlask(c *eventv1.Creature, w *eventv1.BasicWeapon) error {
	if w.Ammunition != "" && c.Counters[cAmmunition+w.Ammunition] < 1 {
		return refuse("NO_AMMUNITION", cite.AttackGrenadeDirectHit, "%s has no %s left", c.Name, w.Ammunition)
	}
	return nil
}

// doSpill pours a flask out, alight or not.
//
// basic.item.oil-ground-fire
func doSpill(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.ItemOilGroundFire
	feet, stated := spoken.Number(take.Parameters, "feet")
	if !stated {
		feet = poolFeet
	}
	values := map[string]int32{"feet": feet}
	if at := c.Position; at != nil {
		if n := len(take.Path); n > 0 {
			at = take.Path[n-1]
		}
		if grid.Steps(at, c.Position) > engagedFeet {
			return refuse("OUT_OF_REACH", rule, "oil is poured out within 5 feet")
		}
		values["placed"], values["x"], values["y"], values["z"] = 1, at.X, at.Y, at.Z
	}
	if spoken.Truth(take.Parameters, "lit") {
		values["lit"] = r.State().Round
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "spill-oil", Item: take.Item}, rule)
	spend(r, c.Id, "spill-oil", rule)
	spendFlask(r, c.Id, weaponOf(c, take.Item))
	n := r.Count("", cPools) + 1
	r.Set("", cPools, n, "")
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: "pool-" + itoa(n), Kind: taskPool, Status: poolStatus(values["lit"]),
		Text: "a pool of oil", Values: values}}, rule)
	return nil
}

func poolStatus(lit int32) string {
	if lit > 0 {
		return "burning"
	}
	return "spilled"
}

func refuseLight(s *eventv1.State, c *eventv1.Creature, item string) error {
	const rule = cite.ItemOilGroundFire
	t := s.Tasks[item]
	at := middle(t)
	switch {
	case t.Values["lit"] > 0:
		return refuse("LIT", rule, "%s burns already", item)
	case at != nil && c.Position != nil && grid.Steps(at, c.Position) > engagedFeet+t.Values["feet"]:
		return refuse("OUT_OF_REACH", rule, "%s is out of reach", item)
	}
	return nil
}

// doLight sets a pool alight; this round is the first of ten.
//
// basic.item.oil-ground-fire
func doLight(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	const rule = cite.ItemOilGroundFire
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "light-oil", Item: take.Item}, rule)
	spend(r, c.Id, "light-oil", rule)
	was := r.State().Tasks[take.Item]
	values := map[string]int32{"lit": r.State().Round}
	for _, key := range []string{"feet", "placed", "x", "y", "z"} {
		values[key] = was.Values[key]
	}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: was.Id, Kind: was.Kind, Status: poolStatus(values["lit"]), Text: was.Text, Values: values}}, rule)
	return nil
}
