package rulestest

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// endTurn is the option that is a command of its own.
const endTurn = "end-turn"

// options lists a creature's options and remembers what they name.
func (p *Play) options(id string) []*eventv1.Option {
	all := p.System.Options(rules.Query{State: p.State, Creature: id, Content: p.Content})
	for _, o := range all {
		if k := (known{o.Action, o.Item}); o.Action != endTurn && !slices.Contains(p.known, k) {
			p.known = append(p.known, k)
		}
	}
	return all
}

// legal lists what one creature may do: one whose turn it is if any, else
// anybody who may do something.
func (p *Play) legal() []*eventv1.Option {
	var ids []string
	if len(p.State.Active) > 0 && !p.Chance.OneIn(8) {
		ids = append(ids, Pick(p.Chance, p.State.Active))
	}
	all := rules.SortedKeys(p.State.Creatures)
	for _, id := range append(ids, Some(p.Chance, all, len(all))...) {
		legal := slices.DeleteFunc(p.options(id), func(o *eventv1.Option) bool { return !o.Legal })
		if len(legal) > 0 {
			return legal
		}
	}
	return nil
}

// choose picks an option: first an action, each as likely as the other, lest
// one with many items crowd out the rest.
func (p *Play) choose(legal []*eventv1.Option) *eventv1.Option {
	var actions []string
	for _, o := range legal {
		if !slices.Contains(actions, o.Action) {
			actions = append(actions, o.Action)
		}
	}
	action := Pick(p.Chance, actions)
	if slices.Contains(actions, endTurn) && p.Chance.OneIn(5) {
		action = endTurn
	}
	return Pick(p.Chance, slices.DeleteFunc(legal, func(o *eventv1.Option) bool { return o.Action != action }))
}

// command makes a command of an option: with targets at random, with what it
// needs, and with so many more of its parameters. Listed tells that all of it
// stands in the option: no way through space, no value of the play's own
// making beyond what is needed, and no combination of parameters.
func (p *Play) command(o *eventv1.Option, more int) (cmd *eventv1.Command, listed bool) {
	p.T.Helper()
	if o.Action == endTurn {
		return EndTurn(o.Creature), true
	}
	o = p.inside(o)
	take := &eventv1.TakeAction{Creature: o.Creature, Action: o.Action, Item: o.Item}
	fields := map[string]*structpb.Value{}
	least, most := int(o.MinimumTargets), min(int(o.MaximumTargets), len(o.Targets))
	if o.Legal && least > len(o.Targets) {
		p.T.Fatalf("legal, with %d of %d targets: %v", len(o.Targets), least, o)
	}
	if most > least {
		least += p.Chance.N(most - least + 1)
	}
	take.Targets = Some(p.Chance, o.Targets, least)
	var use, free []*eventv1.Parameter
	for _, x := range o.Parameters {
		if x.Required {
			use = append(use, x)
		} else {
			free = append(free, x)
		}
	}
	listed = more <= 1
	for _, x := range Some(p.Chance, free, more) {
		use = append(use, x)
		listed = listed && (len(x.Values) > 0 || x.Type == "boolean")
	}
	for _, x := range use {
		if x.Type == "path" {
			listed = false
			p.Walk(take)
			continue
		}
		fields[x.Name] = p.value(x)
	}
	if len(fields) > 0 {
		take.Parameters = &structpb.Struct{Fields: fields}
	}
	if p.game.Take != nil {
		p.game.Take(p, o, take)
	}
	return &eventv1.Command{What: &eventv1.Command_Take{Take: take}}, listed
}

// value is one of a parameter's, or one made up where none are listed.
func (p *Play) value(x *eventv1.Parameter) *structpb.Value {
	switch {
	case len(x.Values) > 0:
		return Pick(p.Chance, x.Values)
	case x.Type == "number":
		n := Pick(p.Chance, []int{1, 5, 10, 20})
		if x.Minimum != 0 || x.Maximum != 0 {
			n = min(max(n, int(x.Minimum)), int(x.Maximum))
		}
		return number(n)
	case x.Type == "boolean":
		return structpb.NewBoolValue(!p.Chance.OneIn(4))
	}
	return structpb.NewStringValue("something")
}

// Walk gives an action a short way in some direction; none without a map.
func (p *Play) Walk(take *eventv1.TakeAction) {
	at := p.Creature(take.Creature).GetPosition()
	if at == nil {
		return
	}
	x, y := at.X, at.Y
	for range 1 + p.Chance.N(2) {
		feet := int32(5 * (1 + p.Chance.N(5)))
		x, y = x+feet*int32(p.Chance.N(3)-1), y+feet*int32(p.Chance.N(3)-1)
		take.Path = append(take.Path, &eventv1.Position{X: x, Y: y, Z: at.Z})
	}
}

func number(n int) *structpb.Value { return Object("n", n).Fields["n"] }
