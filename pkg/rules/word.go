package rules

import (
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ByWord is the source of the modifier that leads from the dice to a result that
// the game master gave by word.
const ByWord = "the game master's word"

// farthest is how far from the dice a total is looked for that comes out as the game
// master says.
const farthest = 500

// byWord puts the result that a ruling gave to a roll in the place of that of the
// dice. The dice stay as they fell; a modifier says whose word the rest is, so that
// the total is still the sum of what is shown.
func (r *Resolution) byWord(draw *eventv1.Draw, spec RollSpec, out *Rolled, msg *eventv1.Roll) {
	switch {
	case draw.RuledTotal != nil:
		out.Total = draw.GetRuledTotal()
	case draw.RuledOutcome != "":
		total, ok := totalFor(spec, *out, draw.RuledOutcome)
		if !ok {
			r.fail(fault.Field("command.amend.rolls", "the roll %q cannot come out as %q with the dice that it has; give its faces", msg.Label, draw.RuledOutcome))
		}
		out.Total = total
	default:
		return
	}
	msg.Ruled = true
	if by := out.Total - (out.Value + sum(msg.Modifiers)); by != 0 {
		msg.Modifiers = append(msg.Modifiers[:len(msg.Modifiers):len(msg.Modifiers)], &eventv1.Modifier{Value: by, Source: ByWord})
	}
	out.Outcome, out.Degree = "", 0
	out.judge(spec)
}

func sum(modifiers []*eventv1.Modifier) int32 {
	n := int32(0)
	for _, m := range modifiers {
		n += m.Value
	}
	return n
}

// totalFor is the total nearest to the rolled one with which the roll comes out as
// wanted; the greater one of two that are as near.
func totalFor(spec RollSpec, out Rolled, outcome string) (int32, bool) {
	rolled := out.Total
	for by := range int32(farthest) {
		for _, total := range []int32{rolled + by, rolled - by} {
			out.Total, out.Outcome, out.Degree = total, "", 0
			if out.judge(spec); out.Outcome == outcome {
				return total, true
			}
		}
	}
	return 0, false
}
