package growth

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const thievesTools = "thieves' tools"

// lore are the skills that a keen mind chooses one of.
var lore = []string{"arcana", "history", "nature", "religion"}

// learn gives the proficiencies of a feat.
//
// rcr.feat.keen-mind-lore, rcr.feat.legerdemain-proficiency,
// rcr.feat.skill-expert-proficiency, rcr.feat.skill-expert-expertise,
// rcr.feat.skilled-picks
func (r *reading) learn(feat string, f *eventv1.RcrFeat) {
	switch feat {
	case body.FeatKeenMind:
		r.deepen(cite.FeatKeenMindLore, f.Picks...)
	case body.FeatLegerdemain:
		r.deepen(cite.FeatLegerdemainProficiency, thievesTools, "sleight of hand")
	case body.FeatSkilled:
		r.gain(cite.FeatSkilledPicks, f.Picks...)
	case body.FeatSkillExpert:
		r.gain(cite.FeatSkillExpertProficiency, f.Picks...)
		if f.Expertise != "" {
			r.master(cite.FeatSkillExpertExpertise, f.Expertise)
		}
	}
}

// gain makes proficient in skills and tools; who is already stays so.
func (r *reading) gain(rule string, names ...string) {
	for _, name := range names {
		if r.on(rule) && !body.ProficientIn(r.s, name) {
			r.practise(name)
			r.cited(rule)
		}
	}
}

// deepen makes proficient in skills and tools, or expert in those that one is
// proficient in.
func (r *reading) deepen(rule string, names ...string) {
	for _, name := range names {
		if body.ProficientIn(r.s, name) {
			r.master(rule, name)
		} else {
			r.gain(rule, name)
		}
	}
}

// entry is what the sheet says of a skill or tool, made if it says nothing.
func (r *reading) entry(name string) *eventv1.RcrSkill {
	for _, list := range [][]*eventv1.RcrSkill{r.s.Skills, r.s.Tools} {
		for _, sk := range list {
			if strings.EqualFold(sk.Name, name) {
				return sk
			}
		}
	}
	sk := &eventv1.RcrSkill{Name: strings.ToLower(name)}
	if ability := abilityOf(name); ability != "" {
		sk.Bonus = body.AbilityMod(r.creature(), ability)
	}
	if _, skill := body.SkillAbility[sk.Name]; skill {
		r.s.Skills = append(r.s.Skills, sk)
	} else {
		r.s.Tools = append(r.s.Tools, sk)
	}
	return sk
}

// practise adds the proficiency bonus to a skill or tool.
func (r *reading) practise(name string) {
	sk := r.entry(name)
	sk.Proficient = true
	sk.Bonus += r.s.ProficiencyBonus
	if strings.EqualFold(name, "perception") {
		r.notice()
	}
}

// master adds the proficiency bonus once more, unless the skill or tool has it twice.
func (r *reading) master(rule, name string) {
	if !r.on(rule) || !body.ProficientIn(r.s, name) {
		return
	}
	sk := r.entry(name)
	if expert(r.creature(), sk) {
		return
	}
	sk.Expertise = true
	sk.Bonus += r.s.ProficiencyBonus
	r.cited(rule)
	if strings.EqualFold(name, "perception") {
		r.notice()
	}
}

// notice raises a passive Perception that the sheet gives as Perception rises.
func (r *reading) notice() {
	if r.s.PassivePerception > 0 {
		r.s.PassivePerception += r.s.ProficiencyBonus
	}
}

// expert tells whether a bonus holds the proficiency bonus twice: where the entry says
// so, and where its number does.
func expert(c *eventv1.Creature, sk *eventv1.RcrSkill) bool {
	ability, twice := abilityOf(sk.Name), 2*body.SheetOf(c).ProficiencyBonus
	return sk.Expertise || ability != "" && twice > 0 && sk.Bonus >= body.AbilityMod(c, ability)+twice
}
