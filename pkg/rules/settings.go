package rules

import (
	"strconv"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Defaults are the values of settings that a table has not chosen, by the
// setting's id. They read the settings of a state where no Resolution runs,
// such as in Options.
type Defaults map[string]string

// DefaultsOf reads the defaults off a system's settings.
func DefaultsOf(settings []Setting) Defaults {
	d := make(Defaults, len(settings))
	for _, s := range settings {
		d[s.ID] = s.Default
	}
	return d
}

// defaultsIn are the defaults of a system's settings and of those that every
// system has.
func defaultsIn(sys System) Defaults {
	d := DefaultsOf(sys.Settings())
	for _, s := range tableSettings {
		d[s.ID] = s.Default
	}
	return d
}

// Value is what a setting stands at in a state; empty for one that the system
// does not have.
func (d Defaults) Value(s *eventv1.State, setting string) string {
	if v, ok := s.GetSettings()[setting]; ok {
		return v
	}
	return d[setting]
}

// On tells whether a setting stands at "on".
func (d Defaults) On(s *eventv1.State, setting string) bool { return d.Value(s, setting) == "on" }

// Number is a setting's value as a number; 0 when it is none.
func (d Defaults) Number(s *eventv1.State, setting string) int {
	n, _ := strconv.Atoi(d.Value(s, setting))
	return n
}
