package body

import (
	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions is what conditions mean, as shipped; conditionError says why they
// are unfit.
var Conditions, ConditionError = readConditions()

func readConditions() (*condition.Book, error) {
	text, err := content.Book().File("conditions.yaml")
	if err != nil {
		return nil, err
	}
	return condition.Read(text)
}

// EndConditions takes conditions of a name off a creature.
func EndConditions(r *rules.Resolution, id, name, cause string, ruleIDs ...string) {
	for _, x := range r.Creature(id).Conditions {
		if x.Name == name {
			r.RemoveCondition(id, x, cause, ruleIDs...)
		}
	}
}

// Concentration is the spell that a creature concentrates on, and whether it does.
//
// spark.reaction.concentration-bars
func Concentration(c *eventv1.Creature) (spell string, concentrates bool) {
	x := Conditions.On(c, CondConcentrating)
	return x.GetVariant(), x != nil
}
