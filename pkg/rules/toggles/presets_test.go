package toggles

import (
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
