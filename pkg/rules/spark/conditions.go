package spark

import (
	"slices"

	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// conditions is what conditions mean, as shipped; conditionError says why they
// are unfit.
var conditions, conditionError = readConditions()

func readConditions() (*condition.Book, error) {
	text, err := content.Book().File("conditions.yaml")
	if err != nil {
		return nil, err
	}
	return condition.Read(text)
}

// endConditions takes conditions of a name off a creature.
func endConditions(r *rules.Resolution, id, name, cause string, ruleIDs ...string) {
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if x.Name == name {
			r.RemoveCondition(id, x, cause, ruleIDs...)
		}
	}
}

// concentration is the spell that a creature concentrates on, and whether it does.
//
// spark.reaction.concentration-bars
func concentration(c *eventv1.Creature) (spell string, concentrates bool) {
	x := conditions.On(c, condConcentrating)
	return x.GetVariant(), x != nil
}
