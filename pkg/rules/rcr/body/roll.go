package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckOpts are what a check is made with besides the creature's own numbers.
type CheckOpts struct {
	// Edges and modifiers besides those that the creature's state gives.
	Edges     []*eventv1.Edge
	Modifiers []*eventv1.Modifier
	// Audience of the roll; nil means everyone.
	Audience *eventv1.Audience
	// Reason in words; empty means the skill's name.
	Reason string
	// Unsaid: the roll does not show what it must reach.
	Unsaid bool
	// Inspiration is spent for advantage.
	Inspiration bool
	// Judge as in rules.RollSpec; nil for success and failure.
	Judge func(natural, total int32) (string, int32)
	// Kinds renames kinds of sources: two given one name count once.
	Kinds map[string]string
	// Rules behind the check.
	Rules []string
	// Kit: it is made with a healer's kit.
	Kit bool
	// Water is what is stated about it.
	Water WaterSaid
	// About is what it is about, where a feat helps with that; empty for nothing.
	About string
	// Dim: what is looked for is in dim light, or obscured.
	Dim bool
}

// SaveOpts are what a saving throw is made with besides the creature's own numbers.
type SaveOpts struct {
	Edges     []*eventv1.Edge
	Modifiers []*eventv1.Modifier
	// Kinds as of a check.
	Kinds    map[string]string
	Audience *eventv1.Audience
	Reason   string
	Rules    []string
	// Types of the damage that it is against.
	Types []string
	// Against are the conditions that a failure brings; Magic: it is against a
	// spell or other magic.
	Against []string
	Magic   bool
	// Water is what is stated about it.
	Water WaterSaid
	// About as of a check.
	About string
}

// MInspired is on a creature that has set its inspiration on a roll to come:
// "any" for the next attack, check or saving throw, or the one kind it is for.
const MInspired = "inspired"

// Kinds of rolls that inspiration can be set on.
const (
	ForAttack     = "attack"
	ForCheck      = "check"
	ForSave       = "save"
	ForInitiative = "initiative"
	// AnyRoll is the next of them, initiative apart.
	AnyRoll = "any"
)

// SetProne puts a creature on the ground: crouching ends, since the two exclude
// each other.
//
// rcr.condition.crouching-definition
func SetProne(r *rules.Resolution, id, cause, rule string) {
	c := r.Creature(id)
	if Has(c, CondProne) || Named(SheetOf(c).ConditionImmunities, CondProne) {
		return
	}
	if Befall(r, OnProne, id, cause, 0) {
		return
	}
	EndCrouch(r, id)
	r.AddCondition(id, &eventv1.Condition{Name: CondProne, Cause: cause, Rule: rule})
	Befall(r, OnFallen, id, cause, 0)
}

// EndCrouch ends the crouching of whoever lies.
//
// rcr.condition.crouching-definition
func EndCrouch(r *rules.Resolution, id string) {
	for _, x := range r.Creature(id).Conditions {
		if x.Name == CondCrouching {
			r.RemoveCondition(id, x, "prone", cite.ConditionCrouchingDefinition)
		}
	}
}

// Concentration is the spell that a creature concentrates on; empty for none.
func Concentration(c *eventv1.Creature) string { return Condition(c, CondConcentrating).GetVariant() }

// PurposeConcentration is that of the saving throw that keeps a spell up.
const PurposeConcentration = "concentration"

// PointDeathSave is the point at which content changes death saves.
const PointDeathSave = "save/death"
