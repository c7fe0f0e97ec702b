package catalogue

import (
	"errors"
	"fmt"
)

// The positions of a switch, as they stand in settings.
const (
	// On is the value of a toggle in force.
	On = "on"
	// Off is the value of a toggle not in force.
	Off = "off"
)

// ErrExcluded is the error for two toggles switched on that exclude each other.
var ErrExcluded = errors.New("catalogue: the two exclude each other")

// Resolve says which toggles are in force, given the settings of a table (by
// rule id; settings that are no toggles of this system are left aside). For
// each toggle the first that applies decides:
//
//  1. what the table has set for it;
//  2. what the table has set for the head that it is part of;
//  3. its default.
//
// A toggle that is on by default yields to one that excludes it and was set on;
// both set on is [ErrExcluded]. A toggle whose required toggles are not all in
// force is not in force either.
func (c *Catalogue) Resolve(settings map[string]string) (map[RuleID]bool, error) {
	toggles := c.Toggles()
	inForce := make(map[RuleID]bool, len(toggles))
	for _, e := range toggles {
		on, err := e.position(settings)
		if err != nil {
			return nil, err
		}
		inForce[e.ID] = on
	}
	for _, e := range toggles {
		for _, other := range e.Excludes {
			if !inForce[e.ID] || !inForce[other] {
				continue
			}
			switch {
			case settings[string(e.ID)] == On && settings[string(other)] == On:
				return nil, fmt.Errorf("%w: %s and %s", ErrExcluded, e.ID, other)
			case settings[string(e.ID)] == On:
				inForce[other] = false
			default:
				inForce[e.ID] = false
			}
		}
	}
	// Chains of requirements are short; repeat until nothing changes any more.
	for changed := true; changed; {
		changed = false
		for _, e := range toggles {
			for _, need := range e.Requires {
				if inForce[e.ID] && !inForce[need] {
					inForce[e.ID], changed = false, true
				}
			}
		}
	}
	return inForce, nil
}

// position is where the settings and the default put a switch.
func (e *Entry) position(settings map[string]string) (bool, error) {
	for _, id := range []RuleID{e.ID, e.PartOf} {
		value, set := settings[string(id)]
		if !set || id == "" {
			continue
		}
		if value != On && value != Off {
			return false, fmt.Errorf("catalogue: %s: %q is neither %s nor %s", id, value, On, Off)
		}
		return value == On, nil
	}
	return e.DefaultOn, nil
}
