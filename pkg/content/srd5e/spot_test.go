package srd5e

import (
	"fmt"
	"strings"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// brief writes the facts of a sheet that the spot checks read in the records.
func brief(s *eventv1.Sheet) []string {
	r := s.GetRcr()
	line := fmt.Sprintf("AC %d, HP %d, CR %s, %dd%d, PP %d", r.ArmorClass, s.HitPoints, r.ChallengeRating, r.HitDice[0].Total, r.HitDice[0].Size, r.PassivePerception)
	out := []string{line}
	for _, a := range r.Attacks {
		line := fmt.Sprintf("%s %+d", a.Name, a.Bonus)
		if a.ReachFeet > 0 {
			line += fmt.Sprintf(" reach %d", a.ReachFeet)
		}
		if a.RangeFeet > 0 {
			line += fmt.Sprintf(" range %d/%d", a.RangeFeet, a.LongRangeFeet)
		}
		line += ":" + parts(a.Damage) + saveLine(a.Save) + parts(a.SaveDamage) + effectLine(a.Effects)
		out = append(out, line)
	}
	for _, p := range r.Powers {
		out = append(out, "power "+p.Name+":"+parts(p.Damage)+saveLine(p.Save)+effectLine(p.Effects))
	}
	for _, m := range r.Multiattack {
		out = append(out, "multi "+m.Name)
	}
	for _, l := range r.Legendary {
		out = append(out, legendaryLine(l))
	}
	return out
}

func legendaryLine(l *eventv1.RcrLegendary) string {
	line := fmt.Sprintf("legendary %s cost %d", l.Name, max(l.Cost, 1))
	for _, use := range [][2]string{{"attack", l.Attack}, {"power", l.Power}, {"skill", l.Skill}} {
		if use[1] != "" {
			line += " " + use[0] + " " + use[1]
		}
	}
	if l.MovePercent > 0 {
		line += fmt.Sprintf(" move %d%%", l.MovePercent)
	}
	if l.Unprovoking {
		line += " unprovoking"
	}
	if l.TeleportFeet > 0 {
		line += fmt.Sprintf(" teleport %d", l.TeleportFeet)
	}
	if l.Casts != eventv1.RcrLegendary_CASTS_UNSPECIFIED {
		line += " casts " + strings.ToLower(strings.TrimPrefix(l.Casts.String(), "CASTS_"))
	}
	return line
}

func parts(damage []*eventv1.RcrDamage) string {
	var b strings.Builder
	for _, d := range damage {
		fmt.Fprintf(&b, " %s %s", d.Dice, d.Type)
	}
	return b.String()
}

func saveLine(s *eventv1.RcrSave) string {
	if s == nil {
		return ""
	}
	half := ""
	if s.HalfOnSuccess {
		half = " half"
	}
	return fmt.Sprintf(" | DC %d %s%s", s.Dc, s.Ability, half)
}

func effectLine(effects []*eventv1.RcrEffect) string {
	var b strings.Builder
	for _, e := range effects {
		fmt.Fprintf(&b, " | %s", e.Condition)
		if e.Rounds > 0 {
			fmt.Fprintf(&b, " %d rounds", e.Rounds)
		}
		if e.SaveEnds {
			b.WriteString(" save ends")
		}
		if e.EscapeDc > 0 {
			fmt.Fprintf(&b, " escape %d", e.EscapeDc)
		}
	}
	return b.String()
}

// Expected values are read off the stat blocks, not off the importer.
func TestSpotChecks(t *testing.T) {
	all, _ := realSheets(t)
	cases := map[string][]string{
		"goblin":  {"AC 15, HP 7, CR 1/4, 2d6, PP 9", "scimitar +4 reach 5: 1d6+2 slashing", "shortbow +4 range 80/320: 1d6+2 piercing"},
		"owlbear": {"AC 13, HP 59, CR 3, 7d10, PP 13", "beak +7 reach 5: 1d10+5 piercing", "claws +7 reach 5: 2d8+5 slashing", "multi 1 beak, 1 claws"},
		"adult-red-dragon": {"AC 19, HP 256, CR 17, 19d12, PP 23", "bite +14 reach 10: 2d10+8 piercing 2d6 fire", "claw +14 reach 5: 2d6+8 slashing",
			"tail +14 reach 15: 2d8+8 bludgeoning", "power frightful presence: | DC 19 wisdom | frightened 10 rounds save ends",
			"power fire breath: 18d6 fire | DC 21 dexterity half", "power wing attack: 2d6+8 bludgeoning | DC 22 dexterity | prone",
			"multi 1 frightful presence, 1 bite, 2 claw",
			"legendary detect cost 1 skill perception", "legendary tail attack cost 1 attack tail", "legendary wing attack cost 2 power wing attack"},
		"vampire-vampire": {"AC 16, HP 144, CR 13, 17d8, PP 17", "unarmed strike +9 reach 5: 1d8+4 bludgeoning", "bite +9 reach 5: 1d6+4 piercing 3d6 necrotic",
			"power charm: | DC 17 wisdom | charmed", "power children of the night:", "multi 1 unarmed strike, 1 bite", "multi 2 unarmed strike",
			"legendary move cost 1 move 100% unprovoking", "legendary unarmed strike cost 1 attack unarmed strike", "legendary bite cost 2 attack bite"},
		"werewolf-hybrid": {"AC 12, HP 58, CR 3, 9d8, PP 14", "bite +4 reach 5: 1d8+2 piercing | DC 12 constitution", "claws +4 reach 5: 2d4+2 slashing", "multi 1 bite, 1 claws"},
		"lich": {"AC 17, HP 135, CR 21, 18d8, PP 19", "paralyzing touch +12 reach 5: 3d6 cold | DC 18 constitution | paralyzed 10 rounds save ends",
			"power frightening gaze: | DC 18 wisdom | frightened 10 rounds save ends", "power disrupt life: 6d6 necrotic | DC 18 constitution half",
			"legendary cantrip cost 1 casts cantrip", "legendary paralyzing touch cost 2 attack paralyzing touch",
			"legendary frightening gaze cost 2 power frightening gaze", "legendary disrupt life cost 3 power disrupt life"},
		"giant-spider": {"AC 14, HP 26, CR 1, 4d10, PP 10", "bite +5 reach 5: 1d8+3 piercing | DC 11 constitution half 2d8 poison",
			"web +5 range 30/60: | restrained escape 12"},
		"ogre":     {"AC 11, HP 59, CR 2, 7d10, PP 8", "greatclub +6 reach 5: 2d8+4 bludgeoning", "javelin +6 reach 5 range 30/120: 2d6+4 piercing"},
		"skeleton": {"AC 13, HP 13, CR 1/4, 2d8, PP 9", "shortsword +4 reach 5: 1d6+2 piercing", "shortbow +4 range 80/320: 1d6+2 piercing"},
		"wolf":     {"AC 13, HP 11, CR 1/4, 2d8, PP 13", "bite +4 reach 5: 2d4+2 piercing | DC 11 strength | prone"},
		"mage":     {"AC 12, HP 40, CR 6, 9d8, PP 11", "dagger +5 reach 5 range 20/60: 1d4+2 piercing"},
		"gelatinous-cube": {"AC 6, HP 84, CR 2, 8d10, PP 8", "pseudopod +4 reach 5: 3d6 acid",
			"power engulf: 3d6 acid | DC 12 dexterity | restrained escape 12"},
		"hydra":  {"AC 15, HP 172, CR 8, 15d12, PP 16", "bite +8 reach 10: 1d10+5 piercing", "multi 5 bite"},
		"shadow": {"AC 12, HP 16, CR 1/2, 3d8, PP 10", "strength drain +4 reach 5: 2d6+2 necrotic"},
		"roper": {"AC 20, HP 93, CR 5, 11d10, PP 16", "bite +7 reach 5: 4d8+4 piercing", "tendril +7 reach 50: | grappled escape 15 | restrained escape 15",
			"power reel:", "multi 4 tendril, 1 reel, 1 bite"},
	}
	for id, want := range cases {
		t.Run(id, func(t *testing.T) {
			if got := brief(all[id]); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

func TestSpotChecksBesideAttacks(t *testing.T) {
	all, _ := realSheets(t)
	if m := all["mage"].GetRcr(); m.SpellDc != 14 || m.SpellAttackBonus != 6 || fmt.Sprint(m.SpellSlots) != "[4 3 3 3 1]" || m.Saves["intelligence"] != 6 || m.Saves["wisdom"] != 4 {
		t.Errorf("mage: DC %d, bonus %d, slots %v, saves %v", m.SpellDc, m.SpellAttackBonus, m.SpellSlots, m.Saves)
	}
	if l := all["lich"].GetRcr(); l.SpellDc != 20 || l.SpellAttackBonus != 12 || len(l.Spells) != 26 || len(l.Immunities) != 4 || l.Resources[0].Max != 3 {
		t.Errorf("lich: DC %d, bonus %d, %d spells, %d immunities", l.SpellDc, l.SpellAttackBonus, len(l.Spells), len(l.Immunities))
	}
	if w := all["werewolf-hybrid"].GetRcr(); len(w.Immunities) != 3 || !w.Immunities[0].ExceptSilvered || !w.Immunities[2].NonmagicalOnly {
		t.Errorf("werewolf: immunities %v", w.Immunities)
	}
	if s := all["shadow"].GetRcr(); len(s.Resistances) != 8 || len(s.Vulnerabilities) != 1 || s.Vulnerabilities[0].Type != "radiant" || len(s.ConditionImmunities) != 8 {
		t.Errorf("shadow: %v, %v, %v", s.Resistances, s.Vulnerabilities, s.ConditionImmunities)
	}
	if a := all["azer"].GetRcr(); a.ArmorClass != 17 || a.Shield != eventv1.RcrSheet_SHIELD_SHIELD {
		t.Errorf("azer: armour class %d with shield is 17", a.ArmorClass)
	}
	if g := all["goblin"]; g.Speeds["walk"] != 30 || g.GetRcr().Shield != eventv1.RcrSheet_SHIELD_SHIELD || g.GetRcr().Skills[0].Bonus != 6 {
		t.Errorf("goblin: %v", g)
	}
}
