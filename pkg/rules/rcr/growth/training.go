package growth

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// train raises the training that a feat raises, and gives the unarmed strike and what is
// no weapon what it gives them.
//
// rcr.feat.grappler-unarmed-training, rcr.feat.tavern-brawler-unarmed-training,
// rcr.feat.skilled-equipment, rcr.feat.weapon-master-training,
// rcr.feat.grappler-unarmed-properties, rcr.feat.tavern-brawler-unarmed-properties,
// rcr.feat.tavern-brawler-improvised
func (r *reading) train(feat string, f *eventv1.RcrFeat) {
	switch feat {
	case body.FeatGrappler:
		r.step(cite.FeatGrapplerUnarmedTraining, body.UnarmedStrike)
		r.fists()
	case body.FeatTavernBrawler:
		r.step(cite.FeatTavernBrawlerUnarmedTraining, body.UnarmedStrike)
		r.fists()
		r.anything()
	case body.FeatSkilled:
		r.step(cite.FeatSkilledEquipment, f.Equipment...)
	case body.FeatWeaponMaster:
		if r.on(cite.FeatWeaponMasterTraining) {
			for _, name := range f.Equipment {
				r.rank(cite.FeatWeaponMasterTraining, name, len(body.Ranks)-1)
			}
		}
	}
}

// step raises training by one step, up to the highest.
func (r *reading) step(rule string, names ...string) {
	for _, name := range names {
		if r.on(rule) {
			r.rank(rule, name, min(len(body.Ranks)-1, slices.Index(body.Ranks, body.RankIn(r.s, name))+1))
		}
	}
}

// rank sets the rank of training with something; who had none is proficient from then on.
func (r *reading) rank(rule, name string, to int) {
	had := body.RankIn(r.s, name)
	if had == body.Ranks[to] {
		return
	}
	r.cited(rule)
	at := slices.IndexFunc(r.s.Training, func(t *eventv1.RcrTraining) bool { return strings.EqualFold(t.Name, name) })
	if at < 0 {
		at, r.s.Training = len(r.s.Training), append(r.s.Training, &eventv1.RcrTraining{Name: strings.ToLower(name)})
	}
	r.s.Training[at].Rank = body.Ranks[to]
	if had != body.RankUntrained {
		return
	}
	for _, a := range r.s.Attacks {
		if !a.Spell && !body.Named(a.Properties, body.PropImprovised) && body.Wields(a, name) {
			a.Bonus += r.s.ProficiencyBonus
		}
	}
}

// fists gives the unarmed strike of the sheet, if it has one, the properties of feats.
func (r *reading) fists() {
	properties, rules := body.UnarmedProperties(r.state, r.creature())
	for _, a := range r.s.Attacks {
		if !body.Wields(a, body.UnarmedStrike) {
			continue
		}
		for _, p := range properties {
			if !body.Named(a.Properties, p) {
				a.Properties = append(a.Properties, p)
			}
		}
		r.cited(rules...)
	}
}

// anything adds proficiency to attacks with what is no weapon.
func (r *reading) anything() {
	bonus, rule := body.ImprovisedBonus(r.state, r.creature())
	for _, a := range r.s.Attacks {
		if rule != "" && body.Named(a.Properties, body.PropImprovised) {
			a.Bonus += bonus
			r.cited(rule)
		}
	}
}
