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
	var out []*eventv1.Option
	for _, x := range all {
		if x.Why(at.State, at.Actor) != nil {
			continue
		}
		o := at.NewOption()
		o.Creature, o.Action, o.Item, o.Title, o.Legal = at.Actor.Id, x.What, x.Item, strings.TrimSpace("Ready: "+x.What+" "+x.Item), true
		o.Rule, o.Group = body.Fallback, string(body.Frame().Action(x.What).Group)
		if sp := answers.SpellOf(at.Actor, x.Item); x.What == dice.ReadyCast && sp.Level > 0 && !sp.Innate {
			o.Parameters = []*eventv1.Parameter{body.Frame().Shown("ready", play.Field{Name: "slot", Numbers: answers.SlotsFor(at.Actor, sp)})}
		}
		if out = append(out, o); at.Enough(len(out)) {
			break
		}
	}
	return out
}
