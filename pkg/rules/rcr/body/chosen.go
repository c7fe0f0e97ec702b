package body

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ranks of training, from none to the highest. What a rank brings beyond proficiency
// is for the table's equipment.
const (
	RankUntrained = "untrained"
	RankBasic     = "basic"
	RankAdvanced  = "advanced"
	RankMaster    = "master"
)

// Ranks is the ladder of training.
var Ranks = []string{RankUntrained, RankBasic, RankAdvanced, RankMaster}

// ChosenFeat is a sheet's entry of a feat with its choices; nil when it has none.
func ChosenFeat(s *eventv1.RcrSheet, feat string) *eventv1.RcrFeat {
	for _, f := range s.GetChosenFeats() {
		if FeatName(f.Name) == feat {
			return f
		}
	}
	return nil
}

// FeatName is the name of a feat as these rules have it, however it is spelt.
func FeatName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", " ")) }

// RankIn is the rank of training that a sheet has with a weapon or other equipment:
// the one given; else basic for its own attacks and the unarmed strike, whose numbers
// hold proficiency, and none for all else.
//
// rcr.feat.defensive-duelist-parry, rcr.feat.skilled-equipment
func RankIn(s *eventv1.RcrSheet, name string) string {
	for _, t := range s.GetTraining() {
		if strings.EqualFold(t.Name, name) {
			return strings.ToLower(t.Rank)
		}
	}
	has := func(a *eventv1.RcrAttack) bool {
		return !Named(a.Properties, PropImprovised) && Wields(a, name)
	}
	if strings.EqualFold(name, UnarmedStrike) || slices.ContainsFunc(s.GetAttacks(), has) {
		return RankBasic
	}
	return RankUntrained
}

// Wields tells whether an attack is made with a weapon of a name: its own, or that of
// the entry of the content that it comes from.
func Wields(a *eventv1.RcrAttack, weapon string) bool {
	return strings.EqualFold(a.Name, weapon) || a.Use != "" && strings.EqualFold(strings.ReplaceAll(a.Use, "-", " "), weapon)
}

// ImprovisedBonus is what proficiency adds to attacks with an improvised weapon: nothing
// for anybody but a tavern brawler. The rule is empty when nothing is added.
//
// rcr.feat.tavern-brawler-improvised
func ImprovisedBonus(s *eventv1.State, c *eventv1.Creature) (bonus int32, rule string) {
	if !Feat(s, c, FeatTavernBrawler, cite.FeatTavernBrawlerImprovised) {
		return 0, ""
	}
	return SheetOf(c).ProficiencyBonus, cite.FeatTavernBrawlerImprovised
}

// UnarmedProperties are the properties that feats give a creature's unarmed strike,
// each once, and the rules that give them.
//
// rcr.feat.grappler-unarmed-properties, rcr.feat.tavern-brawler-unarmed-properties
func UnarmedProperties(s *eventv1.State, c *eventv1.Creature) (properties, rules []string) {
	for _, f := range []struct{ feat, rule string }{
		{FeatGrappler, cite.FeatGrapplerUnarmedProperties}, {FeatTavernBrawler, cite.FeatTavernBrawlerUnarmedProperties}} {
		if Feat(s, c, f.feat, f.rule) {
			rules = append(rules, f.rule)
		}
	}
	if len(rules) == 0 {
		return nil, nil
	}
	return []string{"disarm", "entangle", "trip"}, rules
}

// RunUp is how many feet a creature must have moved on foot for its jump to be a
// running one, and the rule that says so.
//
// rcr.feat.athlete-running-jump
func RunUp(s *eventv1.State, c *eventv1.Creature) (feet int32, rule string) {
	if Feat(s, c, FeatAthlete, cite.FeatAthleteRunningJump) {
		return 5, cite.FeatAthleteRunningJump
	}
	return 10, cite.BaseJumping
}

// What feats are used up by, as resources of the sheet.
const (
	// ResSuperiority are the superiority dice of a martial adept, six-sided.
	ResSuperiority = "superiority dice (d6)"
	// ResMetamagic are the sorcery points of a metamagic adept.
	ResMetamagic = "sorcery points (metamagic)"
)

// SpellNamed is a spell of a sheet by its name, whatever the case of its letters; nil
// when it has none.
func SpellNamed(s *eventv1.RcrSheet, name string) *eventv1.RcrSpell {
	for _, sp := range s.GetSpells() {
		if strings.EqualFold(sp.Name, name) {
			return sp
		}
	}
	return nil
}
