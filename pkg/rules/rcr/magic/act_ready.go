package magic

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseReady says why something cannot be readied now: no action is left, or a
// command names what cannot be readied.
func RefuseReady(at *play.At) error {
	if err := checks.NeedAction(at.Actor); err != nil || at.Listing {
		return err
	}
	what := answers.ReadySaid(at.Take)
	var items []string
	for _, x := range Readiables(at.State, at.Actor) {
		switch {
		case x.What != what:
		case x.Item == at.Item():
			return x.Why(at.State, at.Actor)
		default:
			items = append(items, x.Item)
		}
	}
	return body.NoSuch("take.item", at.Item(), "item of "+what+" that "+at.Actor.Name+" can ready", items)
}

// ReadyChoices are what can be readied now.
func ReadyChoices(at *play.At) []*eventv1.Option {
	all := Readiables(at.State, at.Actor)
	out := make([]*eventv1.Option, 0, len(all))
	for _, x := range all {
		if x.Why(at.State, at.Actor) != nil {
			continue
		}
		o := &eventv1.Option{Creature: at.Actor.Id, Action: x.What, Item: x.Item, Title: strings.TrimSpace("Ready: " + x.What + " " + x.Item), Legal: true,
			Rule: body.Fallback, Group: string(body.Frame.Action(x.What).Group)}
		if sp := answers.SpellOf(at.Actor, x.Item); x.What == dice.ReadyCast && sp.Level > 0 && !sp.Innate {
			o.Parameters = []*eventv1.Parameter{body.Frame.Shown("ready", play.Field{Name: "slot", Numbers: answers.SlotsFor(at.Actor, sp)})}
		}
		out = append(out, o)
	}
	return out
}
