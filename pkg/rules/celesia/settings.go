package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ids of the settings that are no rules of their own: readings that tables
// differ on.
const (
	setRangedProvokes = "celesia.setting.ranged-provokes"
	setNaturalFaces   = "celesia.setting.natural-1-and-20"
	setLethalUnarmed  = "celesia.setting.lethal-unarmed"
)

// Ids of the toggles: optional rules.
const (
	optDeck     = "celesia.critical.deck-normal"
	optTended   = "celesia.rest.tended-stable-recovery"
	optUntended = "celesia.death.untended-stable-danger"
)

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings }

var settings = []rules.Setting{
	{ID: optDeck, Title: "Critical Hit Deck", Values: []string{"on", "off"}, Default: "off",
		Text: "A card of normal damage, stated as the fact deck: normal, counts every weapon die at its maximum and multiplies none."},
	{ID: optTended, Title: "Tended creatures are marked", Values: []string{"on", "off"}, Default: "on",
		Text: "A stable creature that a healer or magic has treated is marked as tended; it will recover in time."},
	{ID: optUntended, Title: "Untended creatures stay in danger", Values: []string{"on", "off"}, Default: "on",
		Text: "The game master is warned of a stable creature that nobody has tended."},
	{ID: setRangedProvokes, Title: "Ranged attacks provoke", Values: []string{"on", "off"}, Default: "on",
		Text: "A ranged attack provokes attacks of opportunity although its entry has no such tag."},
	{ID: setNaturalFaces, Title: "Natural 1 and 20 on attacks", Values: []string{"on", "off"}, Default: "off",
		Text: "A natural 20 always hits and a natural 1 always misses."},
	{ID: setLethalUnarmed, Title: "Lethal unarmed strikes", Values: []string{"disadvantage", "penalty"}, Default: "disadvantage",
		Text: "What a lethal blow with an unarmed strike costs: disadvantage, or 4 off the attack roll."},
}

var defaults = func() map[string]string {
	out := map[string]string{}
	for _, s := range settings {
		out[s.ID] = s.Default
	}
	return out
}()

// setting reads a setting from a state, for the options, which have no
// Resolution.
func setting(s *eventv1.State, id string) string {
	if v, ok := s.GetSettings()[id]; ok {
		return v
	}
	return defaults[id]
}

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decReaction, Orders: []string{"no"}, Text: "Let every chance to react pass"},
		{Decision: decReenter, Orders: []string{"yes", "no"}, Text: "Come back from a delay at the first chance, or never"},
		{Decision: decCrippling, Orders: []string{"none", "scar", "major-scar"}, Text: "Injury to take in place of damage that would bring hit points to 0 or lower"},
		{Decision: decEscape, Orders: []string{"free", "control"}, Text: "What a successful escape from a grapple gains"},
	}
}
