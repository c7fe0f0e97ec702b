package rules

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Orders that every decision takes which may be settled ahead.
const (
	// OrderAsk asks, whatever less specific orders and the table's setting say.
	OrderAsk = "ask"
	// OrderDefault takes the answer that the decision gives by default.
	OrderDefault = "default"
	// OrderYes, where a decision has no such answer, takes the first one offered that
	// is not the default: the first weapon of an attack that is offered.
	OrderYes = "yes"
)

// order keeps a standing order.
func order(r *Resolution, c *eventv1.SetStandingOrder) error {
	if err := notEnded(r); err != nil {
		return err
	}
	given, err := r.ordered(c)
	if err != nil {
		return err
	}
	for _, o := range given {
		if err := r.giveOrder("order", o); err != nil {
			return err
		}
	}
	return nil
}

// ordered are the orders that a command gives, one for each creature, side or the
// monsters.
func (r *Resolution) ordered(c *eventv1.SetStandingOrder) ([]*eventv1.StandingOrder, error) {
	scopes := 0
	for _, given := range []bool{c.Creature != "", len(c.Creatures) > 0, c.Side != "", c.Monsters} {
		if given {
			scopes++
		}
	}
	if scopes != 1 {
		return nil, fault.Field("order.creature", "give exactly one of a creature, several creatures, a side, the monsters")
	}
	one := func(creature string) *eventv1.StandingOrder {
		return &eventv1.StandingOrder{Creature: creature, Side: c.Side, Monsters: c.Monsters, Decision: c.Decision, Order: c.Order, When: c.When, By: r.req.Caller}
	}
	if c.Side != "" {
		if err := r.knownSide(c.Side); err != nil {
			return nil, err
		}
	}
	if c.Creature == "" && len(c.Creatures) == 0 {
		return []*eventv1.StandingOrder{one("")}, nil
	}
	if n := len(c.Creatures); n > MaxCreatures {
		return nil, fault.Limit("creatures of an order", MaxCreatures, int64(n))
	}
	var out []*eventv1.StandingOrder
	for i, id := range append(slices.Clone(c.Creatures), c.Creature) {
		field := "order.creature"
		if i < len(c.Creatures) {
			field = "order.creatures[" + itoa(i) + "]"
		} else if id == "" {
			break
		}
		if err := present(r, field, id); err != nil {
			return nil, err
		}
		out = append(out, one(id))
	}
	return out, nil
}

// knownSide refuses a side that nobody is on.
func (r *Resolution) knownSide(side string) error {
	var sides []string
	for _, id := range r.CreatureIDs() {
		sides = append(sides, r.state.Creatures[id].Side)
	}
	slices.Sort(sides)
	if !slices.Contains(sides, side) {
		sides = slices.Compact(sides)
		return fault.Field("order.side", "nobody is on a side %q; there are %s%s", side, strings.Join(sides, ", "), DidYouMean(side, sides))
	}
	return nil
}

// giveOrder checks an order and keeps it.
func (r *Resolution) giveOrder(field string, o *eventv1.StandingOrder) error {
	if err := r.fits(field, o); err != nil {
		return err
	}
	if o.Creature != "" && o.When == "" {
		if o.Order == "" {
			o.Order = OrderAsk // as it was before any
		}
		r.Emit(event.Controllers(o.Creature), &eventv1.StandingOrderSet{Creature: o.Creature, Decision: o.Decision, Order: o.Order})
		return nil
	}
	held, audience := r.state.Orders, event.GM()
	if o.Creature != "" {
		held, audience = r.Creature(o.Creature).GetOrders(), event.Controllers(o.Creature)
	}
	there := slices.ContainsFunc(held, func(x *eventv1.StandingOrder) bool { return event.SameOrder(x, o) })
	switch {
	case o.Order == "" && !there:
		return fault.Refuse("NO_SUCH_ORDER", "", "no order to %s was given for these with that condition", o.Decision)
	case !there && len(held) >= limits.StandingOrders:
		return fault.Limit("standing orders", limits.StandingOrders, int64(len(held))+1)
	}
	r.Emit(audience, &eventv1.OrderGiven{Order: o})
	return nil
}

