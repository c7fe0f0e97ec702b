package rules_test

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Faces that no roll took are set aside where the action waits, and that is said to
// those who play the one who acts when one of them spoke, else to those of another of the
// speaker's creatures, else to the game master; whose creature does not roll gave none for
// it. Run again, the same is said again.
func TestFacesThatNoRollTook(t *testing.T) {
	for name, c := range map[string]struct {
		speaker  *eventv1.Principal
		mine     string // a creature that bob plays
		faces    []int32
		left     []int32
		text     string
		audience *eventv1.Audience
	}{
		"nobody spoke":           {nil, "", []int32{15, 3}, []int32{3}, "a face that no roll took is set aside: [3]", event.GM()},
		"the game master":        {gm, "", []int32{15, 3, 4}, []int32{3, 4}, "2 faces that no roll took are set aside: [3 4]", event.GM()},
		"who plays the actor":    {ann, "", []int32{15, 3}, []int32{3}, "a face that no roll took is set aside: [3]", event.Controllers("a")},
		"who plays another":      {bob, "b", []int32{15, 3}, []int32{15, 3}, "2 faces that no roll took are set aside: [15 3]", event.Controllers("b")},
		"who plays nobody":       {bob, "", []int32{15, 3}, []int32{15, 3}, "2 faces that no roll took are set aside: [15 3]", event.GM()},
		"all of them were taken": {ann, "", []int32{15}, nil, "", nil},
	} {
		s := fightState(t)
		if c.mine != "" {
			event.Fold(s, event.New(event.Everyone(), &eventv1.ControllersSet{Creature: c.mine, Controllers: []string{"bob"}}))
		}
		req := rules.Request{State: s, Action: 7, Speaker: c.speaker, Faces: c.faces}
		out, err := rules.Run(context.Background(), toy{}, req, &table{}, rules.Resolve(toy{}, attack))
		if err != nil || len(out.Open) != 1 {
			t.Fatalf("%s: %v, %v", name, err, out)
		}
		said := func(events []*eventv1.Event) (notes []*eventv1.Event) {
			return slices.DeleteFunc(slices.Clone(events), func(e *eventv1.Event) bool { return e.GetNote() == nil })
		}
		notes := said(out.Events)
		if c.text == "" {
			if len(notes) > 0 {
				t.Errorf("%s: %v", name, notes)
			}
			continue
		}
		if len(notes) != 1 || notes[0].GetNote().Text != c.text || !proto.Equal(notes[0].Audience, c.audience) || !slices.Equal(notes[0].GetNote().FacesSetAside, c.left) {
			t.Errorf("%s: %v", name, notes)
			continue
		}
		again, err := rules.Run(context.Background(), toy{}, rules.Request{State: s, Action: 7, Speaker: c.speaker, Recorded: out.Inputs, Published: out.Events}, &table{}, rules.Resolve(toy{}, attack))
		if err != nil || len(again.Fresh) > 0 {
			t.Errorf("%s, again: %v, %v", name, err, again)
		}
	}
}

// What a table may choose with packs are the settings of the system, then their toggles,
// each on unless its pack says otherwise; a rule that is no toggle is no choice.
func TestSettingsOfPacks(t *testing.T) {
	b, err := effects.New(effects.Base{System: "toy"}, effects.Pinned{Digest: "d", Pack: &contentv1.Pack{Name: "p", System: "toy", Version: "1", Title: "P",
		Rules: []*contentv1.HouseRule{{Id: "day", Title: "Day", Toggle: true}, {Id: "night", Title: "Night", Toggle: true, Off: true}, {Id: "always", Title: "Always"}}}})
	if err != nil {
		t.Fatal(err)
	}
	plain := rules.SettingsWith(toy{}, nil)
	with := rules.SettingsWith(toy{}, b)
	if len(with) != len(plain)+2 {
		t.Fatalf("%d settings with the pack, %d without", len(with), len(plain))
	}
	for i, want := range [][2]string{{"house.p.day", "on"}, {"house.p.night", "off"}} {
		if s := with[len(plain)+i]; s.ID != want[0] || s.Default != want[1] || !slices.Equal(s.Values, []string{"on", "off"}) {
			t.Errorf("%+v", s)
		}
	}
}

// A setting without a list of values is a whole number of nine digits at the most.
func TestNumbersOfSettings(t *testing.T) {
	for value, fits := range map[string]bool{"0": true, "12": true, "-3": true, "123456789": true, "-12345678": true, "": false, "-": false, "1234567890": false, "-123456789": false,
		"1x": false, "x1": false, "1-": false, "--1": false, "1.5": false, "+1": false, " 1": false, "9": true, "/": false, ":": false} {
		if wrong := rules.CheckSettingsWith(toy{}, nil, map[string]string{"toy.size": value}); (len(wrong) == 0) != fits {
			t.Errorf("%q: %v", value, wrong)
		}
	}
	for value, fits := range map[string]bool{"on": true, "off": true, "maybe": false, "": false} {
		if wrong := rules.CheckSettingsWith(toy{}, nil, map[string]string{"toy.loud": value}); (len(wrong) == 0) != fits {
			t.Errorf("%q: %v", value, wrong)
		}
	}
}
