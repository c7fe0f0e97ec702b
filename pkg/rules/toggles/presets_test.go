package toggles

import (
	"errors"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
)

// What a preset names must be there, with a value that it can have; its changes are what
// differs from the defaults.
func TestReadPresets(t *testing.T) {
	settings := []rules.Setting{OnOff("a", "A", "on", "A."), OnOff("b", "B", "off", "B.")}
	file := func(extra string) []byte {
		return []byte("presets:\n- {name: as-written, title: T, text: T}\n- {name: base, title: T, text: T, settings: {" + extra + "}}\n")
	}
	got, err := readPresets(file("a: 'off', b: 'off'"), settings)
	if err != nil || len(got) != 2 || len(got[0].Settings) != 0 || len(got[1].Settings) != 1 || got[1].Settings["a"] != "off" {
		t.Errorf("%v, %v", got, err)
	}
	for extra, words := range map[string]string{"c: 'on'": "no settings [c]", "a: maybe": "not one of"} {
		if _, err := readPresets(file(extra), settings); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", extra, err)
		}
	}
	if _, err := readPresets([]byte("presets: []"), settings); err == nil || !strings.Contains(err.Error(), "as-written") {
		t.Errorf("without as-written: %v", err)
	}
}

// What is wrong with a file of presets is said with the preset that it is wrong with.
func TestPresetsThatAreAmiss(t *testing.T) {
	settings := []rules.Setting{OnOff("a", "A", "on", "A."), {ID: "size", Default: "3"}}
	const good = "- {name: as-written, title: T, text: T}\n- {name: base, title: T, text: T}\n"
	for more, words := range map[string]string{
		"": "", "- {name: loud, title: L, text: L, toggles: 'on'}\n": "", "- {name: loud, title: L, text: L, toggles: 'off', settings: {size: '4'}}\n": "",
		"- {name: Loud!, title: L, text: L}\n":                            `preset "Loud!": wants a name`,
		"- {name: loud, text: L}\n":                                       `preset "loud": wants a name, a title and a text`,
		"- {name: loud, title: L}\n":                                      `preset "loud": wants`,
		"- {name: loud, title: L, text: '  '}\n":                          `preset "loud": wants`,
		"- {name: base, title: L, text: L}\n":                             `preset "base": is there twice`,
		"- {name: loud, title: L, text: L, toggles: loud}\n":              `preset "loud": toggles are on or off, not "loud"`,
		"- {name: loud, title: L, text: L, volume: '9'}\n":                "field volume not found",
		"- {name: loud, title: L, text: L, settings: {a: x}}\n":           `preset "loud": a: "x" is not one of [on off]`,
		"- {name: loud, title: L, text: L, settings: {b: 'on', c: ''}}\n": "there are no settings [b c]",
	} {
		got, err := readPresets([]byte("presets:\n"+good+more), settings)
		if words == "" && (err != nil || len(got) < 2) || words != "" && (err == nil || !strings.Contains(err.Error(), words)) {
			t.Errorf("%q: %v, %v", more, got, err)
		}
	}
	for _, missing := range []string{"as-written", "base"} {
		text := strings.ReplaceAll("presets:\n"+good, "name: "+missing, "name: another")
		if _, err := readPresets([]byte(text), settings); err == nil || err.Error() != "toggles: there is no preset "+missing {
			t.Errorf("without %s: %v", missing, err)
		}
	}
	if got, _ := readPresets([]byte("presets:\n"+good+"- {name: loud, title: L, text: ' L '}\n"), settings); got[2].Text != "L" || len(got[2].Settings) != 0 {
		t.Errorf("%v", got[2])
	}
	lost := NewPresets(New(nil), func(string) ([]byte, error) { return nil, errors.New("no such file") })
	if lost.All() != nil || lost.Err() == nil || !strings.Contains(lost.Err().Error(), "toggles: presets: no such file") {
		t.Errorf("%v", lost.Err())
	}
}
