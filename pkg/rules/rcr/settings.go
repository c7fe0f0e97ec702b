package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
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
func (System) Settings() []rules.Setting { return settings }

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

func toggle(id, title, def, text string) rules.Setting {
	return rules.Setting{ID: id, Title: title, Text: text, Values: []string{"on", "off"}, Default: def}
}

var settings = append(optionalRules(), readings()...)

// optionalRules are the rules of weight optional; the defaults are those of
// the catalogue.
func optionalRules() []rules.Setting {
	return []rules.Setting{
		toggle(cite.DiceInspirationFudge, "Inspiration fudge", "on", "After a failed check inspiration may be spent to add a d4 to it."),
		toggle(cite.DiceInspirationResource, "Inspiration refills a resource", "on", "Inspiration may be spent to refill one resource that recharges on a short rest."),
		toggle(cite.DeathInspirationAutoSuccess, "Inspiration on death saves", "on", "Inspiration may be spent to succeed on a death save without rolling."),
		toggle(cite.DiceDelayedRoll, "Delayed rolls", "on", "A check may be made now and rolled when its outcome matters."),
		toggle(cite.DiceGroupCheck, "Group checks", "on", "A group rolls together; natural 1 and 20 count twice."),
		toggle(cite.DiceThreat, "Threats", "on", "A first failure puts the roller in Threat: one more roll decides."),
		toggle(cite.DiceSafety, "Safeties", "on", "A success with a natural 20 banks a Safety for the task in hand."),
		toggle(cite.DiceThreatSafetyProficiency, "Threats and Safeties for the proficient", "off", "Threats and Safeties only with skills and tools of proficiency."),
		toggle(cite.DiceDegreesOfSuccess, "Degrees of success", "on", "Checks that can cost time are graded in six degrees."),
		toggle(cite.InitiativeDurationByBlock, "Durations by block", "off", "Effects of one round end with the initiative block they were made in, one round later. On, it beats durations by next turn."),
		toggle(cite.InitiativeDurationNextTurn, "Durations by next turn", "on", "Effects of one round end at the start of their user's next turn."),
		toggle(cite.ActionSkillDefaultBonus, "Skill checks cost a bonus action", "off", "Checks in a fight cost a bonus action unless listed otherwise."),
		toggle(cite.ActionSkillFreeMovement, "Free checks of movement", "off", "Acrobatics and Athletics that belong to movement cost nothing."),
		toggle(cite.ActionSkillFreeKnowledge, "Free checks of knowledge", "off", "Recalling knowledge costs nothing."),
		toggle(cite.ActionSkillBonusInfluence, "Bonus action: influence", "off", "Influencing a creature costs a bonus action."),
		toggle(cite.ActionSkillBonusMedicine, "Bonus action: Medicine", "off", "Reading wounds and hit points costs a bonus action; with the switch off too, since rcr.hp.medicine-check itself says so."),
		toggle(cite.ActionSkillBonusSearch, "Bonus action: search", "off", "Searching costs a bonus action."),
		toggle(cite.ActionSkillBonusInsight, "Bonus action: Insight", "off", "Reading a creature costs a bonus action."),
		toggle(cite.ActionSkillActionPerformance, "Action: Performance", "off", "Appearing as something else costs an action."),
		toggle(cite.ActionSkillActionSteal, "Action: steal", "off", "Taking something from an enemy costs an action."),
		toggle(cite.ActionSkillActionHide, "Action: hide", "off", "Hiding costs an action."),
		toggle(cite.ActionSkillActionTrack, "Action: track", "off", "Tracking costs an action."),
		toggle(cite.ActionSkillActionExertion, "Action: exertion", "off", "Exertion and complex tasks cost an action."),
		toggle(cite.ActionSkillActionSurrender, "Action: demand surrender", "off", "Intimidating an enemy into surrender or flight costs an action."),
		toggle(cite.DamageFallCompounding, "Compounding falls", "off", "Each further ten feet of a fall adds one die more than the last."),
		toggle(cite.InjuryMassiveDamagePartyLevel, "Massive damage from level 3", "on", "Massive damage wounds only once the party is of level 3."),
		toggle(cite.InjuryEnemiesOptional, "Wounds for monsters", "off", "Humanoids, beasts, monstrosities and dragons take wounds too."),
		toggle(cite.HealingKitVaryingDegrees, "Kits heal by degrees", "on", "A healer's kit removes wounds by how well the check comes out."),
		toggle(cite.RestModNoFreeHp, "No free hit points", "off", "A long rest restores no hit points: only hit dice do."),
		toggle(cite.RestModHitDiceAnyRest, "Hit dice on any rest", "off", "Hit dice may be spent during a long rest too, before dice are regained at its end."),
		toggle(cite.RestModRegainHalf, "Regain half", "off", "A long rest gives hit dice back by half the level, rounded down, at least one."),
		toggle(cite.HealingMagicIsNaturalHealing, "Magic heals like nature", "on", "Healing hit points cures no ailment that would not heal by itself. Off: magic that heals in full clears the marks of ailments."),
		toggle(cite.FeatWarCasterNoOa, "War Caster: no opportunity attacks", "on", "Casting does not provoke from one with the War Caster feat."),
	}
}

