package srd5e

import (
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// The numbers of the traits of the body, as the System Reference Document says them.
func TestBodyFeatures(t *testing.T) {
	dex := func(dc int32, half bool) *eventv1.RcrSave {
		return &eventv1.RcrSave{Ability: "dexterity", Dc: dc, HalfOnSuccess: half}
	}
	for _, c := range []struct {
		name, words string
		want        *eventv1.RcrFeature // nil: it is not read
	}{
		{"hold breath", "The crocodile can hold its breath for 15 minutes.", &eventv1.RcrFeature{Number: 15}},
		{"hold breath", "The hydra can hold its breath for 1 hour.", &eventv1.RcrFeature{Number: 60}},
		{"hold breath", "While out of water, the octopus can hold its breath for 30 minutes.", nil},
		{"standing leap", "The frog's long jump is up to 10 ft. and its high jump is up to 5 ft., with or without a running start.", &eventv1.RcrFeature{Feet: 10, Number: 5}},
		{"running leap", "With a 10-foot running start, the lion can long jump up to 25 ft..", &eventv1.RcrFeature{Feet: 25}},
		{"stench", "Any creature that starts its turn within 10 feet of the hezrou must succeed on a DC 14 Constitution saving throw or be poisoned until the start of its next turn.",
			&eventv1.RcrFeature{Feet: 10, Save: &eventv1.RcrSave{Ability: "constitution", Dc: 14}}},
		{"death burst", "Each creature within 5 ft. of it must make a DC 11 Dexterity saving throw, taking 7 (2d6) fire damage on a failed save, or half as much damage on a successful one.",
			&eventv1.RcrFeature{Feet: 5, Dice: "2d6", Type: "fire", Save: dex(11, true)}},
		{"death burst", "Each creature within 5 ft. of the mephit must succeed on a DC 10 Dexterity saving throw or take 4 (1d8) fire damage.",
			&eventv1.RcrFeature{Feet: 5, Dice: "1d8", Type: "fire", Save: dex(10, false)}},
		{"death burst", "Each creature within 5 ft. of it must then succeed on a DC 10 Constitution saving throw or be blinded for 1 minute.", nil},
		{"fire aura", "At the start of each of the balor's turns, each creature within 5 feet of it takes 10 (3d6) fire damage, and flammable objects ignite.",
			&eventv1.RcrFeature{Feet: 5, Dice: "3d6", Type: "fire"}},
		{"heated body", "A creature that hits it with a melee attack while within 5 ft. of it takes 5 (1d10) fire damage.", &eventv1.RcrFeature{Dice: "1d10", Type: "fire"}},
		{"barbed hide", "At the start of each of its turns, the barbed devil deals 5 (1d10) piercing damage to any creature grappling it.", &eventv1.RcrFeature{Dice: "1d10", Type: "piercing"}},
	} {
		got := &eventv1.RcrFeature{Name: c.name}
		read := bodyFeature(got, c.words)
		if read != (c.want != nil) {
			t.Errorf("%s: %s: read %t", c.name, c.words, read)
			continue
		}
		if c.want == nil {
			continue
		}
		c.want.Name = c.name
		if !proto.Equal(got, c.want) {
			t.Errorf("%s: %s: %v, want %v", c.name, c.words, got, c.want)
		}
	}
}
