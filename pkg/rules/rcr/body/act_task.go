package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/play"
	"google.golang.org/protobuf/types/known/structpb"
)

// skillValues and abilityValues are what every creature can be asked to roll, made once.
var (
	SkillValues   = MadeOf(plainSkills)
	AbilityValues = MadeOf(Abilities)
	PlainValues   = slices.Concat(SkillValues, AbilityValues)
)

// MadeOf makes a protobuf value of each name.
func MadeOf(names []string) []*structpb.Value {
	out := make([]*structpb.Value, len(names))
	for i, name := range names {
		out[i] = structpb.NewStringValue(name)
	}
	return out
}

// SkillField is the skill, tool or ability of a check. A command's is judged by
// itself.
func SkillField(at *play.At) play.Field {
	f := play.Field{Name: "skill", Required: true}
	switch tools := ToolNames(at.Actor); {
	case !at.Listing:
	case len(tools) == 0:
		f.Listed = PlainValues
	default:
		f.Listed = slices.Concat(SkillValues, MadeOf(tools), AbilityValues)
	}
	return f
}