func readings() []rules.Setting {
	return []rules.Setting{
		toggle(setInitiativeIsCheck, "Initiative is an ability check", "on", "What hampers checks of the chosen ability hampers initiative rolled with it."),
		{ID: setInitiativeChoice, Title: "Who chooses the ability of initiative", Values: []string{"ask", "players", "best"}, Default: "players",
			Text: "ask: every creature each time; players: creatures with players, the others take the better; best: everyone takes the better. Nobody is asked when both come to the same."},
		{ID: setTieBreak, Title: "Ties of initiative", Values: []string{"ask", "dexterity"}, Default: "ask",
			Text: "ask: the game master, or the player between characters of one player; dexterity: the higher score goes first, then the id that sorts first."},
		toggle(setParalyzedFiveFeet, "Paralysed: critical within 5 feet only", "off", "Hits on the paralysed are critical only from within 5 feet, as in the fifth edition."),
		{ID: setExhaustionFailure, Title: "Exhaustion of death saves", Values: []string{"marked", "rolled"}, Default: "marked",
			Text: "marked: one level for each failure marked; rolled: one for each failed roll."},
		toggle(setSkippedRows, "Skipped rows of wounds count", "off", "Rows jumped over by a negative Constitution modifier are suffered too."),
		toggle(setHealingOverflow, "Healing lost to the maximum counts", "off", "Healing beyond the maximum counts toward the 5 points that open a check against wounds."),
		toggle(setRMEShields, "RME shields", "on", "Bucklers and arm guards give a croucher no half cover."),
		toggle(setBlindsightAttacks, "Blindsight in attacks", "on", "Within the range of blindsight or tremorsense blindness does not hamper attacks."),
		toggle(setDrawProvokes, "Drawing provokes", "on", "Drawing a weapon within an enemy's reach gives it an opportunity attack."),
		toggle(setFudgeAnyRoll, "Inspiration fudge on any d20", "off", "The fudge is offered on failed attacks and saves too."),
		{ID: setGroupTie, Title: "Tie of a group check", Values: []string{"success", "failure"}, Default: "success",
			Text: "What as many successes as failures come to."},
		{ID: setPartyLevel, Title: "Level of the party", Default: "3", Text: "Level from 1 to 20 that the massive damage rule goes by."},
		toggle(setSpellHands, "Spells need a free hand", "on", "A spell with a somatic or material component needs a hand that holds neither weapon nor shield nor foe; a focus serves for those with a material one."),
		toggle(setMonstersDie, "Monsters die at 0 hit points", "on", "Creatures without players die at 0 hit points unless wounds touch them."),
	}
}

// defaults of the settings by id.
var defaults = rules.DefaultsOf(settings)
