package body

import (
	"sync"

	"github.com/skaldrpg/skald/pkg/rules"
)

// OfTheFight lists the counters, marks and conditions that mean nothing once the
// fight is over.
var OfTheFight = sync.OnceValue(func() rules.OfTheFight {
	return rules.OfTheFight{
		Counters: []string{CAction, CBonus, CReaction, CInteraction, CMovement, CPace, CMoved, CDangerous, CDashes, CCharges, CStraight, CAttacks, CMulti, CLegendary, CStealth, CTurn,
			CBreath, CAfloat, CDashPace,
			CAltitude, CGround, CFacing, CTravelled, CDescended, CDived, CDiveFrom, CFallFrom, CHalf, CStrikes},
		Marks: []string{MSteady, MAttacked, MAttackedHand, MStarted, MScathed, MStanched, MLegendary, MInspired, MFreeAction, MOffHand, MStowed, MParried, MShifted, MHeading, MBrawled, MOnce, MStruck, MFed, MFelled, MRanDown,
			MSwam, MUrged, MShied, MDanger, MConsents,
			MHovered, MFallBegan, MDropped, MReversed, MBlasted, MInside, MSeized, MOverWater},
		Conditions: Conditions.Fleeting(),
		Values:     []string{"loaded"},
	}
})
