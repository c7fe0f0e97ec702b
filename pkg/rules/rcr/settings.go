package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
)

// Ids of the settings that are no rules of their own: readings that tables
// differ on.
const (
	setInitiativeIsCheck = "rcr.setting.initiative-is-check"
	setInitiativeChoice  = "rcr.setting.initiative-choice"
	setTieBreak          = "rcr.setting.tie-break"
	setParalyzedFiveFeet = "rcr.setting.paralyzed-critical-5ft"
	setExhaustionFailure = "rcr.setting.exhaustion-per-failure"
	setSkippedRows       = "rcr.setting.con-negative-skipped-rows"
	setHealingOverflow   = "rcr.setting.healing-counts-overflow"
	setRMEShields        = "rcr.setting.rme-shields"
	setBlindsightAttacks = "rcr.setting.blindsight-attacks"
	setDrawProvokes      = "rcr.setting.draw-provokes"
	setFudgeAnyRoll      = "rcr.setting.fudge-any-roll"
	setGroupTie          = "rcr.setting.group-tie"
	setPartyLevel        = "rcr.setting.party-level"
	setSpellHands        = "rcr.setting.spell-hands"
	setMonstersDie       = "rcr.setting.monsters-die-at-zero"
)

// Settings lists what a table may choose: the optional rules by their ids and
// the readings that tables differ on.
func (System) Settings() []rules.Setting { return settings.All() }

// StandingOrders lists the decisions that may be settled ahead.
func (System) StandingOrders() []rules.StandingOrder {
	return []rules.StandingOrder{
		{Decision: decInitiative, Orders: []string{"dexterity", "intelligence"}, Text: "Which ability initiative is rolled with"},
		{Decision: decOpportunity, Orders: []string{"no"}, Text: "Let every opportunity attack pass"},
		{Decision: decLegendaryResistance, Orders: []string{"yes", "no"}, Text: "Succeed on failed saving throws by legendary resistance"},
		{Decision: decDefend, Orders: []string{"no"}, Text: "Take every hit without reacting"},
		{Decision: "inspiration-fudge", Orders: []string{"yes", "no"}, Text: "Spend inspiration on a failed check"},
		{Decision: decRelentless, Orders: []string{"yes", "no"}, Text: "Stay up with 1 hit point by relentless endurance"},
		{Decision: "death-save-inspiration", Orders: []string{"yes", "no"}, Text: "Spend inspiration instead of rolling a death save"},
		{Decision: "safety", Orders: []string{"yes", "no"}, Text: "Spend a Safety on a failed check"},
		{Decision: "fall-roll", Orders: []string{"acrobatics", "athletics", "no"}, Text: "Roll with a fall"},
	}
}

// Names of decisions of turns and attacks.
const (
	decInitiative  = "initiative-ability"
	decTieBreak    = "tie-break"
	decOpportunity = "opportunity-attack"
)

var settings = toggles.New(optionalRules(), readings())

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
	}
}

func readings() []rules.Setting {
	return []rules.Setting{
		toggles.OnOff(setInitiativeIsCheck, "Initiative is an ability check", "on", "What hampers checks of the chosen ability hampers initiative rolled with it."),
		{ID: setInitiativeChoice, Title: "Who chooses the ability of initiative", Values: []string{"ask", "players", "best"}, Default: "players",
			Text: "ask: every creature each time; players: creatures with players, the others take the better; best: everyone takes the better. Nobody is asked when both come to the same."},
		{ID: setTieBreak, Title: "Ties of initiative", Values: []string{"ask", "dexterity"}, Default: "ask",
			Text: "ask: the game master, or the player between characters of one player; dexterity: the higher score goes first, then the id that sorts first."},
		toggles.OnOff(setParalyzedFiveFeet, "Paralysed: critical within 5 feet only", "off", "Hits on the paralysed are critical only from within 5 feet, as in the fifth edition."),
		{ID: setExhaustionFailure, Title: "Exhaustion of death saves", Values: []string{"marked", "rolled"}, Default: "marked",
			Text: "marked: one level for each failure marked; rolled: one for each failed roll."},
		toggles.OnOff(setSkippedRows, "Skipped rows of wounds count", "off", "Rows jumped over by a negative Constitution modifier are suffered too."),
		toggles.OnOff(setHealingOverflow, "Healing lost to the maximum counts", "off", "Healing beyond the maximum counts toward the 5 points that open a check against wounds."),
		toggles.OnOff(setRMEShields, "RME shields", "on", "Bucklers and arm guards give a croucher no half cover."),
		toggles.OnOff(setBlindsightAttacks, "Blindsight in attacks", "on", "Within the range of blindsight or tremorsense blindness does not hamper attacks."),
		toggles.OnOff(setDrawProvokes, "Drawing provokes", "on", "Drawing a weapon within an enemy's reach gives it an opportunity attack."),
		toggles.OnOff(setFudgeAnyRoll, "Inspiration fudge on any d20", "off", "The fudge is offered on failed attacks and saves too."),
		{ID: setGroupTie, Title: "Tie of a group check", Values: []string{"success", "failure"}, Default: "success",
			Text: "What as many successes as failures come to."},
		{ID: setPartyLevel, Title: "Level of the party", Default: "3", Text: "Level from 1 to 20 that the massive damage rule goes by."},
		toggles.OnOff(setSpellHands, "Spells need a free hand", "on", "A spell with a somatic or material component needs a hand that holds neither weapon nor shield nor foe; a focus serves for those with a material one."),
		toggles.OnOff(setMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players die at 0 hit points unless wounds touch them."),
	}
}

// defaults of the settings by id.
var defaults = settings
