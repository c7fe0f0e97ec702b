package rules

import (
	"maps"
	"strconv"
	"sync/atomic"

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
// system has. They must only be read: they are kept for the slice that the
// system gives, which never changes.
func defaultsIn(sys System) Defaults {
	settings := sys.Settings()
	if len(settings) == 0 {
		return withTable(settings)
	}
	at := settingsAt{&settings[0], len(settings)}
	kept := keptDefaults.Load()
	if d, ok := (*kept)[at]; ok {
		return d
	}
	d := withTable(settings)
	next := map[settingsAt]Defaults{}
	if len(*kept) < maxKeptDefaults {
		next = maps.Clone(*kept)
	}
	next[at] = d
	keptDefaults.CompareAndSwap(kept, &next) // whoever was first; the other is kept next time
	return d
}

func withTable(settings []Setting) Defaults {
	d := DefaultsOf(settings)
	for _, s := range tableSettings {
		d[s.ID] = s.Default
	}
	return d
}

// settingsAt is which slice of settings a system gave.
type settingsAt struct {
	first *Setting
	n     int
}

// maxKeptDefaults bounds what is kept of systems that give another slice each
// time.
const maxKeptDefaults = 32

var keptDefaults = func() *atomic.Pointer[map[settingsAt]Defaults] {
	p := &atomic.Pointer[map[settingsAt]Defaults]{}
	p.Store(&map[settingsAt]Defaults{})
	return p
}()

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
