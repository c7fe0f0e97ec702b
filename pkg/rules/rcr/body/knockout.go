package body

import (
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecKnockOut asks whoever brings a creature to 0 hit points in melee whether it knocks
// it out.
const DecKnockOut = "knock-out"

// SetKnockOut is the setting that says when that is asked.
const SetKnockOut = "rcr.setting.knock-out"

// FactKnockOut is the fact of harm that says whether the harmed is to be knocked out:
// "true", "false", or FactAsk; nothing where it cannot be.
const FactKnockOut = "knock-out"

// FactAsk is the word of a fact that its doer is to be asked about.
const FactAsk = "ask"

// BlowFacts are what is stated about the harm of an attack: about the wound, and
// whether whom it brings down is knocked out.
//
// rcr.base.knock-out
func BlowFacts(take *eventv1.TakeAction) map[string]string {
	out := WoundFacts(take)
	if take.GetParameters().GetFields()["knock_out"] != nil {
		out[FactKnockOut] = strconv.FormatBool(KnocksOut(take))
	}
	return out
}

// KnocksOut tells whether an attack is made to knock out.
func KnocksOut(take *eventv1.TakeAction) bool { return spoken.Truth(take.GetParameters(), "knock_out") }

// Sparing completes the facts of a blow: at range nobody is knocked out, and in melee
// the attacker is asked where the table plays it so, or where it has a standing order.
//
// rcr.base.knock-out
func Sparing(s *eventv1.State, attacker *eventv1.Creature, melee bool, facts map[string]string) map[string]string {
	order := attacker.GetStandingOrders()[DecKnockOut]
	switch _, said := facts[FactKnockOut]; {
	case !melee:
		delete(facts, FactKnockOut)
	case !said && (order != "" && order != FactAsk || Defaults.Value(s, SetKnockOut) == FactAsk):
		facts[FactKnockOut] = FactAsk
	}
	return facts
}

// RefuseKnockOut says that an attack that is none in melee knocks nobody out.
//
// rcr.base.knock-out
func RefuseKnockOut(take *eventv1.TakeAction, melee bool) error {
	if KnocksOut(take) && !melee {
		return Refuse("NOT_MELEE", cite.BaseKnockOut, "only an attack in melee knocks anybody out")
	}
	return nil
}
