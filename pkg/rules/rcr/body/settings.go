package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ids of the settings that are no rules of their own: readings that tables
// differ on.
const (
	SetInitiativeIsCheck = "rcr.setting.initiative-is-check"
	SetInitiativeChoice  = "rcr.setting.initiative-choice"
	SetTieBreak          = "rcr.setting.tie-break"
	SetParalyzedFiveFeet = "rcr.setting.paralyzed-critical-5ft"
	SetExhaustionFailure = "rcr.setting.exhaustion-per-failure"
	SetSkippedRows       = "rcr.setting.con-negative-skipped-rows"
	SetHealingOverflow   = "rcr.setting.healing-counts-overflow"
	SetRMEShields        = "rcr.setting.rme-shields"
	setBlindsightAttacks = "rcr.setting.blindsight-attacks"
	SetDrawProvokes      = "rcr.setting.draw-provokes"
	SetFudgeAnyRoll      = "rcr.setting.fudge-any-roll"
	SetGroupTie          = "rcr.setting.group-tie"
	SetPartyLevel        = "rcr.setting.party-level"
	SetSpellHands        = "rcr.setting.spell-hands"
	SetMonstersDie       = "rcr.setting.monsters-die-at-zero"
	SetLongRestDaily     = "rcr.setting.long-rest-daily"
	SetCreatureCover     = "rcr.setting.creature-cover"
	SetDrowning          = "rcr.setting.drowning"
	SetMountedProvoke    = "rcr.setting.mounted-provoke"
	SetWind              = "rcr.setting.wind"
	SetWindToward        = "rcr.setting.wind-toward"
	SetPrecipitation     = "rcr.setting.precipitation"
	SetKitWounds         = "rcr.setting.kit-wounds"
)

// Values of SetKitWounds.
const (
	kitAfterCombat = "after-combat"
	kitInCombat    = "in-combat"
)

// KitWaits tells whether wounds are treated with a plain kit only once the fight in a
// state is over.
//
// rcr.healing.kit-after-combat
func KitWaits(s *eventv1.State) bool {
	return s.Status == eventv1.State_STATUS_STARTED && Settings.Value(s, SetKitWounds) != kitInCombat
}

// Names of decisions of turns and attacks.
const (
	DecInitiative  = "initiative-ability"
	DecTieBreak    = "tie-break"
	DecOpportunity = "opportunity-attack"
)

// Settings are the switches of a table, with their defaults: the optional rules,
// then the readings that tables differ on.
var Settings = toggles.New(optionalRules(), featRules(), readings())

