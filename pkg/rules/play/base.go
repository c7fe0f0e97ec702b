package play

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Base is what rule systems have in common unless they say otherwise: a system
// embeds it and writes the methods that its rules need. Sheets, hit points, injuries
// and things begun are their controllers', all else is everyone's; nothing happens
// when a creature leaves or is edited.
type Base struct {
	// Name is the system's id, Title is for people, Version that of its rules.
	Name, Title, Version string
	// Frame is what creatures can do.
	Frame *Frame
	// Chosen are the settings.
	Chosen []rules.Setting
	// Standing are the decisions that can be settled ahead.
	Standing []rules.StandingOrder
	// Heals is the system's medicine.
	Heals rules.Medicine
}

// Info names the system.
func (b Base) Info() rules.Info { return rules.Info{ID: b.Name, Title: b.Title, Version: b.Version} }

// Settings lists what a table may choose.
func (b Base) Settings() []rules.Setting { return b.Chosen }

// StandingOrders lists the decisions that may be settled ahead.
func (b Base) StandingOrders() []rules.StandingOrder { return b.Standing }

// CheckSheet finds nothing wrong beyond what every sheet must hold.
func (Base) CheckSheet(*eventv1.Sheet) []fault.Violation { return nil }

// Audience says who may see a fact about a creature.
func (Base) Audience(_ *eventv1.State, kind rules.FactKind, _, creature string) *eventv1.Audience {
	if creature == "" || strings.HasPrefix(creature, event.SidePrefix) {
		return event.Everyone()
	}
	switch kind {
	case rules.FactSheet, rules.FactHitPoints, rules.FactInjury, rules.FactBegun:
		return event.Controllers(creature)
	}
	return event.Everyone()
}

// Enter gives a creature just added the hit points of its sheet, then what it is
// said to begin with.
func (Base) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	id, hp := add.Sheet.Id, add.Sheet.HitPoints
	r.SetHitPoints(id, hp, hp, 0)
	return r.ApplyVitals(id, add.Vitals)
}

// Leave settles nothing.
func (Base) Leave(*rules.Resolution, string) error { return nil }

// Edited settles nothing.
func (Base) Edited(*rules.Resolution, string) error { return nil }

// Finish settles nothing.
func (Base) Finish(*rules.Resolution) error { return nil }

// Act carries out an action.
func (b Base) Act(r *rules.Resolution, take *eventv1.TakeAction) error { return b.Frame.Act(r, take) }

// Options lists what a creature may do, and why not the rest.
func (b Base) Options(q rules.Query) []*eventv1.Option { return b.Frame.Options(q) }

// Vocabulary is every word that commands may say.
func (b Base) Vocabulary() *rules.Vocabulary { return b.Frame.Words }

// GMOnly tells whether only the game master may take an action.
func (b Base) GMOnly(action string) bool { return b.Frame.GMOnly(action) }

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself.
func (b Base) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool { return b.Frame.HoldsTurn(c, o) }

// BeforeStart tells whether an action needs no fight under way.
func (b Base) BeforeStart(action string) bool { return b.Frame.BeforeStart(action) }

// Medicine is the system's part in harm and healing.
func (b Base) Medicine() rules.Medicine { return b.Heals }