// fits says what is wrong with an order.
func (r *Resolution) fits(field string, o *eventv1.StandingOrder) error {
	var names []string
	for _, so := range r.sys.StandingOrders() {
		names = append(names, so.Decision)
		if so.Decision != o.Decision {
			continue
		}
		if all := so.All(); o.Order != "" && !slices.Contains(all, o.Order) {
			return fault.Field(field+".order", "%q is not one of %s%s", o.Order, strings.Join(all, ", "), DidYouMean(o.Order, all))
		}
		if err := effects.CheckWhen(o.When, func(id string) bool { return r.isSetting(id) }); err != nil {
			return fault.Field(field+".when", "%v", err)
		}
		return nil
	}
	return fault.Field(field+".decision", "no decision %q takes standing orders; there are %s%s", o.Decision, strings.Join(names, ", "), DidYouMean(o.Decision, names))
}

func (r *Resolution) isSetting(id string) bool {
	return slices.ContainsFunc(SettingsWith(r.sys, r.req.Content), func(s Setting) bool { return s.ID == id })
}

// All are the orders that a decision takes.
func (so StandingOrder) All() []string {
	return append([]string{OrderAsk, OrderDefault}, slices.DeleteFunc(slices.Clone(so.Orders), func(o string) bool { return o == OrderAsk || o == OrderDefault })...)
}

// stand gives a creature a standing order without a condition.
func (r *Resolution) stand(field, creature, decision, order string) error {
	err := r.fits(field, &eventv1.StandingOrder{Creature: creature, Decision: decision, Order: order})
	if f, ok := fault.As(err); ok { // which names a field
		return fault.Field(field, "%s", f.Violations[0].Description)
	}
	r.Emit(event.Controllers(creature), &eventv1.StandingOrderSet{Creature: creature, Decision: decision, Order: order})
	return nil
}

// standing finds the answer that a standing order gives to a decision: the creature's
// own orders come first, then those of its side, then those of the monsters; of each,
// those with conditions in the order they were given, then the one without. An order
// that is no answer to this question is passed over. asks: the question is to be put,
// whatever else is said.
func (r *Resolution) standing(d *eventv1.Decision) (a *eventv1.Answer, asks bool) {
	c := r.state.Creatures[d.Creature]
	if c == nil {
		return nil, false
	}
	for _, o := range ordersFor(r.state, c, d.Name) {
		if !r.holds(o, d) {
			continue
		}
		if o.Order == OrderAsk {
			return nil, true
		}
		if a := orderedAnswer(d, o.Order); a != nil {
			return a, false
		}
	}
	return nil, false
}

// ordersFor are the orders that may settle a decision of a creature, the most specific
// first.
func ordersFor(s *eventv1.State, c *eventv1.Creature, decision string) []*eventv1.StandingOrder {
	var out []*eventv1.StandingOrder
	from := func(list []*eventv1.StandingOrder, fits func(o *eventv1.StandingOrder) bool) {
		var always []*eventv1.StandingOrder
		for _, o := range list {
			switch {
			case o.Decision != decision || !fits(o):
			case o.When == "":
				always = append(always, o)
			default:
				out = append(out, o)
			}
		}
		out = append(out, always...)
	}
	from(c.Orders, func(*eventv1.StandingOrder) bool { return true })
	if o := c.StandingOrders[decision]; o != "" {
		out = append(out, &eventv1.StandingOrder{Creature: c.Id, Decision: decision, Order: o})
	}
	if len(c.Controllers) == 0 {
		from(s.Orders, func(o *eventv1.StandingOrder) bool { return o.Side == c.Side })
		from(s.Orders, func(o *eventv1.StandingOrder) bool { return o.Monsters })
	}
	return out
}

// orderedAnswer is what an order says to a question; nil when it says nothing to it.
func orderedAnswer(d *eventv1.Decision, order string) *eventv1.Answer {
	if order == OrderDefault {
		return byDefault(d)
	}
	a := &eventv1.Answer{Option: order}
	if CheckAnswer(d, a) == nil {
		return a
	}
	if order != OrderYes || d.Kind != eventv1.DecisionKind_DECISION_KIND_OPTION {
		return nil
	}
	for _, o := range d.Options {
		if o.Id != d.DefaultOption && o.Id != "no" {
			return &eventv1.Answer{Option: o.Id}
		}
	}
	return nil
}

