package growth

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// adepts gives what feats of manoeuvres and of magic are used up by, and how a cantrip
// of another list is cast.
//
// rcr.feat.martial-adept-dice, rcr.feat.martial-adept-maneuvers,
// rcr.feat.metamagic-adept-points, rcr.feat.spell-sniper-cantrip
func (r *reading) adepts(feat string, f *eventv1.RcrFeat) {
	switch feat {
	case body.FeatMartialAdept:
		if r.on(cite.FeatMartialAdeptDice) {
			r.resource(body.ResSuperiority, "short rest", cite.FeatMartialAdeptDice)
		}
		r.maneuvers(f)
	case body.FeatMetamagicAdept:
		if r.on(cite.FeatMetamagicAdeptPoints) {
			r.resource(body.ResMetamagic, "long rest", cite.FeatMetamagicAdeptPoints)
		}
	case body.FeatSpellSniper:
		for _, sp := range r.s.Spells {
			if body.Named(f.Picks, sp.Name) && r.on(cite.FeatSpellSniperCantrip) {
				sp.Ability = body.Book.SpellLists[strings.ToLower(f.SpellList)]
				r.cited(cite.FeatSpellSniperCantrip)
			}
		}
	}
}

// resource gives two of what a feat is used up by, beside all that the sheet has.
func (r *reading) resource(name, recharge, rule string) {
	if slices.Contains(body.NamesOf(r.s.Resources), name) {
		return
	}
	r.s.Resources = append(r.s.Resources, &eventv1.RcrResource{Name: name, Current: 2, Max: 2, Recharge: recharge})
	r.cited(rule)
}

// maneuvers has the manoeuvres learnt take the dice of the feat, where they do not take
// others.
func (r *reading) maneuvers(f *eventv1.RcrFeat) {
	if !r.on(cite.FeatMartialAdeptManeuvers) || !slices.Contains(body.NamesOf(r.s.Resources), body.ResSuperiority) {
		return
	}
	for _, p := range r.s.Powers {
		if body.Named(f.Picks, p.Name) && p.Resource == "" {
			p.Resource = body.ResSuperiority
			r.cited(cite.FeatMartialAdeptManeuvers)
		}
	}
}

// swapped refuses a new sheet that exchanges options of metamagic otherwise than one as
// a level is gained.
//
// rcr.feat.metamagic-adept-swap
func swapped(state *eventv1.State, before, after *eventv1.Creature) error {
	const rule = cite.FeatMetamagicAdeptSwap
	had, has := body.ChosenFeat(body.SheetOf(before), body.FeatMetamagicAdept), body.ChosenFeat(body.SheetOf(after), body.FeatMetamagicAdept)
	if had == nil || !body.InForce(state, rule) {
		return nil
	}
	new := 0
	for _, pick := range has.GetPicks() {
		if !body.Named(had.Picks, pick) {
			new++
		}
	}
	switch {
	case new == 0:
		return nil
	case body.SheetOf(after).Level <= body.SheetOf(before).Level:
		return body.Refuse("METAMAGIC", rule, "%s has gained no level: its options of metamagic stay", after.Name)
	case new > 1:
		return body.Refuse("METAMAGIC", rule, "%s may exchange one option of metamagic with a new level, not %d", after.Name, new)
	}
	return nil
}
