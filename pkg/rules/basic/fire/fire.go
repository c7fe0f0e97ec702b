package fire

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
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

// FireActions put out flames, pour oil on the ground and light it.
func FireActions() []*play.Action {
	return []*play.Action{
		{ID: "smother", Title: "Put out the flames", Rule: cite.ItemOilExtinguish, Group: play.GroupDefend, Traits: body.During(body.KindSmother), Costs: body.OneAction,
			Items: func(*play.At) []string { return methods }, Refuse: refuseSmother, Do: doSmother},
		{ID: "spill-oil", Title: "Pour a flask of oil on the ground", Rule: cite.ItemOilGroundFire, Group: play.GroupItem, Traits: body.During(order.Others...), Costs: body.OneAction,
			Items: body.Of(oilFlasks), Refuse: refuseSpill, Fields: spillFields, Check: checkSpill, Do: doSpill},
		{ID: "light-oil", Title: "Set oil on the ground alight", Rule: cite.ItemOilGroundFire, Group: play.GroupItem, Traits: body.During(order.Others...), Costs: body.OneAction,
			Items: func(at *play.At) []string { return Pools(at.State) }, Refuse: refuseLight, Do: doLight},
	}
}

// Burn lets the flames on a creature do their second round of harm and ends them.
// Holy water has nothing of the kind: basic.item.holy-water-one-round.
//
// basic.item.oil-second-round, basic.item.oil-two-rounds
func Burn(r *rules.Resolution, id string) {
	const rule = cite.ItemOilSecondRound
	for _, x := range r.Creature(id).Conditions {
		if x.Name != body.CondBurning || x.Values["due"] > r.State().Round || body.Dead(r.Creature(id)) {
			continue
		}
		r.RemoveCondition(id, x, "burnt out", cite.ItemOilTwoRounds)
		amount := r.Roll(rules.RollSpec{Label: "burning/" + id, Expression: strike.DirectDice, Reason: "burning oil", Rules: []string{rule}}).Total
		strike.Harm{Target: id, Source: x.Source, Cause: "burning oil", Amount: amount, Kind: strike.Fire}.Apply(r)
	}
}

// Flames settles what burns on and under those whose number comes, before they do
// anything; it tells whether somebody fell. Who spends the round on the flames is
// seen to later.
//
// basic.item.oil-second-round, basic.item.oil-ground-fire
func Flames(r *rules.Resolution, group []string) bool {
	fell := false
	for _, id := range group {
		if order.DeclaredBy(r.Creature(id)) != body.KindSmother {
			Burn(r, id)
		}
		StandInFire(r, id)
		fell = fell || !body.Up(r.Creature(id))
	}
	return fell
}

func refuseSmother(at *play.At) error {
	c := at.Actor
	if !body.Has(c, body.CondBurning) {
		return body.Refuse("NOT_BURNING", cite.ItemOilExtinguish, "%s does not burn", c.Name)
	}
	return nil
}

// doSmother spends the round on the flames. Rolling and smothering work, water does
// not; of the rest, and if it says so of these, the game master judges.
//
// basic.item.oil-extinguish
func doSmother(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ItemOilExtinguish
	effective, stated := body.Told(take.Facts, "effective")
	switch {
	case stated:
	case take.Item == "other":
		d := rules.YesNo(body.DecEffective, c.Id, c.Name+" fights the flames", "Does it work?", body.DecideNo, rule)
		d.GmOnly = true
		effective = r.Ask("effective/"+c.Id, d).GetOption() == body.DecideYes
	default:
		effective = take.Item != "water"
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "smother", Item: take.Item}, rule)
	body.Pay(r, at, rule)
	if !effective {
		Burn(r, c.Id)
		return nil
	}
	for _, x := range r.Creature(c.Id).Conditions {
		if x.Name == body.CondBurning {
			r.RemoveCondition(c.Id, x, "put out", rule)
		}
	}
	return nil
}

