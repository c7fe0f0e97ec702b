package toggles

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Settings are what a table may choose in a rule system.
type Settings struct {
	load func() (loaded, error)
}

type loaded struct {
	settings []rules.Setting
	defaults rules.Defaults
}

// Rules are settings that are toggles of the catalogue, by their rule ids, in
// the form that [New] takes.
func Rules(ids ...string) []rules.Setting {
	out := make([]rules.Setting, 0, len(ids))
	for _, id := range ids {
		out = append(out, rules.Setting{ID: id})
	}
	return out
}

// New makes settings of lists, in their order. One with nothing but an id is a
// toggle of the catalogue.
func New(lists ...[]rules.Setting) *Settings {
	return &Settings{load: sync.OnceValues(func() (loaded, error) {
		settings, err := fill(slices.Concat(lists...))
		return loaded{settings, rules.DefaultsOf(settings)}, err
	})}
}

// fill gives toggles of the catalogue their words and defaults.
func fill(settings []rules.Setting) ([]rules.Setting, error) {
	for i := range settings {
		s := &settings[i]
		if s.Title != "" {
			continue
		}
		e, ok := catalogue.Lookup(catalogue.RuleID(s.ID))
		if !ok || !e.Toggle || e.Switch == "" {
			return nil, fmt.Errorf("toggles: %q is no toggle of the catalogue that says what its switch does", s.ID)
		}
		*s = OnOff(s.ID, e.Title, catalogue.Off, strings.TrimSpace(e.Switch))
		if e.DefaultOn {
			s.Default = catalogue.On
		}
	}
	return settings, nil
}

// OnOff is a setting of a system's own that is on or off.
func OnOff(id, title, byDefault, text string) rules.Setting {
	return rules.Setting{ID: id, Title: title, Text: text, Values: []string{catalogue.On, catalogue.Off}, Default: byDefault}
}

// All are the settings; none when [Settings.Err] says why.
func (s *Settings) All() []rules.Setting {
	l, _ := s.load()
	return l.settings
}

// Err says what is wrong with the settings; a system's Validate returns it, so
// that nothing starts with them.
func (s *Settings) Err() error {
	_, err := s.load()
	return err
}

// Value is what a setting stands at in a state; empty for one that the system
// does not have.
func (s *Settings) Value(state *eventv1.State, setting string) string {
	l, _ := s.load()
	return l.defaults.Value(state, setting)
}

// On tells whether a setting stands at "on".
func (s *Settings) On(state *eventv1.State, setting string) bool {
	l, _ := s.load()
	return l.defaults.On(state, setting)
}

// Number is a setting's value as a number; 0 when it is none.
func (s *Settings) Number(state *eventv1.State, setting string) int {
	l, _ := s.load()
	return l.defaults.Number(state, setting)
}