// optionalRules are the rules of weight optional; the defaults are those of
// the catalogue.
func optionalRules() []rules.Setting {
	return []rules.Setting{
		{ID: cite.DiceInspirationFudge},
		{ID: cite.DiceInspirationResource},
		{ID: cite.DeathInspirationAutoSuccess},
		{ID: cite.DiceDelayedRoll},
		{ID: cite.DiceGroupCheck},
		{ID: cite.DiceThreat},
		{ID: cite.DiceSafety},
		{ID: cite.DiceThreatSafetyProficiency},
		{ID: cite.DiceDegreesOfSuccess},
		{ID: cite.InitiativeDurationByBlock},
		{ID: cite.InitiativeDurationNextTurn},
		{ID: cite.ActionSkillDefaultBonus},
		{ID: cite.ActionSkillFreeMovement},
		{ID: cite.ActionSkillFreeKnowledge},
		{ID: cite.ActionSkillBonusInfluence},
		{ID: cite.ActionSkillBonusMedicine},
		{ID: cite.ActionSkillBonusSearch},
		{ID: cite.ActionSkillBonusInsight},
		{ID: cite.ActionSkillActionPerformance},
		{ID: cite.ActionSkillActionSteal},
		{ID: cite.ActionSkillActionHide},
		{ID: cite.ActionSkillActionTrack},
		{ID: cite.ActionSkillActionExertion},
		{ID: cite.ActionSkillActionSurrender},
		{ID: cite.DamageFallCompounding},
		{ID: cite.InjuryMassiveDamagePartyLevel},
		{ID: cite.InjuryEnemiesOptional},
		{ID: cite.HealingKitVaryingDegrees},
		{ID: cite.RestModNoFreeHp},
		{ID: cite.RestModHitDiceAnyRest},
		{ID: cite.RestModRegainHalf},
		{ID: cite.HealingMagicIsNaturalHealing},
		{ID: cite.FeatWarCasterNoOa},
		{ID: cite.UnderwaterIntro},
		{ID: cite.UnderwaterWeaponDisadvantage},
		{ID: cite.UnderwaterRangedBeyondNormal},
		{ID: cite.UnderwaterClarity},
		{ID: cite.UnderwaterTurbidObscured},
		{ID: cite.UnderwaterDepthLight},
		{ID: cite.UnderwaterDiveIntoWater},
		{ID: cite.UnderwaterSightUnaided},
		{ID: cite.UnderwaterSightCombination},
		{ID: cite.UnderwaterBreathTime},
		{ID: cite.UnderwaterSuffocatingSave},
		{ID: cite.UnderwaterSuffocatingEscalation},
		{ID: cite.UnderwaterSuffocatingUnconscious},
		{ID: cite.UnderwaterSuffocatingNoStabilize},
		{ID: cite.UnderwaterVerbalCheck},
		{ID: cite.UnderwaterVerbalBreathLost},
		{ID: cite.UnderwaterFireResistance},
		{ID: cite.UnderwaterFireAttack},
		{ID: cite.UnderwaterFireSave},
		{ID: cite.UnderwaterShockAttack},
		{ID: cite.UnderwaterShockSave},
		{ID: cite.UnderwaterSwimExhaustion},
		{ID: cite.UnderwaterSwimRest},
		{ID: cite.UnderwaterDrowningDeathSaves},
		{ID: cite.UnderwaterUnconsciousBreath},
		{ID: cite.UnderwaterHealersKit},
		{ID: cite.FlightAdvToggle},
		{ID: cite.FlightAdvDescentAdvantage},
		{ID: cite.FlightAdvDiveDoubleDice},
		{ID: cite.FlightAdvBankRadius},
		{ID: cite.FlightAdvBankPath},
		{ID: cite.FlightAdvUpwardRanged},
		{ID: cite.FlightAdvDiveImpactRisk},
		{ID: cite.FlightAdvDiveNoEndInside},
		{ID: cite.FlightAdvDiveProvokes},
		{ID: cite.FeatAerialAceNoProvoke},
		{ID: cite.FeatAerialAceReverse},
		{ID: cite.FeatAerialAceReverseRecharge},
		{ID: cite.FeatAerialAceUpwardRanged},
		{ID: cite.FeatAerialAceAdvantage},
		{ID: cite.FeatMightyWingsBlast},
		{ID: cite.FeatMightyWingsLaunch},
		{ID: cite.FeatMightyWingsClimb},
		{ID: cite.FeatMightyWingsVertical},
		{ID: cite.FeatMightyWingsAdvantage},
	}
}

