package toggles_test

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/toggles"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func TestWordsAreThoseOfTheCatalogue(t *testing.T) {
	own := toggles.OnOff("own", "Own", "on", "Of its own.")
	s := toggles.New(toggles.Rules(cite.RestModRegainHalf), toggles.Rules(cite.DiceThreat), nil)
	s2 := toggles.New(append(toggles.Rules(cite.DiceThreat), own))
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	e, _ := catalogue.Lookup(cite.DiceThreat)
	got := s.All()
	if len(got) != 2 || got[0].Default != "off" || got[1].Default != "on" || got[1].Title != e.Title || got[1].Text != e.Switch {
		t.Errorf("%+v", got)
	}
	if all := s2.All(); len(all) != 2 || all[1].Title != own.Title || !slices.Equal(all[1].Values, []string{"on", "off"}) {
		t.Errorf("%+v", all)
	}
	if !s.On(nil, cite.DiceThreat) || s.On(&eventv1.State{Settings: map[string]string{cite.DiceThreat: "off"}}, cite.DiceThreat) {
		t.Error("a default holds where nothing is set, and only there")
	}
	if s.Value(nil, "no-such-setting") != "" {
		t.Error("a setting that is none has a value")
	}
}

func TestWhatIsNoToggleIsRefused(t *testing.T) {
	for _, id := range []string{"no.such.rule", cite.InjuryWoundsTable, cite.BaseScopeNote} {
		s := toggles.New(toggles.Rules(id))
		if s.Err() == nil || len(s.All()) != 0 {
			t.Errorf("%s is taken", id)
		}
	}
}
