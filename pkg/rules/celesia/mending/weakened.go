package mending

import (
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Decisions of a weakened attack, both once it has hit.
const (
	DecDegrees  = "weakened-degrees"
	DecHoldBack = "weakened-bonus"
)

// countDecision asks for a number from 0 to most; as many as possible when
// nobody decides, or none.
func countDecision(name, creature, question, rule string, most int32, all bool) *eventv1.Decision {
	d := &eventv1.Decision{Name: name, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: creature, Cause: "weakened attack",
		Question: question, DefaultOption: "0", Rule: rule}
	if all {
		d.DefaultOption = body.Itoa(most)
	}
	for n := int32(0); n <= most; n++ {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: body.Itoa(n), Text: body.Itoa(n)})
	}
	return d
}

// asked reads the answer of a countDecision.
func asked(a *eventv1.Answer) int32 {
	n, _ := strconv.Atoi(a.GetOption()) // every option is a number
	return int32(n)
}

// FewerDegrees is how many of the extra rolls of degrees a weakened attack
// makes: as said with it, else as its attacker decides now.
//
// celesia.attack.weakened-fewer-degrees
func FewerDegrees(r *rules.Resolution, a body.Attack, increments int32) int32 {
	if _, said := spoken.Number(a.Take.GetParameters(), "degrees"); said || increments < 1 || !Picked(a.Take, OptionWeakened) {
		return increments
	}
	return asked(r.Ask(a.Label+"/degrees", countDecision(DecDegrees, a.By, "How many extra rolls of the weapon dice are made?",
		cite.AttackWeakenedFewerDegrees, increments, true)))
}

// HeldBack is how much ability bonus a weakened attack leaves out of its damage:
// at most all of it. A penalty cannot be left out.
//
// celesia.attack.weakened-ability-bonus
func HeldBack(r *rules.Resolution, a body.Attack, mods []*eventv1.Modifier) []*eventv1.Modifier {
	bonus := int32(0)
	for _, m := range mods {
		name, _, _ := strings.Cut(m.Source, ",") // one and a half times or half a bonus is written with its sum
		if _, ability := body.Score(r.Creature(a.By), name); ability && m.Value > 0 {
			bonus += m.Value
		}
	}
	n, said := spoken.Number(a.Take.GetParameters(), "hold_back")
	if !said && bonus > 0 && Picked(a.Take, OptionWeakened) {
		n = asked(r.Ask(a.Label+"/hold-back", countDecision(DecHoldBack, a.By, "How many points of ability bonus are left out?",
			cite.AttackWeakenedAbilityBonus, bonus, false)))
	}
	return body.Nonzero(body.Mod(-min(n, bonus), "held back", cite.AttackWeakenedAbilityBonus))
}
