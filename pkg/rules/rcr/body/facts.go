package body

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Renamed reads a mapping of words out of a Struct, to be read only; nil when there is
// none.
func Renamed(s *structpb.Struct, key string) map[string]string {
	fields := s.GetFields()[key].GetStructValue().GetFields()
	if len(fields) == 0 {
		return nil
	}
	out := make(map[string]string, len(fields))
	// order-free: a map is copied into a map
	for k, v := range fields {
		out[k] = v.GetStringValue()
	}
	return out
}

// Missing says that a parameter is missing.
func Missing(name string) error { return fault.Field("take.parameters."+name, "missing") }

// WoundFacts are what the game master states about a wound that an act may
// bring: the die that a scar is rolled with, the side of a lost part, words.
//
// rcr.injury.row4-scar, rcr.injury.row5-severed-limb, rcr.injury.describe-wound
func WoundFacts(take *eventv1.TakeAction) map[string]string {
	out := map[string]string{}
	for _, w := range HarmWords {
		if word := spoken.Word(take.GetFacts(), w.Parameter); word != "" {
			out[w.Fact] = word
		}
	}
	if spoken.Truth(take.GetFacts(), "trap") {
		out[FactTrap] = rules.Yes
	}
	if take.GetFacts().GetFields()["underwater"] != nil {
		out[FactUnderwater] = strconv.FormatBool(spoken.Truth(take.Facts, "underwater"))
	}
	return out
}

// FactTrap is the fact of harm, and of an act, that a trap does it.
const FactTrap = "trap"

// AboutMagic is the word of the fact about for what is magic.
const AboutMagic = "magic"

// AboutTrap is what a saving throw is about by the facts of what forces it: a trap, or
// nothing that these rules know.
//
// rcr.feat.dungeon-delver-trap-saves
func AboutTrap(facts map[string]string) string {
	if facts[FactTrap] != "" {
		return FactTrap
	}
	return ""
}

// FactUnderwater is the fact of harm that says whether it is done under water,
// "true" or "false".
const FactUnderwater = "underwater"

// FactNo is the word of a fact that is said not to hold.
const FactNo = "false"

// Also adds facts to others.
func Also(facts, more map[string]string) map[string]string {
	// order-free: a map is copied into a map
	for key, word := range more {
		facts[key] = word
	}
	return facts
}