func readings() []rules.Setting {
	return []rules.Setting{
		toggles.OnOff(SetInitiativeIsCheck, "Initiative is an ability check", "on", "What hampers checks of the chosen ability hampers initiative rolled with it."),
		{ID: SetInitiativeChoice, Title: "Who chooses the ability of initiative", Values: []string{"ask", "players", "best"}, Default: "players",
			Text: "ask: every creature each time; players: creatures with players, the others take the better; best: everyone takes the better. Nobody is asked when both come to the same."},
		{ID: SetTieBreak, Title: "Ties of initiative", Values: []string{"ask", "dexterity"}, Default: "ask",
			Text: "ask: the game master, or the player between characters of one player; dexterity: the higher score goes first, then the id that sorts first."},
		{ID: SetKitWounds, Title: "When kits treat wounds", Values: []string{kitAfterCombat, kitInCombat}, Default: kitAfterCombat,
			Text: "The document says both: after combat, in its chapter on medicine, and during an encounter, in its introduction; then it takes an action."},
		toggles.OnOff(SetParalyzedFiveFeet, "Paralysed: critical within 5 feet only", "off", "Hits on the paralysed are critical only from within 5 feet, as in the fifth edition."),
		{ID: SetExhaustionFailure, Title: "Exhaustion of death saves", Values: []string{"marked", "rolled"}, Default: "marked",
			Text: "marked: one level for each failure marked; rolled: one for each failed roll."},
		toggles.OnOff(SetSkippedRows, "Skipped rows of wounds count", "off", "Rows jumped over by a negative Constitution modifier are suffered too."),
		toggles.OnOff(SetHealingOverflow, "Healing lost to the maximum counts", "off", "Healing beyond the maximum counts toward the 5 points that open a check against wounds."),
		toggles.OnOff(SetRMEShields, "RME shields", "on", "Bucklers and arm guards give a croucher no half cover."),
		toggles.OnOff(setBlindsightAttacks, "Blindsight in attacks", "on", "Within the range of blindsight or tremorsense blindness does not hamper attacks."),
		toggles.OnOff(SetDrawProvokes, "Drawing provokes", "on", "Drawing a weapon within an enemy's reach gives it an opportunity attack."),
		toggles.OnOff(SetFudgeAnyRoll, "Inspiration fudge on any d20", "off", "The fudge is offered on failed attacks and saves too."),
		{ID: SetGroupTie, Title: "Tie of a group check", Values: []string{"success", "failure"}, Default: "success",
			Text: "What as many successes as failures come to."},
		{ID: SetPartyLevel, Title: "Level of the party", Default: "3", Text: "Level from 1 to 20 that the massive damage rule goes by."},
		toggles.OnOff(SetSpellHands, "Spells need a free hand", "on", "A spell with a somatic or material component needs a hand that holds neither weapon nor shield nor foe; a focus serves for those with a material one."),
		toggles.OnOff(SetLongRestDaily, "One long rest in 24 hours", "on", "A long rest that would end within 24 hours of the last one is refused, by the hours counted or stated."),
		toggles.OnOff(SetCreatureCover, "Creatures give cover", "on", "Where positions are known, a creature in the line of an attack or of an effect gives half cover."),
		{ID: SetKnockOut, Title: "When an attacker is asked whether it knocks out", Values: []string{"stated", "ask"}, Default: "stated",
			Text: "stated: the attack says so beforehand, or a standing order does; ask: each time that an attack in melee brings a creature to 0 hit points."},
		{ID: SetDrowning, Title: "Who drowns", Values: []string{"trait", "air"}, Default: "trait",
			Text: "trait: under water death saves of everybody without the trait amphibious fail, as written; air: of whoever needs air."},
		{ID: SetMountedProvoke, Title: "Whether those who ride provoke", Values: []string{"no", "deeds"}, Default: "no",
			Text: "no: who rides provokes no opportunity attacks by anything; deeds: by spells, items and busy hands as on foot, only not by movement."},
		toggles.OnOff(SetMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players die at 0 hit points unless wounds touch them."),
		{ID: SetWind, Title: "Wind", Default: "0", Text: "Speed of the wind in miles an hour, for all who fly."},
		{ID: SetWindToward, Title: "Where the wind blows to", Values: slices.Concat([]string{"unknown"}, Headings), Default: "unknown",
			Text: "By it a flight along a path goes with the wind, against it or across."},
		{ID: SetPrecipitation, Title: "Precipitation", Values: []string{"none", "any", "heavy"}, Default: "none",
			Text: "any: rain, snow or hail; heavy: a thunderstorm or a blizzard."},
	}
}

// Headings are the eight ways of the compass, clockwise from north.
var Headings = []string{"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"}

// Defaults of the settings by id.
var Defaults = Settings
