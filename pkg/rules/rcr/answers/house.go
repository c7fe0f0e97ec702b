package answers

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// houseArmor is the armour class as content has it.
func houseArmor(r *rules.Resolution, target, attacker *eventv1.Creature, ac *eventv1.TargetNumber) {
	value, mods := house.Number(r, "armor/"+target.Id, target, nil, house.PointArmor, ac.Value, effects.Env{Actor: attacker, Target: target})
	ac.Value, ac.Modifiers = value, append(ac.Modifiers, mods...)
}

// HouseSpeed brings the counters of the feet that content adds in line with the
// speeds of a creature.
func HouseSpeed(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if !r.Content().Asks(effects.KindSpeed) {
		return
	}
	own := map[string]int32{}
	// order-free: a map is filled from a map
	for mode, feet := range c.GetSheet().GetSpeeds() {
		own[mode] = feet + body.Flat(c, body.ChSpeed)
	}
	house.Speeds(r, id, own)
}
