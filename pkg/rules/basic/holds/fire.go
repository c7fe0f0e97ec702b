package holds

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
)

// Scorch burns a creature that stands in flames or crosses them, once a round.
//
// basic.item.oil-ground-fire, basic.item.oil-fire-immunity
func Scorch(r *rules.Resolution, id string) {
	const rule = cite.ItemOilGroundFire
	if c := r.Creature(id); body.Dead(c) || strike.Fireproof(c) || body.Has(c, body.CondScorched) {
		return
	}
	order.UntilRoundEnds(r, id, body.CondScorched, rule)
	amount := r.Roll(rules.RollSpec{Label: "ground-fire/" + id, Expression: strike.SplashDice, Reason: "oil burning on the ground", Rules: []string{rule}}).Total
	strike.Harm{Target: id, Cause: "oil burning on the ground", Amount: amount, Kind: strike.Fire}.Apply(r)
}
