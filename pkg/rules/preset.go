package rules

import (
	"maps"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Names of presets that every system has.
const (
	// PresetAsWritten is the document as it reads.
	PresetAsWritten = "as-written"
	// PresetBase is the document without anything that it leaves to the table.
	PresetBase = "base"
)

// Preset is a name for settings of a system's document.
type Preset struct {
	// Name in lower case: as-written.
	Name string
	// Title for people.
	Title string
	// Text says what it means.
	Text string
	// Settings that it puts to something else than their default, by id.
	Settings map[string]string
}

// Presetter is a system with presets.
type Presetter interface {
	// Presets lists them; made once, and never changed.
	Presets() []Preset
}

// PresetsOf lists the presets of a system; none when it has none.
func PresetsOf(sys System) []Preset {
	if p, ok := sys.(Presetter); ok {
		return p.Presets()
	}
	return nil
}

// presetNamed finds a preset; the fault names the field and what is near. No name is no
// preset.
func presetNamed(sys System, field, name string) (Preset, error) {
	if name == "" {
		return Preset{}, nil
	}
	var names []string
	for _, p := range PresetsOf(sys) {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Preset{}, fault.Field(field, "no preset %q in system %s; there are %s%s", name, sys.Info().ID, strings.Join(names, ", "), DidYouMean(name, names))
}

// set changes settings: one, or a preset with single settings over it.
func set(r *Resolution, c *eventv1.SetSetting) error {
	if err := notEnded(r); err != nil {
		return err
	}
	several := c.Preset != "" || len(c.Settings) > 0
	if several && c.Setting != "" {
		return fault.Field("set.setting", "give one setting and its value, or a preset and settings over it")
	}
	single := c.Settings
	if !several {
		single = map[string]string{c.Setting: c.Value}
	}
	p, err := presetNamed(r.sys, "set.preset", c.Preset)
	if err != nil {
		return err
	}
	if v := CheckSettingsWith(r.sys, r.req.Content, single); len(v) > 0 {
		return fault.Fields(v)
	}
	if c.Preset != "" {
		r.Emit(event.Everyone(), &eventv1.PresetChosen{Preset: p.Name, Settings: r.towards(p)})
	}
	for _, id := range SortedKeys(single) {
		r.Emit(event.Everyone(), &eventv1.SettingChanged{Setting: id, Value: single[id]})
	}
	return nil
}

// towards are the changes that lead from the settings in force to those of a preset.
// What is the table's and not the document's stays, as do the rules of packs.
func (r *Resolution) towards(p Preset) map[string]string {
	out := map[string]string{}
	for _, s := range r.sys.Settings() {
		now, want := r.state.Settings[s.ID], p.Settings[s.ID]
		if now != want {
			out[s.ID] = want
		}
	}
	return out
}

// chosen are the settings of a new encounter: those of the preset, over them those that
// the packs give, over them those given.
func (r *Resolution) chosen(p Preset, given map[string]string) map[string]string {
	house := r.req.Content.Settings()
	out := maps.Clone(p.Settings)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, house)
	maps.Copy(out, given)
	return out
}
