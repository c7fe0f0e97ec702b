package checks

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// reachBy is how much farther a thing with the property reach reaches, in feet.
const reachBy = 5

// RefuseImprovise says why a tavern brawler cannot give what it holds a property: it has
// one while that is held, or it is a weapon.
//
// rcr.feat.tavern-brawler-property
func RefuseImprovise(s *eventv1.State, c *eventv1.Creature, a *eventv1.RcrAttack) error {
	const rule = cite.FeatTavernBrawlerProperty
	has := func(p string) bool { return Property(a, p) }
	switch {
	case !body.Feat(s, c, body.FeatTavernBrawler, rule):
		return body.Refuse("NO_FEAT", rule, "%s has no feat for it", c.Name)
	case !has(body.PropImprovised):
		return body.Refuse("A_WEAPON", rule, "%s is a weapon", a.Name)
	case !Held(c, a.Name):
		return body.Refuse("NOT_IN_HAND", rule, "%s is not in hand", a.Name)
	case slices.ContainsFunc(body.Book.Improvised, has):
		return body.Refuse("HAS_PROPERTY", rule, "%s has its property while it is held", a.Name)
	}
	return nil
}

// Improvise gives what a creature holds a property, as long as it is held.
//
// rcr.feat.tavern-brawler-property
func Improvise(r *rules.Resolution, c *eventv1.Creature, item, property string) {
	r.Mark(c.Id, body.MImprovised+item, property, cite.FeatTavernBrawlerProperty)
	reshape(r, c.Id, item, func(a *eventv1.RcrAttack) {
		if a.Properties = append(a.Properties, property); property == "reach" {
			a.ReachFeet += reachBy
		}
	})
}

// LetImprovised takes a property away again that was given to what is not held any more.
//
// rcr.feat.tavern-brawler-property
func LetImprovised(r *rules.Resolution, id, item string) {
	property := r.Creature(id).Marks[body.MImprovised+item]
	if property == "" || Held(r.Creature(id), item) {
		return
	}
	r.Mark(id, body.MImprovised+item, "", cite.FeatTavernBrawlerProperty)
	reshape(r, id, item, func(a *eventv1.RcrAttack) {
		a.Properties = slices.DeleteFunc(a.Properties, func(p string) bool { return strings.EqualFold(p, property) })
		if property == "reach" {
			a.ReachFeet -= reachBy
		}
	})
}

// reshape changes an attack of a creature's sheet.
func reshape(r *rules.Resolution, id, item string, change func(*eventv1.RcrAttack)) {
	s := proto.CloneOf(r.Creature(id).Sheet)
	for _, a := range s.GetRcr().GetAttacks() {
		if a.Name == item {
			change(a)
		}
	}
	r.Emit(r.Audience(rules.FactSheet, "", id), &eventv1.SheetSet{Creature: id, Sheet: s}, cite.FeatTavernBrawlerProperty)
}
