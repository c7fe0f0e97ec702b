package manners

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Decisions about an attack that no command of its own makes: an attack of
// opportunity, a readied attack, a cleave.
const (
	// DecManner is how it is made: lethal or not, and with which trade-offs.
	DecManner = "attack-manner"
	// DecCareful is how often 1 is taken off the roll of a weakened attack.
	DecCareful = "weakened-penalty"
)

// Otherwise is the option of whoever wants to say how an attack is made; the
// others make it plainly.
const Otherwise = "otherwise"

// mostCareful is how often 1 can be taken off the roll of a weakened attack; more
// than that never lessens damage further.
const mostCareful = 100

// InTurn tells whether a creature has its turn now, a mount that of its rider.
//
// celesia.mount.shared-initiative
func InTurn(s *eventv1.State, c *eventv1.Creature) bool {
	return slices.Contains(s.Active, c.GetId()) || slices.Contains(s.Active, body.RiderOf(c))
}

// manners are the ways of making an attack before its roll, "plain" first: the
// nature of its damage turned or not, together with each set of trade-offs that
// the attacker can choose now.
//
// celesia.attack.special-options, celesia.attack.lethal-with-nonlethal-weapon,
// celesia.attack.nonlethal-with-lethal-weapon
func manners(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	var words []string
	switch {
	case w.Nonlethal:
		words = append(words, "lethal")
	case !body.Ranged(w):
		words = append(words, body.NatureNonlethal)
	}
	for i := range TradeOffs {
		o := &TradeOffs[i]
		// What goes with the first attack of one's turn comes too late here.
		if !o.first && o.Refuse(s, c, w) == nil {
			words = append(words, o.Id)
		}
	}
	var out []string
	for set := range 1 << len(words) {
		var picked []string
		for i, word := range words {
			if set&(1<<i) != 0 {
				picked = append(picked, word)
			}
		}
		if !(slices.Contains(picked, mending.OptionPower) && slices.Contains(picked, mending.OptionPrecision)) {
			out = append(out, strings.Join(picked, ","))
		}
	}
	out[0] = "plain"
	return out
}

// AskManner asks how an attack is made and returns it as the parameters of the
// attack action.
//
// celesia.attack.special-options
func AskManner(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon, label string) *structpb.Struct {
	d := &eventv1.Decision{Name: DecManner, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "attack with " + w.Name,
		Question: "How is the attack made?", DefaultOption: "plain", Rule: cite.AttackSpecialOptions}
	for _, m := range manners(r.State(), r.Creature(id), w) {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: m, Text: strings.ReplaceAll(m, ",", ", ")})
	}
	var options []string
	list := &structpb.ListValue{}
	out := &structpb.Struct{Fields: map[string]*structpb.Value{}}
	for _, word := range strings.Split(r.Ask(label+"/manner", d).Option, ",") {
		switch word {
		case "plain":
		case "lethal", body.NatureNonlethal:
			out.Fields["damage"] = structpb.NewStringValue(word)
		default:
			options = append(options, word)
			list.Values = append(list.Values, structpb.NewStringValue(word))
		}
	}
	out.Fields["options"] = structpb.NewListValue(list)
	if slices.Contains(options, mending.OptionWeakened) {
		n := r.Ask(label+"/careful", &eventv1.Decision{Name: DecCareful, Kind: eventv1.DecisionKind_DECISION_KIND_NUMBER, Creature: id,
			Cause: "weakened attack", Question: "How often is 1 taken off the roll, for 2 off the damage?", Maximum: mostCareful,
			Rule: cite.AttackWeakenedPenalty}).GetNumber()
		if v, err := structpb.NewValue(n); err == nil { // a whole number is always a value
			out.Fields["careful"] = v
		}
	}
	return out
}
