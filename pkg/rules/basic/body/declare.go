package body

import (
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Declarable are the kinds of actions that can be declared.
//
// basic.action.list, basic.action.perform-feat, basic.action.other
var Declarable = []string{KindMove, KindAttack, KindMelee, KindRanged, KindCast, KindDodge, KindFeat, KindHold, KindRun, KindCharge, KindSet,
	KindWithdraw, KindGrapple, KindReload, KindSmother, KindOther}

// KindOf is the kind of action that a word declares: that of builds before meant the
// same.
func KindOf(word string) string {
	if kind, renamed := oldKinds[word]; renamed {
		return kind
	}
	return word
}

// oldKinds are words of builds before for what the action itself is called.
var oldKinds = map[string]string{"cast-spell": KindCast, "perform-feat": KindFeat, "fighting-withdrawal": KindWithdraw, "put-out-flames": KindSmother}

// OldKinds are those words in order.
var OldKinds = []string{"cast-spell", "perform-feat", "fighting-withdrawal", "put-out-flames"}

// RefuseAttacking says why a creature may make no attack of any kind.
//
// basic.fumble.weapon-breaks, basic.fumble.drop-weapon
func RefuseAttacking(s *eventv1.State, c *eventv1.Creature) error {
	if d := Barring(s, c, condition.BarsAttack); d != nil {
		return Refuse("NO_ATTACK", d.Rule, "%s makes no attack this round after a critical miss", c.Name)
	}
	return nil
}
