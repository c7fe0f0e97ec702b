package dice

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// resists gives a creature with legendary resistance its choice after a failed
// saving throw.
//
// rcr.base.fifth-edition-fallback
func resists(r *rules.Resolution, label string, c *eventv1.Creature, failed rules.Rolled) rules.Rolled {
	left := body.CLeft + body.TraitLegendaryResistance
	if !body.HasTrait(c, body.TraitLegendaryResistance) || r.Count(c.Id, left) < 1 || Unseen(c, failed) {
		return failed
	}
	d := rules.YesNo(body.DecLegendaryResistance, c.Id, "the saving throw failed", "Succeed by legendary resistance?", "no", cite.BaseFifthEditionFallback)
	if r.Ask(label+"/resist", d).Option != "yes" {
		return failed
	}
	body.Spend(r, c.Id, left, "legendary resistance")
	r.Note(AudienceOr(failed.Audience), c.Id, c.Name+" succeeds by legendary resistance", cite.BaseFifthEditionFallback)
	failed.Outcome = "success"
	return failed
}
