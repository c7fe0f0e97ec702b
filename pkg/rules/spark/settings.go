package spark

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Settings with an id of their own: readings that tables differ on.
const (
	setBonusWithBoth = "spark.setting.bonus-with-move-and-attack"
	setNearestTarget = "spark.setting.nearest-may-be-target"
	setMonstersDie   = "spark.setting.monsters-die-at-zero"
)

// Ids of optional rules.
const (
	ruleAdvantage  = "spark.dice.advantage"
	ruleFeatBonus  = "spark.action.feat-bonus"
	ruleProne      = "spark.condition.prone"
	ruleFrightened = "spark.condition.frightened"
)

func toggle(id, title, def, text string) rules.Setting {
	return rules.Setting{ID: id, Title: title, Text: text, Values: []string{"on", "off"}, Default: def}
}

var settings = []rules.Setting{
	toggle(ruleAdvantage, "Advantage and disadvantage", "on", "Two dice, the higher or the lower kept. Off: always one die."),
	toggle(ruleFeatBonus, "Feats that cost the bonus action", "on", "Feats that name the bonus action as their price may be used."),
	toggle(ruleProne, "Prone", "on", "Melee attacks on the prone have advantage; standing up takes the move action."),
	toggle(ruleFrightened, "Frightened", "on", "Frightened lasts until a Will save, tried again each following round, succeeds."),
	{ID: setBonusWithBoth, Title: "Bonus action with a move and an attack", Values: []string{"allow", "deny"}, Default: "allow",
		Text: "Whether a full move with a single attack leaves the bonus action."},
	toggle(setNearestTarget, "The nearest may be the target", "off", "Fumbles that hit the nearest may hit the creature that was aimed at, save where the table rules it out."),
	toggle(setMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players are dead at 0 hit points; others are dying."),
}

// defaults of the settings by id.
var defaults = func() map[string]string {
	out := map[string]string{}
	for _, s := range settings {
		out[s.ID] = s.Default
	}
	return out
}()

// Settings lists what a table may choose.
func (System) Settings() []rules.Setting { return settings }

// setting reads a setting from a state, for the options, which have no Resolution.
func setting(s *eventv1.State, id string) string {
	if v, ok := s.GetSettings()[id]; ok {
		return v
	}
	return defaults[id]
}

func on(s *eventv1.State, id string) bool { return setting(s, id) == "on" }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decOpportunity, Orders: []string{"no"}, Text: "Let every opportunity attack pass"},
		{Decision: decCounterspell, Orders: []string{"no"}, Text: "Never counterspell"},
	}
}