// Pools lists the pools of oil on the ground.
func Pools(s *eventv1.State) []string {
	var out []string
	for _, id := range rules.SortedKeys(s.Tasks) {
		if s.Tasks[id].Kind == body.TaskPool {
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

// InFire tells whether a point is in flames.
func InFire(s *eventv1.State, p *eventv1.Position) bool {
	return p != nil && slices.ContainsFunc(Pools(s), func(id string) bool {
		t := s.Tasks[id]
		at := middle(t)
		return alight(t, s.Round) && at != nil && grid.Steps(at, p) <= t.Values["feet"]
	})
}

// StandInFire burns a creature that stands in flames: by its position, or where
// there is none by the game master's word, the condition "in-flames".
//
// basic.item.oil-ground-fire
func StandInFire(r *rules.Resolution, id string) {
	c := r.Creature(id)
	said := body.Has(c, body.CondInFlames) && slices.ContainsFunc(Pools(r.State()), func(p string) bool { return alight(r.State().Tasks[p], r.State().Round) })
	if said || InFire(r.State(), c.Position) {
		holds.Scorch(r, id)
	}
}

// BurntOut ends the pools that burn no more after a round.
func BurntOut(r *rules.Resolution, round int32) {
	for _, id := range Pools(r.State()) {
		if lit := r.State().Tasks[id].Values["lit"]; lit > 0 && round >= lit+poolRounds-1 {
			r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "burnt out"}, cite.ItemOilGroundFire)
		}
	}
}

func oilFlasks(c *eventv1.Creature) []string {
	return slices.DeleteFunc(strike.Grenades(c), func(name string) bool { return body.WeaponOf(c, name).Contents != body.Oil })
}

// spillFields: one with a position says where, as the end of a path.
func spillFields(at *play.At) []play.Field {
	if at.Actor.Position == nil {
		return []play.Field{{Name: "lit"}, {Name: "feet"}}
	}
	return []play.Field{{Name: "lit"}, {Name: "feet"}, {Name: "at"}}
}

// spillAt is where oil is poured out; nil for one who stands nowhere.
func spillAt(at *play.At) *eventv1.Position {
	if n := len(at.Take.Path); n > 0 && at.Actor.Position != nil {
		return at.Take.Path[n-1]
	}
	return at.Actor.Position
}

// checkSpill: oil is poured out within reach.
//
// basic.item.oil-ground-fire
func checkSpill(at *play.At) error {
	if grid.Steps(spillAt(at), at.Actor.Position) > body.EngagedFeet {
		return body.Refuse("OUT_OF_REACH", cite.ItemOilGroundFire, "oil is poured out within 5 feet")
	}
	return nil
}

func refuseSpill(at *play.At) error {
	c, item := at.Actor, at.Item()
	w := body.WeaponOf(c, item)
	if err := strike.RefuseHand(c, w); err != nil {
		return err
	}
	return strike.RefuseNoFlask(c, w)
}

// doSpill pours a flask out, alight or not.
//
// basic.item.oil-ground-fire
func doSpill(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ItemOilGroundFire
	feet, stated := at.Number("feet")
	if !stated {
		feet = poolFeet
	}
	values := map[string]int32{"feet": feet}
	if to := spillAt(at); to != nil {
		values["placed"], values["x"], values["y"], values["z"] = 1, to.X, to.Y, to.Z
	}
	if at.Truth("lit") {
		values["lit"] = r.State().Round
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "spill-oil", Item: take.Item}, rule)
	body.Pay(r, at, rule)
	spendFlask(r, c.Id, body.WeaponOf(c, take.Item))
	n := r.Count("", body.CPools) + 1
	r.Set("", body.CPools, n, "")
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: "pool-" + body.Itoa(n), Kind: body.TaskPool, Status: poolStatus(values["lit"]),
		Text: "a pool of oil", Values: values}}, rule)
	return nil
}

func poolStatus(lit int32) string {
	if lit > 0 {
		return "burning"
	}
	return "spilled"
}

func refuseLight(at *play.At) error {
	s, c, item := at.State, at.Actor, at.Item()
	const rule = cite.ItemOilGroundFire
	t := s.Tasks[item]
	lies := middle(t)
	switch {
	case t.Values["lit"] > 0:
		return body.Refuse("LIT", rule, "%s burns already", item)
	case lies != nil && c.Position != nil && grid.Steps(lies, c.Position) > body.EngagedFeet+t.Values["feet"]:
		return body.Refuse("OUT_OF_REACH", rule, "%s is out of reach", item)
	}
	return nil
}

// doLight sets a pool alight; this round is the first of ten.
//
// basic.item.oil-ground-fire
func doLight(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	const rule = cite.ItemOilGroundFire
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "light-oil", Item: take.Item}, rule)
	body.Pay(r, at, rule)
	was := r.State().Tasks[take.Item]
	values := map[string]int32{"lit": r.State().Round}
	for _, key := range []string{"feet", "placed", "x", "y", "z"} {
		values[key] = was.Values[key]
	}
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: was.Id, Kind: was.Kind, Status: poolStatus(values["lit"]), Text: was.Text, Values: values}}, rule)
	return nil
}