// byDefault is the answer that a decision gives by default; nil when it gives none.
func byDefault(d *eventv1.Decision) *eventv1.Answer {
	a := &eventv1.Answer{Option: d.DefaultOption}
	if d.DefaultOption == "" || CheckAnswer(d, a) != nil {
		return nil
	}
	return a
}

// decidedByTable is the default of a decision where the table's setting takes it
// without asking; nil where it asks. What the game master alone answers is asked.
func (r *Resolution) decidedByTable(d *eventv1.Decision) *eventv1.Answer {
	c := r.state.Creatures[d.Creature]
	if c == nil || d.GmOnly {
		return nil
	}
	switch r.Value(SettingDecideByDefault) {
	case DecideAll:
		return byDefault(d)
	case DecideMonsters:
		if len(c.Controllers) == 0 {
			return byDefault(d)
		}
	}
	return nil
}

// holds tells whether the condition of an order holds, as far as its giver may know.
func (r *Resolution) holds(o *eventv1.StandingOrder, d *eventv1.Decision) bool {
	if o.When == "" {
		return true
	}
	var target *eventv1.Creature
	if len(d.Against) > 0 {
		target = r.asKnown(d.Against[0], o.By)
	}
	return effects.When(o.When, r.Content(), effects.Env{State: r.state, Actor: r.asKnown(d.Creature, o.By), Target: target})
}

// asKnown is a creature with what a principal may know of it, by the audiences that the
// system gives its facts; nil when it knows of none. Nobody is the game master.
func (r *Resolution) asKnown(id string, p *eventv1.Principal) *eventv1.Creature {
	c := r.state.Creatures[id]
	if c == nil || p == nil || p.Role == eventv1.Principal_ROLE_GM {
		return c
	}
	if !event.KnownTo(r.state, c, p) {
		return nil
	}
	sees := func(kind FactKind, name string) bool {
		return event.Hear(r.state, &eventv1.Event{Audience: r.Audience(kind, name, id)}).By(p)
	}
	out := &eventv1.Creature{Id: c.Id, Name: c.Name, Side: c.Side, Size: c.Size, Controllers: c.Controllers, Life: c.Life, Counters: map[string]int64{}}
	if sees(FactSheet, "") {
		out.Sheet = c.Sheet
	}
	if sees(FactHitPoints, "") {
		out.Hp, out.HpMax, out.HpTemp = c.Hp, c.HpMax, c.HpTemp
	}
	if sees(FactPosition, "") {
		out.Position = c.Position
	}
	for _, name := range SortedKeys(c.Counters) {
		if sees(FactCounter, name) {
			out.Counters[name] = c.Counters[name]
		}
	}
	for _, k := range c.Conditions {
		if sees(FactCondition, k.Name) {
			out.Conditions = append(out.Conditions, k)
		}
	}
	for _, k := range c.Injuries {
		if sees(FactInjury, k.Kind) {
			out.Injuries = append(out.Injuries, k)
		}
	}
	return out
}

// Orderables are the decisions of a system that may be settled ahead, with the orders in
// force without a condition for a creature; nil asks for none.
func Orderables(sys System, s *eventv1.State, c *eventv1.Creature) []*eventv1.Orderable {
	var out []*eventv1.Orderable
	for _, so := range sys.StandingOrders() {
		o := &eventv1.Orderable{Decision: so.Decision, Orders: so.All(), Text: so.Text}
		if c != nil {
			for _, given := range ordersFor(s, c, so.Decision) {
				if given.When == "" {
					o.Now, o.Of = given.Order, scopeOf(given)
					break
				}
			}
		}
		out = append(out, o)
	}
	return out
}

func scopeOf(o *eventv1.StandingOrder) string {
	switch {
	case o.Creature != "":
		return "creature"
	case o.Side != "":
		return "side"
	}
	return "monsters"
}
