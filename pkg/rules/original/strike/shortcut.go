package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseCounted says why a foe cannot be among those whose kills are counted.
//
// original.attack.multi-shortcut
func RefuseCounted(at *play.At, target *eventv1.Creature) error {
	w := body.InHand(at.Actor)
	switch {
	case target.Side == at.Actor.Side:
		return body.Refuse("NO_FOE", body.SetShortcut, "there is no foe to kill")
	case target.Marks[body.MNormal] == "" || body.IsUnit(target):
		return body.Refuse("NORMAL_MEN_ONLY", body.SetShortcut, "%s is no Normal Man", target.Name)
	case Immune(target, w):
		return body.Refuse("IMMUNE", cite.CriticalWeaponImmunity, "%s cannot be harmed by %s", target.Name, w.Name)
	}
	return SightOf(at).attackRefused(target, w, at.Take)
}
