package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// featRules are the rules of feats that a table can switch.
func featRules() []rules.Setting {
	return toggles.Rules(
		cite.FeatAthleteClimbSwim,
		cite.FeatAthleteFallRolls,
		cite.FeatAthleteStand,
		cite.FeatChargerPassThrough,
		cite.FeatCrusherCritical,
		cite.FeatCrusherMove,
		cite.FeatDefensiveDuelistDouble,
		cite.FeatDefensiveDuelistParry,
		cite.FeatDefensiveDuelistPrerequisite,
		cite.FeatDualWielderAc,
		cite.FeatDualWielderLight,
		cite.FeatDualWielderStow,
		cite.FeatDungeonDelverTrapResistance,
		cite.FeatDurableDeathSaves,
		cite.FeatDurableHitDice,
		cite.FeatElementalAdeptOnes,
		cite.FeatElementalAdeptResistance,
		cite.FeatGrapplerAdvantage,
		cite.FeatHealerStabilise,
		cite.FeatImprovedDualAc,
		cite.FeatImprovedDualExtraAttack,
		cite.FeatImprovedDualLight,
		cite.FeatImprovedDualModifier,
		cite.FeatImprovedDualPrerequisite,
		cite.FeatImprovedDualStow,
		cite.FeatInspiringLeaderPrerequisite,
		cite.FeatKeenMindIntSaves,
		cite.FeatMageSlayerConcentration,
		cite.FeatMageSlayerInterrupt,
		cite.FeatMageSlayerReaction,
		cite.FeatMageSlayerSaves,
		cite.FeatMetamagicAdeptPrerequisite,
		cite.FeatMobileDifficultTerrain,
		cite.FeatMobileNoOa,
		cite.FeatMobileSpeed,
		cite.FeatRevisedTextReplaces,
		cite.FeatSavageAttackerCritRange,
		cite.FeatSavageAttackerReroll,
		cite.FeatSentinelDisengage,
		cite.FeatSentinelGuard,
		cite.FeatSentinelStop,
		cite.FeatSkulkerMissStaysHidden,
		cite.FeatSkulkerPrerequisite,
		cite.FeatSpellSniperCover,
		cite.FeatSpellSniperPrerequisite,
		cite.FeatSpellSniperRange,
		cite.FeatWarCasterConcentration,
		cite.FeatWarCasterOaSpell,
		cite.FeatWarCasterSomatic,
	)
}
