package toggles

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/text"
)

// PresetsFile is the file of a book that holds its presets.
const PresetsFile = "presets.yaml"

// Presets are the names that a book gives to settings.
type Presets struct {
	load func() ([]rules.Preset, error)
}

// presetFile is the form of the file.
type presetFile struct {
	Presets []struct {
		Name  string `yaml:"name"`
		Title string `yaml:"title"`
		Text  string `yaml:"text"`
		// Toggles puts every toggle of the book to on or off; empty leaves them.
		Toggles string `yaml:"toggles"`
		// Settings over that, by id.
		Settings map[string]string `yaml:"settings"`
	} `yaml:"presets"`
}

// NewPresets are the presets of the settings in the text of a book's file. It is read
// at the first question.
func NewPresets(settings *Settings, file func(name string) ([]byte, error)) *Presets {
	return &Presets{load: sync.OnceValues(func() ([]rules.Preset, error) {
		text, err := file(PresetsFile)
		if err != nil {
			return nil, fmt.Errorf("toggles: presets: %w", err)
		}
		if err := settings.Err(); err != nil {
			return nil, err
		}
		return readPresets(text, settings.All())
	})}
}

func readPresets(data []byte, settings []rules.Setting) ([]rules.Preset, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	var f presetFile
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("toggles: presets: %w", err)
	}
	var out []rules.Preset
	for _, p := range f.Presets {
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("toggles: preset %q: %s", p.Name, fmt.Sprintf(format, args...))
		}
		switch {
		case text.ID(p.Name) != nil || p.Title == "" || strings.TrimSpace(p.Text) == "":
			return nil, wrong("wants a name, a title and a text")
		case slices.ContainsFunc(out, func(o rules.Preset) bool { return o.Name == p.Name }):
			return nil, wrong("is there twice")
		case !slices.Contains([]string{"", catalogue.On, catalogue.Off}, p.Toggles):
			return nil, wrong("toggles are on or off, not %q", p.Toggles)
		}
		changes, err := changesOf(p.Toggles, p.Settings, settings)
		if err != nil {
			return nil, wrong("%v", err)
		}
		out = append(out, rules.Preset{Name: p.Name, Title: p.Title, Text: strings.TrimSpace(p.Text), Settings: changes})
	}
	for _, name := range []string{rules.PresetAsWritten, rules.PresetBase} {
		if !slices.ContainsFunc(out, func(p rules.Preset) bool { return p.Name == name }) {
			return nil, fmt.Errorf("toggles: there is no preset %s", name)
		}
	}
	return out, nil
}

// changesOf are the settings that a preset puts to something else than their default.
func changesOf(toggled string, single map[string]string, settings []rules.Setting) (map[string]string, error) {
	out := map[string]string{}
	left := maps.Clone(single)
	for _, s := range settings {
		want, given := left[s.ID]
		delete(left, s.ID)
		if given && len(s.Values) > 0 && !slices.Contains(s.Values, want) {
			return nil, fmt.Errorf("%s: %q is not one of %v", s.ID, want, s.Values)
		}
		if _, isRule := catalogue.Lookup(catalogue.RuleID(s.ID)); !given && isRule && toggled != "" {
			want, given = toggled, true
		}
		if given && want != s.Default {
			out[s.ID] = want
		}
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("there are no settings %v", slices.Sorted(maps.Keys(left)))
	}
	return out, excluded(out, settings)
}

// excluded refuses toggles that cannot be on together.
func excluded(changes map[string]string, settings []rules.Setting) error {
	on := map[string]bool{}
	for _, s := range settings {
		value, changed := changes[s.ID]
		on[s.ID] = value == catalogue.On || !changed && s.Default == catalogue.On
	}
	for _, s := range settings {
		e, ok := catalogue.Lookup(catalogue.RuleID(s.ID))
		if !ok || !on[s.ID] {
			continue
		}
		for _, other := range e.Excludes {
			if on[string(other)] {
				return fmt.Errorf("%w: %s and %s", catalogue.ErrExcluded, s.ID, other)
			}
		}
	}
	return nil
}

// All are the presets; none when [Presets.Err] says why. They must not be changed.
func (p *Presets) All() []rules.Preset {
	all, _ := p.load()
	return all
}

// Err says what is wrong with the presets; a system's Validate returns it.
func (p *Presets) Err() error {
	_, err := p.load()
	return err
}
