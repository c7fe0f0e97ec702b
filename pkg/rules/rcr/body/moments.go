package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Moment is something that befalls a creature and that a chapter above the one where
// it happens must answer at once.
type Moment int

// The moments.
const (
	// OnDamage: it has taken damage, n hit points of it.
	OnDamage Moment = iota
	// OnProne: it is about to be knocked prone; whoever settles it keeps it from that.
	OnProne
	// OnFallen: it has been knocked prone.
	OnFallen
	// OnThrust: something has moved it against its will.
	OnThrust
	// OnPace: its speed may have changed.
	OnPace
	// OnAway: it is elsewhere at once, without the way between.
	OnAway
	// OnLoose: it has lost its hold in the air and begins to fall from n feet.
	OnLoose
	// OnDrop: a flyer has begun to fall.
	OnDrop
	// OnCatch: one that falls is about to arrest its fall or come down; whoever
	// settles it has caught it.
	OnCatch
	// OnPartEnds: a mount's part in the turn of its rider ends.
	OnPartEnds
)

// Answer is what a chapter does about a moment; settled tells that nothing more is to
// happen.
type Answer func(r *rules.Resolution, id, cause string, n int32) (settled bool)

var moments = map[Moment][]Answer{}

// AnswerMoment has a chapter answer to a moment, after those that already do. The
// system's package calls it while the program starts, and nobody later.
func AnswerMoment(m Moment, a Answer) { moments[m] = append(moments[m], a) }

// Befall tells the chapters of a moment; true when one of them has settled it.
func Befall(r *rules.Resolution, m Moment, id, cause string, n int32) bool {
	for _, a := range moments[m] {
		if a(r, id, cause, n) {
			return true
		}
	}
	return false
}

// AirDC is what weather and the load of the one who rolls add to the difficulty of what
// is done in the air, and the rule behind it; the chapter of flight says it.
var AirDC func(*eventv1.State, *eventv1.Creature) (dc int32, rule string)
