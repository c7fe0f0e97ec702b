package body

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
)

// causeInjury marks the conditions that come of crippling injuries.
const causeInjury = "crippling injury"

// JoinChoice is the option id for an injury of a row on a side; the row alone for
// what has no sides.
func JoinChoice(row, side string) string {
	if side == "" {
		return row
	}
	return row + ":" + side
}

// SplitChoice takes apart what JoinChoice made; the side is empty when there is
// none.
func SplitChoice(choice string) (row, side string) {
	row, side, _ = strings.Cut(choice, ":")
	return row, side
}

// StumpBleeds is how much a severed part of a row bleeds, in points at each start
// of a turn.
//
// celesia.injury.hand-severed, celesia.injury.leg-severed, celesia.injury.arm-severed
var StumpBleeds = map[string]int64{"hand": 1, "leg": 2, "arm": 2}

// SettleInjuries brings conditions in line with the injuries carried.
//
// celesia.injury.eye, celesia.injury.head-ladder, celesia.injury.leg-all-lost
func SettleInjuries(r *rules.Resolution, id string) {
	c := r.Creature(id)
	head, eyes := Injuries(c, "head", "", false), Parts(c, "eye")
	Keep(r, id, CondBlind, causeInjury, cite.InjuryEye, eyes > 0 && LostParts(c, "eye") >= eyes)
	Keep(r, id, CondSickened, causeInjury, cite.InjuryHeadLadder, head >= 2)
	Keep(r, id, CondConfused, causeInjury, cite.InjuryHeadLadder, head >= 3)
	Keep(r, id, CondStaggered, causeInjury, cite.InjuryHeadLadder, head >= 4)
	if Grounded(c) {
		SetProne(r, id, "no leg left to stand on", cite.InjuryLegAllLost)
	}
}
