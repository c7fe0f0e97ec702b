package answers

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Without are the words that a way does not take.
func Without(name string) play.Field { return play.Field{Name: name, Values: []string{}} }

// Fitting keeps of words those that nothing refuses.
func Fitting(all []string, refused func(word string) error) []string {
	out := make([]string, 0, len(all))
	for _, word := range all {
		if refused(word) == nil {
			out = append(out, word)
		}
	}
	return out
}

// Traded are the nature of an attack's damage and the trade-offs that are left,
// worked out once for attacks in melee and once for those at range.
//
// celesia.attack.special-options, celesia.attack.nonlethal-with-lethal-weapon
func Traded(at *play.At, c *eventv1.Creature, w *eventv1.CelesiaWeapon) []play.Field {
	if w == nil {
		return nil
	}
	p, far := at.Scratch.(*items.Spot), 0
	if body.Ranged(w) {
		far = 1
	}
	if p.Trades[far] == nil || c != at.Actor {
		options := make([]string, 0, len(manners.TradeOffs))
		for i := range manners.TradeOffs {
			if o := &manners.TradeOffs[i]; o.Refuse(at.State, c, w) == nil {
				options = append(options, o.Id)
			}
		}
		p.Trades[far] = []play.Field{play.Field{Name: "options", Values: options}.Made(WordFor("attack", "options"))}
	}
	out := p.Trades[far]
	if body.Ranged(w) && !w.Nonlethal {
		out = append(slices.Clip(out), lethalAlone)
	}
	return out
}

// lethalAlone: nothing that shoots is turned to nonlethal damage.
var lethalAlone = play.Field{Name: "damage", Values: []string{"lethal"}}.Made(&eventv1.Parameter{Name: "damage", Type: rules.TypeString, Matter: rules.MatterActor,
	Text: "what shoots or is thrown deals lethal damage"})

// WordFor is a parameter of an action as options show it.
func WordFor(action, name string) *eventv1.Parameter {
	if w := checks.Frame().Words.Find(rules.PlaceParameter, action, name); w != nil {
		return w.Parameter()
	}
	return nil
}

// Modes are the ways of moving that a creature has a speed for; on legs that carry
// it.
func Modes(c *eventv1.Creature) []string {
	return slices.DeleteFunc(rules.SortedKeys(c.GetSheet().GetSpeeds()), func(mode string) bool { return mode == "walk" && body.Legless(c) })
}

// PickOne is a word of a Move that must be one of some.
func PickOne(name string, values ...string) *eventv1.Parameter {
	p := WordFor("move", name)
	p.Required, p.Values = true, nil
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
}
